// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/model_json.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    fuzz::roundTrip(
        fuzz::textOf(data, size), [](std::string_view text) { return parseModelFile(text, "model.json"); },
        [](const ModelShape& shape) { return modelFileText(shape); });
    return 0;
}
