// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <vector>

#include "core/chain/pins.h"
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
QString placeTitle(const StepTape& tape, int layer);

/// The stage that a layer number of the grid stands for (-1: embedding, layer count: head).
int stageOfLayer(const StepTape& tape, int layer);

/// The ops that a cell of the grid stands for: all that can be kept of a sublayer, or one op, or a whole stage.
KeepSet opsOfPlace(const StepTape& tape, const GridPlace& place);

/// The pin that a cell asks for, put into a list of pins in place of what it replaces.
std::vector<remat::Pin> withPin(
    const std::vector<remat::Pin>& pins, const StepTape& tape, int row, int firstLayer, int lastLayer, Pin wish);

} // namespace remat::ui
