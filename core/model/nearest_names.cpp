// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/nearest_names.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

constexpr std::size_t kLettersCompared = 64;

/// The edit distance, weighted so that no number of letters that `name` merely lacks at its end outweighs one edit:
/// "bert" finds "bert-base", and "h100" finds "h100-sxm" before "h200".
std::size_t distance(std::string_view name, std::string_view known)
{
    name = name.substr(0, kLettersCompared);
    known = known.substr(0, kLettersCompared);
    if (known.starts_with(name))
        return known.size() - name.size();
    std::vector<std::size_t> row(known.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= known.size(); ++j) {
            const std::size_t replaced = diagonal + (name[i - 1] == known[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return (kLettersCompared + 1) * row.back();
}

} // namespace

std::string nearestNames(std::string_view name, const std::vector<std::string>& names, std::size_t most)
{
    std::vector<std::string> sorted = names;
    std::stable_sort(sorted.begin(), sorted.end(),
        [&](const std::string& a, const std::string& b) { return distance(name, a) < distance(name, b); });
    std::string list;
    for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
        list += (i ? ", " : "") + sorted[i];
    return list;
}

} // namespace remat
