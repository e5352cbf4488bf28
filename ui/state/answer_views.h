// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "ui/charts/layer_bars_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/charts/tradeoff_chart.h"
#include "ui/painters/ruler_view.h"
#include "ui/painters/verdict_painter.h"
#include "ui/state/explorer_state.h"
#include "ui/tables/alive_table_model.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/tensor_table_model.h"

namespace remat::ui {

/// Views of the current answer, each filled from what core computed; every function needs an answer with a plan.
VerdictView makeVerdictView(const ExplorerState& state);
RulerView makeRulerView(const ExplorerState& state);
TradeoffView makeTradeoffView(const ExplorerState& state);
LayerBarsView makeLayerBarsView(const ExplorerState& state);
/// The predicted side of the timeline; the measured one belongs to a run.
TimelineView makeTimelineView(const ExplorerState& state);
std::vector<StrategyRow> makeStrategyRows(const ExplorerState& state);
/// One of them; one that has neither a plan nor a problem is being computed.
StrategyRow strategyRow(const ExplorerState& state, const ComparedStrategy& compared);
/// The tensors of the selected stage (layer 0 without a selection).
std::vector<TensorRow> makeTensorRows(const ExplorerState& state);
QString strategyTitle(const Strategy& strategy);

/// What is alive at an instruction of the program shown: what is resident throughout, then every buffer.
std::vector<AliveRow> makeAliveRows(const ExplorerState& state, int instruction);
/// "12.3 ms, layer 3, backward of gelu": an instant by its name.
QString instantTitle(const ExplorerState& state, int instruction);

/// Times of the selected stage's work in the step: forward and backward.
std::vector<TimelineSpan> spansOfStage(const ShownPlan& shown, int stage);

} // namespace remat::ui
