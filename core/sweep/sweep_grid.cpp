// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_grid.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr MessageCode kEmptyAxis{
    "grid-axis-empty", REMAT_TR("The axis has no values."), REMAT_TR("List at least one, or leave the axis out.")};
constexpr MessageCode kNoValue{"grid-value", REMAT_TR("{0} is no value of a flag."),
    REMAT_TR("Use a text, a number, or a group of flags such as {1}.")};
constexpr MessageCode kGroupNotHere{"grid-group-not-here", REMAT_TR("The axis \"{0}\" takes single values only."),
    REMAT_TR("Give groups of flags to the axis \"model\", or to one of another name.")};
constexpr MessageCode kOwnFlag{"grid-flag-of-sweep", REMAT_TR("The flag --{0} belongs to the whole sweep."),
    REMAT_TR("Leave it out here; \"remat sweep --help\" lists the sweep's own flags.")};
constexpr MessageCode kTwice{
    "grid-flag-twice", REMAT_TR("Both {1} and this axis set the flag --{0}."), REMAT_TR("Let one of them set it.")};
constexpr MessageCode kTooManyPoints{"grid-too-large", REMAT_TR("The grid has more than {0} points."),
    REMAT_TR("Shorten an axis, or cut the grid in two.")};

constexpr const char* kGroup = R"({"model": "gpt2", "layers": 24})";
constexpr std::size_t kMostEntries = 10'000;
/// What the sweep decides itself for all points.
constexpr std::array<const char*, 3> kSweepFlags{"json", "out", "help"};
/// From the slowest axis to the fastest; others stand, by name, before these.
constexpr std::array<const char*, 5> kOrder{"model", "device", "precision", "seq", "batch"};

std::size_t placeOf(const std::string& axis)
{
    const auto found = std::find(kOrder.begin(), kOrder.end(), axis);
    return found == kOrder.end() ? 0 : 1 + static_cast<std::size_t>(found - kOrder.begin());
}

/// A text, a number as JSON writes it, or a switch that is on; nothing (a recorded mistake) otherwise.
std::vector<std::string> readValue(const JsonCursor& at)
{
    const json& value = at.raw();
    if (value.is_string())
        return {value.get<std::string>()};
    if (value.is_number())
        return {jsonText(value)};
    if (!value.is_boolean() || !value.get<bool>())
        at.fail(kNoValue, {shownJson(value), std::string(kGroup)});
    return {};
}

void checkFlag(const JsonCursor& at, const std::string& flag)
{
    if (std::find(kSweepFlags.begin(), kSweepFlags.end(), flag) != kSweepFlags.end())
        at.fail(kOwnFlag, {flag});
}

GridFlags readFlags(const JsonCursor& at)
{
    GridFlags flags;
    if (!at.raw().is_object()) {
        at.fail(kNoValue, {shownJson(at.raw()), std::string(kGroup)});
        return flags;
    }
    for (const auto& [flag, value] : at.raw().items()) {
        checkFlag(at[flag], flag);
        if (!value.is_array()) {
            flags[flag] = readValue(at[flag]);
            continue;
        }
        if (value.empty())
            at[flag].fail(kEmptyAxis);
        for (const JsonCursor& element : at[flag].elements(kMostEntries))
            for (std::string& text : readValue(element))
                flags[flag].push_back(std::move(text));
    }
    return flags;
}

GridAxis readAxis(const JsonCursor& at, const std::string& name)
{
    GridAxis axis{name, {}};
    checkFlag(at, name);
    for (const JsonCursor& element : at.elements(kMostEntries))
        axis.entries.push_back(element.raw().is_object() ? readFlags(element) : GridFlags{{name, readValue(element)}});
    if (axis.entries.empty())
        at.fail(kEmptyAxis);
    return axis;
}

/// The values of an axis that takes no groups.
std::vector<std::string> readSingles(const JsonCursor& at, const std::string& name)
{
    std::vector<std::string> values;
    for (const JsonCursor& element : at.elements(kMostEntries)) {
        if (element.raw().is_object())
            element.fail(kGroupNotHere, {name});
        else if (std::vector<std::string> value = readValue(element); value.empty())
            element.fail(kNoValue, {shownJson(element.raw()), std::string(kGroup)});
        else
            values.push_back(std::move(value.front()));
    }
    if (values.empty())
        at.fail(kEmptyAxis);
    return values;
}

void append(std::vector<std::string>& words, const GridFlags& flags)
{
    for (const auto& [flag, values] : flags) {
        if (values.empty())
            words.push_back("--" + flag);
        for (const std::string& value : values) {
            words.push_back("--" + flag);
            words.push_back(value);
        }
    }
}

/// No two places may set one flag: a command line with both would be refused at every point.
void checkOwners(const JsonCursor& axesAt, const GridFlags& fixed, const std::vector<GridAxis>& axes)
{
    std::map<std::string, std::string> owners;
    for (const auto& [flag, values] : fixed)
        owners[flag] = "\"flags\"";
    for (const GridAxis& axis : axes)
        for (const GridFlags& entry : axis.entries)
            for (const auto& [flag, values] : entry) {
                const auto [owner, isNew] = owners.try_emplace(flag, "\"" + axis.name + "\"");
                if (!isNew && owner->second != "\"" + axis.name + "\"")
                    axesAt[axis.name].fail(kTwice, {flag, owner->second});
            }
}

} // namespace

