// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <optional>
#include <span>
#include <vector>

#include "core/chain/pins.h"
#include "core/plan/plan_difference.h"
#include "core/program/program.h"
#include "ui/painters/grid_view.h"

namespace remat::ui {

/// One row of the grid by meaning: a sublayer, or an op of it whose outputs are held together.
struct GridRowMeaning {
    Sublayer sublayer = Sublayer::Attention;
    int op = -1; ///< of the block's tape; -1 for a sublayer
};

/// The rows of a block in forward order, each sublayer followed by its ops that hold something.
std::vector<GridRowMeaning> gridRows(const StageTape& block);

/// Translated names: "attention", "FFN", "norm 1".
QString sublayerTitle(Sublayer sublayer);
/// "Layer 3", "Embedding", "Head and loss".
QString placeTitle(int layer, int layerCount);

/// The stage that a layer number of the grid stands for (-1: embedding, layer count: head).
int stageOfLayer(const StepTape& tape, int layer);

/// The ops that a place of the grid stands for in its layer's stage: all that can be kept of a sublayer, or one op, or
/// a whole stage (row kEveryRow, or the extent of a layer).
KeepSet opsOfPlace(const StepTape& tape, const GridPlace& place);

/// The cells that hold a value that is alive once an instruction of the program has run.
std::vector<GridPlace> placesAlive(const Program& program, const StepTape& tape, int instruction);
/// The cell of an op; nothing where the grid has no row for it.
std::optional<GridPlace> placeOfOp(const StepTape& tape, int stage, int op);

/// The cells of the ops about which two plans of this step decide otherwise; none for ops that it does not have.
std::vector<GridPlace> placesOf(const StepTape& tape, std::span<const OpFlip> flips);

/// The pins with one wish for cells of a row (or of kEveryRow) in place of what they said about them; in as few and as
/// broad pins as say just that: "*.ffn=keep" for a whole row, "L3=keep" for a whole layer.
std::vector<remat::Pin> withPin(
    const std::vector<remat::Pin>& pins, const StepTape& tape, int row, int firstLayer, int lastLayer, Pin wish);

} // namespace remat::ui
