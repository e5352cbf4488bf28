// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/painters/grid_view.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

/// The grid of the plan shown; pins are the person's current ones.
GridView makeGridView(const ExplorerState& state);
/// Fills the sums over layers, `ends` and `total` of a view that has its cells.
void sumRows(GridView& view);

} // namespace remat::ui
