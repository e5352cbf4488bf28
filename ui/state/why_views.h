// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <span>
#include <vector>

#include "core/plan/explanation.h"
#include "core/plan/plan_difference.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

/// "layer 3", "layers 0–7, 9", "all layers"
QString layersText(const std::vector<int>& layers, std::size_t layerCount);
/// "layers 3, 5–7 and 11": stages by the names that the grid gives them.
QString stagesText(const StepTape& tape, const std::vector<int>& stages);
/// "keep gelu in layers 3–7; recompute qkv in layer 2; 4 more": what a change of plan comes to.  Empty for no flips.
QString flipsText(const StepTape& tape, std::span<const OpFlip> flips);

/// "resident", "kept inside layers", ...
QString peakPartTitle(PeakPart::Kind kind);
/// The peak term by term as a small table in rich text: every part that is not empty, their sum, budget and slack.
QString peakTable(const ExplorerState& state);

/// What a plan of another peak would take: "With 2.13 GiB the step takes +33 % instead of +41 %."; where both read
/// alike "With 2.13 GiB the step takes 0.4 % less." of the step that keeps everything, as far as that can be told.
QString moveSentence(Bytes peak, double thenExtra, double nowExtra);
/// "At 2.13 GiB: +0.6 % time.  It would ...": what the plan would become with more or with less budget; empty while
/// that is not known.
QString moreBudgetText(const ExplorerState& state);
QString lessBudgetText(const ExplorerState& state);

} // namespace remat::ui
