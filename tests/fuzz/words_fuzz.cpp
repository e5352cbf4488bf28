// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "app/cli/arguments.h"
#include "core/base/format_units.h"
#include "core/chain/pins.h"
#include "core/plan/strategy.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    // A command line, its words apart by line feeds; and each of the small languages that its values are in.
    std::vector<std::string> words{"remat"};
    std::string_view rest = fuzz::textOf(data, size);
    while (!rest.empty() && words.size() < 40) {
        const std::size_t end = rest.find(10);
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        (void)parseBytes(words.back());
        if (const Result<Pin> pin = parsePin(words.back()); pin && !parsePin(toText(*pin)))
            fuzz::broken("a pin that is written can be read", toText(*pin));
        if (const Result<Strategy> strategy = parseStrategy(words.back()))
            if (toName(*parseStrategy(toName(*strategy))) != toName(*strategy))
                fuzz::broken("a strategy keeps its name", toName(*strategy));
    }
    std::vector<const char*> values;
    for (std::string& word : words)
        values.push_back(word.c_str());
    (void)cli::parseArguments(static_cast<int>(values.size()), values.data());
    return 0;
}
