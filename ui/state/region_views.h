// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "ui/charts/layer_bars_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/painters/ruler_view.h"
#include "ui/painters/verdict_painter.h"
#include "ui/state/explorer_state.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/tensor_table_model.h"

namespace remat::ui {

/// Views of an answer of the profile pytorch (Answer::regions): what answer_views.h, grid_builder.h and why_views.h say
/// of this program's own run.
VerdictView regionVerdict(const ExplorerState& state);
RulerView regionRuler(const ExplorerState& state);
LayerBarsView regionLayerBars(const ExplorerState& state);
TimelineView regionTimeline(const ExplorerState& state);
std::vector<StrategyRow> regionStrategyRows(const ExplorerState& state);
/// What the selected layer saves without any region, and which of it the plan keeps; of one row of the table alone,
/// where one is given.
std::vector<TensorRow> regionTensorRows(const ExplorerState& state, std::optional<int> row = std::nullopt);
GridView regionGrid(const ExplorerState& state);

/// The number by which a document names a module's row as open: behind those of the sublayers.
int openRowKey(std::size_t row);

/// The cell in which an op of the step shown ran; nothing for the optimizer.
std::optional<GridPlace> placeOfEvent(const ShownRegions& shown, int event);
/// When ops of a layer (-1: what stands before them, layer count: behind them) run.
std::vector<TimelineSpan> spansOfLayer(const ShownRegions& shown, int layer);

/// "backward, transformer.h.3.mlp: addmm"
QString eventTitle(const torch::TorchStep& step, int event);
/// What PyTorch does with a layer: "runs attention + ffn again, saving qkv".
QString regionText(const RegionPlan& plan, int layer);
/// Why the selected cell is as it is.
QString whyRegion(const ExplorerState& state);
/// Where the peak is, and a table of what stands there and of the four memory figures (rich text).
QString regionPeakText(const ExplorerState& state);
QString moreRegionBudgetText(const ExplorerState& state);
QString lessRegionBudgetText(const ExplorerState& state);

} // namespace remat::ui
