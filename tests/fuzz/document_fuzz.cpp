// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_target.h"
#include "ui/state/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    fuzz::roundTrip(
        fuzz::textOf(data, size), [](std::string_view text) { return ui::parseDocument(text, "board.json"); },
        [](const ui::Document& document) { return ui::documentText(document); });
    return 0;
}
