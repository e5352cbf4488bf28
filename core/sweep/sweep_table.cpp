// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_table.h"

#include <algorithm>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/sweep/sweep_results.h"

namespace remat {

namespace {

constexpr MessageCode kOtherPoints{"sweep-points-differ",
    REMAT_TR("The grid in the file has {0} points; these are {1}."),
    REMAT_TR("Write the results again: remat sweep GRID, or --gather.")};
constexpr MessageCode kOtherFlags{"sweep-flags-differ", REMAT_TR("The grid in the file says {0} here."),
    REMAT_TR("Write the results again: remat sweep GRID, or --gather.")};

std::optional<double> numberOf(const JsonCursor& at, const char* key)
{
    return at.has(key) && !at[key].isNull() ? std::optional(at[key].number()) : std::nullopt;
}

std::optional<Bytes> bytesOf(const JsonCursor& at, const char* key)
{
    return at.has(key) ? at[key].optionalBytes() : std::nullopt;
}

SweepPoint readPoint(const JsonCursor& at)
{
    SweepPoint point;
    point.fits = at["fits"].boolean();
    point.peak = bytesOf(at, "peak_bytes");
    point.leastBudget = bytesOf(at, "least_budget_bytes");
    if (at.has("step_ns") && !at["step_ns"].isNull())
        point.step = at["step_ns"].nanoseconds();
    point.extraTime = numberOf(at, "extra_time");
    point.samplesPerSecond = numberOf(at, "samples_per_second");
    if (at.has("problem") && !at["problem"].isNull())
        point.problem = at["problem"]["message"].string();
    return point;
}

} // namespace

std::vector<SweepTable::Axis> SweepTable::axes() const
{
    std::vector<Axis> axes;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        Axis axis{column, {}};
        for (const SweepPoint& point : points)
            if (std::find(axis.values.begin(), axis.values.end(), point.values[column]) == axis.values.end())
                axis.values.push_back(point.values[column]);
        if (axis.values.size() > 1)
            axes.push_back(std::move(axis));
    }
    return axes;
}

GridFlags SweepTable::flagsOf(const SweepPoint& point) const
{
    GridFlags flags = common;
    for (std::size_t column = 0; column < columns.size(); ++column)
        if (!point.values[column].empty())
            flags[columns[column]] = {point.values[column]};
    return flags;
}

Result<SweepTable> parseSweepResults(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    root.requireFormat(kSweepFormat, kSweepVersion);
    const nlohmann::json gridJson = root["grid"].raw();
    if (root.failed())
        return root.error();
    const Result<SweepGrid> grid = SweepGrid::parse(jsonText(gridJson), where + ": grid");
    if (!grid)
        return grid.error();
    SweepTable table;
    table.columns = grid->columns();
    table.common = grid->commonFlags();
    for (const auto& [flag, values] :
        {std::pair("strategy", &grid->strategies()), std::pair("budget", &grid->budgets())})
        if (values->size() == 1 && !values->front().empty())
            table.common[flag] = *values;
    for (const JsonCursor& at : root["points"].elements(static_cast<std::size_t>(kMostPoints))) {
        if (static_cast<std::int64_t>(table.points.size()) >= grid->points())
            break;
        SweepPoint point = readPoint(at);
        point.values = grid->valuesOf(static_cast<std::int64_t>(table.points.size()));
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            if (const JsonCursor flag = at["flags"][table.columns[column]];
                flag.string() != point.values[column] && !root.failed())
                flag.fail(kOtherFlags, {point.values[column]});
        table.points.push_back(std::move(point));
    }
    const auto found = static_cast<std::int64_t>(root["points"].raw().size());
    if (!root.failed() && found != grid->points())
        root["points"].fail(kOtherPoints, {grid->points(), found});
    if (root.failed())
        return root.error();
    return table;
}

} // namespace remat
