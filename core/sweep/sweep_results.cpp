// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_results.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/export/table.h"

namespace remat {

namespace {

using nlohmann::json;

/// The figures of a row in the order of the columns; docs/file-formats.md says what they are.
constexpr std::array<const char*, 14> kFigures{"fits", "fits_device", "peak_bytes", "saved_bytes", "base_bytes",
    "reserved_bytes", "device_bytes", "time_ns", "overhead_ns", "step_ns", "extra_time", "samples_per_second", "class",
    "least_budget_bytes"};

std::string fieldOf(const json& row, const char* key)
{
    const auto found = row.find(key);
    if (found == row.end() || found->is_null())
        return {};
    return found->is_string() ? found->get<std::string>() : jsonText(*found);
}

} // namespace

SweepResults sweepResults(const SweepGrid& grid, const SweepRows& rows)
{
    SweepResults results;
    Table table{grid.columns(), {}};
    table.columns.insert(table.columns.end(), kFigures.begin(), kFigures.end());
    table.columns.emplace_back("problem");
    results.json = "{\n \"format\": \"" + std::string(kSweepFormat)
        + "\",\n \"version\": " + std::to_string(kSweepVersion) + ",\n \"grid\": " + grid.text() + ",\n \"points\": [";
    std::int64_t point = 0;
    for (const std::optional<std::string>& study : rows)
        for (json& row : json::parse(*study)) {
            const std::vector<std::string> values = grid.valuesOf(point);
            std::vector<std::string> fields = values;
            for (const char* figure : kFigures)
                fields.push_back(fieldOf(row, figure));
            const bool isProblem = row.contains("problem") && row["problem"].is_object();
            fields.push_back(isProblem ? fieldOf(row["problem"], "message") : "");
            table.rows.push_back(std::move(fields));
            const bool fits = fieldOf(row, "fits") == "true";
            results.count.fitting += fits ? 1 : 0;
            results.count.onDevice += fits && fieldOf(row, "fits_device") == "true" ? 1 : 0;
            results.count.problems += isProblem ? 1 : 0;
            json flags = json::object();
            for (std::size_t c = 0; c < values.size(); ++c)
                flags[grid.columns()[c]] = values[c];
            row["flags"] = std::move(flags);
            results.json += (point == 0 ? "\n  " : ",\n  ") + jsonText(row);
            ++point;
        }
    results.json += "\n ]\n}\n";
    results.csv = toCsv(table);
    results.count.points = point;
    return results;
}

std::int64_t missingStudies(const SweepRows& rows)
{
    return std::count(rows.begin(), rows.end(), std::nullopt);
}

} // namespace remat
