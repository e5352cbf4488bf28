// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/nearest_names.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace remat {

namespace {

constexpr std::size_t kLettersCompared = 64;
constexpr std::size_t kShortestToken = 2;

std::string lowerCase(std::string_view text)
{
    std::string lower(text.substr(0, kLettersCompared));
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

/// Letters to insert, delete or replace (Levenshtein 1966).
std::size_t editDistance(std::string_view name, std::string_view known)
{
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
    return row.back();
}

/// The words between dashes, spaces and underscores: "rtx-4090" has two.
std::vector<std::string_view> tokensOf(std::string_view text)
{
    std::vector<std::string_view> tokens;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("- _."), text.size());
        if (end >= kShortestToken)
            tokens.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tokens;
}

/// Letters of the words that both have.
std::size_t sharedLetters(std::string_view name, std::string_view known)
{
    const std::vector<std::string_view> others = tokensOf(known);
    std::size_t letters = 0;
    for (const std::string_view token : tokensOf(name))
        if (std::find(others.begin(), others.end(), token) != others.end())
            letters += token.size();
    return letters;
}

/// How far two names are apart, by kind of likeness and then within the kind.
using Distance = std::tuple<int, std::size_t, std::size_t>;

Distance distance(const std::string& name, const std::string& known)
{
    if (known.starts_with(name))
        return {0, known.size() - name.size(), 0};
    if (known.find(name) != std::string::npos)
        return {1, known.size() - name.size(), 0};
    const std::size_t edits = editDistance(name, known);
    if (const std::size_t letters = sharedLetters(name, known); letters > 0)
        return {2, kLettersCompared - letters, edits};
    return {3, edits, 0};
}

} // namespace

std::string nearestNames(std::string_view name, const std::vector<std::string>& names, std::size_t most)
{
    const std::string given = lowerCase(name);
    std::vector<std::string> sorted = names;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const std::string& a, const std::string& b) {
        return distance(given, lowerCase(a)) < distance(given, lowerCase(b));
    });
    std::string list;
    // Beside a name that is like it, one that is not is no help.
    const auto kindOf = [&](const std::string& known) { return std::get<0>(distance(given, lowerCase(known))); };
    for (std::size_t i = 0; i < std::min(most, sorted.size()) && kindOf(sorted[i]) == kindOf(sorted[0]); ++i)
        list += (i ? ", " : "") + sorted[i];
    return list;
}

} // namespace remat
