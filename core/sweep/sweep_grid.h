// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace remat {

inline constexpr std::string_view kGridFormat = "remat-grid";
inline constexpr std::int64_t kGridVersion = 1;
/// The most points of one grid: their results stay within what readers of our files accept (kMaxFileBytes).
inline constexpr std::int64_t kMostPoints = 50'000;

/// One value of an axis: the flags of `remat plan` that it sets, without their dashes, and their values as text.
/// {"batch": ["8"]}, or {"model": ["gpt2"], "layers": ["24"]}; a flag without a value has none.
using GridFlags = std::map<std::string, std::vector<std::string>>;

struct GridAxis {
    std::string name;
    std::vector<GridFlags> entries; ///< never empty
};

/// A what-if grid: the product of its axes, each point one command line of `remat plan`.
///
///   {"format": "remat-grid", "version": 1,
///    "axes": {"model": ["gpt2", {"model": "gpt2-medium", "layers": 48}], "batch": [1, 2, 4],
///             "strategy": ["optimal", "full"], "budget": ["8GiB", "16GiB"]},
///    "flags": {"device": "a100-80", "precision": "half", "grads-resident": true}}
///
/// Points that differ in strategy and budget alone form a *study*: one solve answers them all.  Studies are numbered
/// with the batch running fastest, then the sequence, the precision, the device, the model and other axes by name;
/// within a study the budget runs fastest, then the strategy.
class SweepGrid {
public:
    /// Errors: no grid file; an axis that is empty or twice as a flag; more than kMostPoints points.  Whether a flag
    /// and its value exist is for the reader of command lines to say.
    static Result<SweepGrid> parse(std::string_view text, const std::string& where);

    std::int64_t studies() const { return m_studies; }
    std::int64_t pointsOfStudy() const { return static_cast<std::int64_t>(m_strategies.size() * m_budgets.size()); }
    std::int64_t points() const { return m_studies * pointsOfStudy(); }
    const std::vector<GridAxis>& axes() const { return m_axes; }
    /// Values of the axes that one study answers; an axis that the grid lacks has one empty entry.
    const std::vector<std::string>& strategies() const { return m_strategies; }
    const std::vector<std::string>& budgets() const { return m_budgets; }
    /// The flags that the grid itself sets, of every point; a strategy and a budget stand above.
    const GridFlags& commonFlags() const { return m_flags; }

    /// The flags of a study, the grid's own first: {"--model", "gpt2", "--batch", "8"}.
    std::vector<std::string> wordsOf(std::int64_t study) const;
    /// The same for a study that takes of every axis the first entry, but of axis `axis` the entry `entry`: together
    /// these name every value of the grid once.
    std::vector<std::string> wordsOf(std::size_t axis, std::size_t entry) const;

    /// Every flag that an axis sets, in the order of the axes: the first columns of the results.
    const std::vector<std::string>& columns() const { return m_columns; }
    /// The values of these columns at a point, empty where its entries do not set them.
    std::vector<std::string> valuesOf(std::int64_t point) const;
    /// Every value that any entry, or the grid itself, gives to a flag.
    std::vector<std::string> valuesOfFlag(const std::string& flag) const;

    /// The grid's own text, without its white space: what its results quote and its journal belongs to.
    const std::string& text() const { return m_text; }

private:
    std::vector<std::size_t> entriesOf(std::int64_t study) const;
    std::vector<std::string> wordsOf(const std::vector<std::size_t>& entries) const;

    std::vector<GridAxis> m_axes; ///< slowest first; without strategy and budget
    std::vector<std::string> m_strategies, m_budgets;
    bool m_hasStrategies = false, m_hasBudgets = false;
    GridFlags m_flags;
    std::vector<std::string> m_columns;
    std::int64_t m_studies = 1;
    std::string m_text;
};

} // namespace remat
