// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/pass_lines.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    // What a pass process says last to the worker that started it.
    const auto line = [](const auto& found) { return worker::measuredLine(found); };
    const std::string_view text = fuzz::textOf(data, size);
    fuzz::roundTrip(text, worker::readMemoryFound, line);
    fuzz::roundTrip(text, worker::readTimingFound, line);
    fuzz::roundTrip(text, worker::readGradientsFound, line);
    return 0;
}