Result<SweepGrid> SweepGrid::parse(std::string_view text, const std::string& where)
{
    const Result<json> document = parseJson(text, where);
    if (!document)
        return document.error();
    const JsonCursor root(*document, where);
    root.requireFormat(kGridFormat, kGridVersion);
    SweepGrid grid;
    grid.m_text = jsonText(*document);
    if (root.failed())
        return root.error();
    const JsonCursor axesAt = root["axes"];
    if (!axesAt.raw().is_object())
        axesAt.fail(kNoValue, {shownJson(axesAt.raw()), std::string(R"({"batch": [1, 2, 4]})")});
    if (root.failed())
        return root.error();
    std::vector<GridAxis> all;
    for (const auto& [name, entries] : axesAt.raw().items()) {
        if (name == "strategy" || name == "budget") {
            const bool isStrategy = name == "strategy";
            (isStrategy ? grid.m_strategies : grid.m_budgets) = readSingles(axesAt[name], name);
            (isStrategy ? grid.m_hasStrategies : grid.m_hasBudgets) = true;
            all.push_back({name, {GridFlags{{name, {}}}}});
        } else {
            grid.m_axes.push_back(readAxis(axesAt[name], name));
            all.push_back(grid.m_axes.back());
        }
    }
    if (root.has("flags"))
        grid.m_flags = readFlags(root["flags"]);
    checkOwners(axesAt, grid.m_flags, all);
    // What "flags" says of these two is the one value of their axis.
    for (const auto& [name, values] : {std::pair{"strategy", &grid.m_strategies}, {"budget", &grid.m_budgets}})
        if (const auto fixed = grid.m_flags.find(name); fixed != grid.m_flags.end()) {
            if (const JsonCursor at = root["flags"][name]; fixed->second.size() != 1)
                at.fail(kNoValue, {shownJson(at.raw()), std::string(kGroup)});
            *values = fixed->second;
            grid.m_flags.erase(fixed);
        } else if (values->empty()) {
            values->emplace_back();
        }
    std::stable_sort(grid.m_axes.begin(), grid.m_axes.end(),
        [](const GridAxis& a, const GridAxis& b) { return placeOf(a.name) < placeOf(b.name); });
    for (const GridAxis& axis : grid.m_axes)
        if (!root.failed() && grid.m_studies <= kMostPoints)
            grid.m_studies *= static_cast<std::int64_t>(axis.entries.size());
    if (!root.failed()
        && (grid.m_studies > kMostPoints || grid.pointsOfStudy() > kMostPoints || grid.points() > kMostPoints))
        axesAt.fail(kTooManyPoints, {kMostPoints});
    if (root.failed())
        return root.error();
    for (const GridAxis& axis : grid.m_axes)
        for (const GridFlags& entry : axis.entries)
            for (const auto& [flag, values] : entry)
                if (std::find(grid.m_columns.begin(), grid.m_columns.end(), flag) == grid.m_columns.end())
                    grid.m_columns.push_back(flag);
    if (grid.m_hasStrategies)
        grid.m_columns.emplace_back("strategy");
    if (grid.m_hasBudgets)
        grid.m_columns.emplace_back("budget");
    return grid;
}

std::vector<std::size_t> SweepGrid::entriesOf(std::int64_t study) const
{
    std::vector<std::size_t> entries(m_axes.size());
    for (std::size_t i = m_axes.size(); i-- > 0;) {
        const auto count = static_cast<std::int64_t>(m_axes[i].entries.size());
        entries[i] = static_cast<std::size_t>(study % count);
        study /= count;
    }
    return entries;
}

std::vector<std::string> SweepGrid::wordsOf(const std::vector<std::size_t>& entries) const
{
    std::vector<std::string> words;
    append(words, m_flags);
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        append(words, m_axes[i].entries[entries[i]]);
    return words;
}

std::vector<std::string> SweepGrid::wordsOf(std::int64_t study) const
{
    return wordsOf(entriesOf(study));
}

std::vector<std::string> SweepGrid::wordsOf(std::size_t axis, std::size_t entry) const
{
    std::vector<std::size_t> entries(m_axes.size(), 0);
    entries[axis] = entry;
    return wordsOf(entries);
}

std::vector<std::string> SweepGrid::valuesOf(std::int64_t point) const
{
    const std::vector<std::size_t> entries = entriesOf(point / pointsOfStudy());
    const std::int64_t within = point % pointsOfStudy();
    const auto budgets = static_cast<std::int64_t>(m_budgets.size());
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        for (const auto& [flag, texts] : m_axes[i].entries[entries[i]]) {
            values[flag] = texts.empty() ? "true" : texts.front();
            for (std::size_t t = 1; t < texts.size(); ++t)
                values[flag] += " " + texts[t];
        }
    // Without an axis of their own they may stand in a group.
    if (m_hasStrategies)
        values["strategy"] = m_strategies[static_cast<std::size_t>(within / budgets)];
    if (m_hasBudgets)
        values["budget"] = m_budgets[static_cast<std::size_t>(within % budgets)];
    std::vector<std::string> row;
    for (const std::string& column : m_columns)
        row.push_back(values[column]);
    return row;
}

std::vector<std::string> SweepGrid::valuesOfFlag(const std::string& flag) const
{
    std::vector<std::string> values;
    const auto add = [&](const GridFlags& flags) {
        if (const auto found = flags.find(flag); found != flags.end())
            values.insert(values.end(), found->second.begin(), found->second.end());
    };
    add(m_flags);
    for (const GridAxis& axis : m_axes)
        for (const GridFlags& entry : axis.entries)
            add(entry);
    return values;
}

} // namespace remat
