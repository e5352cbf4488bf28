// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>

#include "app/cli/command_reference.h"
#include "core/cost/devices.h"
#include "core/model/names.h"
#include "core/model/presets.h"
#include "core/plan/strategy.h"

namespace remat::cli {

namespace {

using Words = std::vector<std::string>;

/// "fixed, auto" as words.
Words wordsOf(const std::string& list)
{
    Words words;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(", ", begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + 2;
    }
    return words;
}

Words presetNames()
{
    Words names;
    for (const ModelShape& shape : presets().shapes)
        names.push_back(shape.name);
    return names;
}

Words deviceNames()
{
    Words names{"cpu"};
    for (const Device& device : devices().devices())
        names.push_back(device.name);
    return names;
}

Words strategyNames()
{
    Words names;
    for (const StrategyRule& rule : strategyRules())
        names.push_back(toName(rule.compared));
    return names;
}

struct Values {
    const char* flag;
    std::function<Words()> words;
};

const std::array<Values, 12>& valueTable()
{
    static const std::array<Values, 12> table{{
        {"--model", presetNames},
        {"--device", deviceNames},
        {"--strategy", strategyNames},
        {"--profile", [] { return wordsOf(knownNames<Profile>()); }},
        {"--precision", [] { return wordsOf(knownNames<Precision>()); }},
        {"--attention", [] { return wordsOf(knownNames<AttentionKind>()); }},
        {"--loss", [] { return wordsOf(knownNames<LossKind>()); }},
        {"--optimizer", [] { return wordsOf(knownNames<OptimizerKind>()); }},
        {"--variants", [] { return wordsOf(knownNames<VariantChoice>()); }},
        {"--mode",
            [] {
                return Words{"flat", "nested-no-drop", "nested-drop-lean", "nested"};
            }},
        // The formats differ by verb and stand in the description: "csv, markdown".
        {"--to", [] { return Words{}; }},
        {"--realization", [] { return Words{}; }},
    }};
    return table;
}

} // namespace

Words valueChoices(const OptionRow& option)
{
    for (const Values& values : valueTable())
        if (std::find(option.flags.begin(), option.flags.end(), values.flag) != option.flags.end()) {
            Words words = values.words();
            return words.empty() ? wordsOf(option.description.substr(0, option.description.find(" ("))) : words;
        }
    return {};
}

bool takesFile(const OptionRow& option)
{
    if (option.flags.empty())
        return true;
    constexpr std::array<const char*, 3> files{"--config", "--costs", "--out"};
    return std::any_of(
        files.begin(), files.end(), [&option](const char* flag) { return option.flags.front() == flag; });
}

} // namespace remat::cli
