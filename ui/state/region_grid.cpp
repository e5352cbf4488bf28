// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// The grid of the profile pytorch: layers and their modules, as core's table of a plan has them.
#include <QCoreApplication>
#include <algorithm>

#include "core/base/index.h"
#include "core/model/families.h"
#include "ui/state/grid_builder.h"
#include "ui/state/region_views.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct RegionGridText {
    Q_DECLARE_TR_FUNCTIONS(RegionGridText)
};

/// Rows of sublayers are named by small numbers in documents.
constexpr int kFirstModuleKey = 100;

GridCell cellOf(const ModuleCell& from)
{
    GridCell cell;
    cell.kept = from.kept;
    cell.all = std::max(from.kept, from.all); // what only a region wants is more than everything without
    cell.isRecomputed = from.kept < from.all;
    cell.flops = from.flops;
    cell.recomputedFlops = from.recomputed;
    cell.recomputeTime = from.again;
    cell.recomputeTimeOfAll = from.forward;
    return cell;
}

/// The module's name; inside a child of the layer, its path from there.
QString labelOf(const RegionTable& table, const ModuleRow& row)
{
    if (row.parent < 0)
        return row.module.empty() ? RegionGridText::tr("layer itself") : QString::fromStdString(row.module);
    const std::string& parent = table.rows[at(row.parent)].module;
    return row.module == parent ? RegionGridText::tr("%1 itself").arg(QString::fromStdString(parent))
                                : QString::fromStdString(row.module.substr(parent.size() + 1));
}

GridPlace placeOfModule(const ShownRegions& shown, const std::string& module)
{
    const ModelShape& shape = shown.plan.request.shape;
    if (const std::optional<ModulePlace> place = placeOf(shown.table, shape, module))
        return GridPlace{static_cast<int>(place->row), static_cast<int>(place->layer)};
    const std::string_view embedding = modulePathsOf(shape).embedding;
    const bool isEmbedding = !module.empty() && std::string_view(module).starts_with(embedding);
    return GridPlace{0, isEmbedding ? -1 : static_cast<int>(shown.table.layers)};
}

} // namespace

std::optional<GridPlace> placeOfEvent(const ShownRegions& shown, int event)
{
    const torch::Event& ran = shown.planned.events[at(event)];
    if (ran.phase == torch::Phase::Optimizer)
        return std::nullopt;
    return placeOfModule(shown, shown.planned.modulePaths[at(ran.module)]);
}

std::vector<TimelineSpan> spansOfLayer(const ShownRegions& shown, int layer)
{
    std::vector<TimelineSpan> spans;
    std::vector<std::optional<int>> layers;
    for (const std::string& path : shown.planned.modulePaths)
        layers.push_back(placeOfModule(shown, path).layer);
    bool isInside = false;
    for (std::size_t i = 0; i < shown.instants.size(); ++i) {
        const torch::Event& ran = shown.planned.events[i];
        const bool isIts = ran.phase != torch::Phase::Optimizer && layers[at(ran.module)] == layer;
        if (isIts && !isInside)
            spans.push_back({shown.instants[i].at, shown.instants[i].at});
        else if (isInside)
            spans.back().end = shown.instants[i].at;
        isInside = isIts;
    }
    return spans;
}

int openRowKey(std::size_t row)
{
    return kFirstModuleKey + static_cast<int>(row);
}

GridView regionGrid(const ExplorerState& state)
{
    const ShownRegions& shown = *state.answer()->regions;
    const RegionTable& table = shown.table;
    GridView view;
    view.layerCount = static_cast<int>(table.layers);
    view.metric = state.metric();
    view.generation = state.answer()->generation;
    view.columns.push_back({-1, -1, RegionGridText::tr("embedding"), true});
    for (int layer = 0; layer < view.layerCount; ++layer)
        view.columns.push_back({layer, layer, {}, false});
    view.columns.push_back({view.layerCount, view.layerCount, RegionGridText::tr("head"), true});
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        GridRow row;
        row.label = labelOf(table, table.rows[r]);
        row.parent = table.rows[r].parent;
        row.canOpen = r + 1 < table.rows.size() && table.rows[r + 1].parent == static_cast<int>(r);
        row.isOpen = row.canOpen && state.isRowOpen(openRowKey(r));
        view.rows.push_back(std::move(row));
    }
    view.ends.label = RegionGridText::tr("embedding, head");
    view.total.label = RegionGridText::tr("step");
    view.cells.resize(view.rows.size() * view.columns.size());
    for (int column = 0; column < view.columnCount(); ++column) {
        if (!view.isLayer(column)) {
            view.cell(0, column) = cellOf(column == 0 ? table.embedding : table.head);
            continue;
        }
        for (int row = 0; row < view.rowCount(); ++row)
            view.cell(row, column) = cellOf(table.cell(at(row), at(column - 1)));
    }
    sumRows(view);
    const torch::PeakPlace& peak = shown.plan.prediction.peakAt;
    if (peak.phase != torch::Phase::Optimizer)
        view.peak = placeOfModule(shown, peak.module);
    return view;
}

} // namespace remat::ui
