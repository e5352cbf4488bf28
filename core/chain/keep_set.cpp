// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/keep_set.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace remat {

namespace {

std::string joined(const StageTape& tape, KeepSet set, char separator)
{
    std::string result;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (keeps(set, static_cast<int>(i)))
            result += (result.empty() ? "" : std::string(1, separator)) + tape.ops[i].name;
    return result;
}

/// Reads op names separated by `separator` into a set; false when one is unknown.
bool parseNames(const StageTape& tape, std::string_view text, char separator, KeepSet& set)
{
    while (!text.empty()) {
        const std::string_view name = text.substr(0, text.find(separator));
        const auto op = std::find_if(tape.ops.begin(), tape.ops.end(), [&](const Op& o) { return o.name == name; });
        if (op == tape.ops.end())
            return false;
        set |= KeepSet{1} << (op - tape.ops.begin());
        text.remove_prefix(std::min(text.size(), name.size() + 1));
    }
    return true;
}

} // namespace

KeepSet keepAll(const StageTape& tape)
{
    KeepSet set = 0;
    for (const int op : tape.candidates())
        set |= KeepSet{1} << op;
    return set;
}

std::string keepSetName(const StageTape& tape, KeepSet set)
{
    const KeepSet all = keepAll(tape);
    if (set == all)
        return "all";
    if (set == 0)
        return "nothing";
    const KeepSet dropped = all & ~set;
    if (std::popcount(dropped) < std::popcount(set))
        return "all-" + joined(tape, dropped, '-');
    return joined(tape, set, '+');
}

bool parseKeepSet(const StageTape& tape, const std::string& name, KeepSet& set)
{
    set = 0;
    if (name == "nothing")
        return true;
    if (name == "all" || name.rfind("all-", 0) == 0) {
        KeepSet dropped = 0;
        if (name.size() > 4 && !parseNames(tape, std::string_view(name).substr(4), '-', dropped))
            return false;
        set = keepAll(tape) & ~dropped;
        return true;
    }
    return parseNames(tape, name, '+', set);
}

} // namespace remat
