// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "core/base/units.h"
#include "ui/painters/grid_view.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// One buffer that is alive at an instant of the step, or the line of what is resident throughout.
struct AliveRow {
    QString name; ///< "layer 3: gelu"
    QString why;  ///< Translated: "kept for the backward", "gradient", ...
    Bytes bytes;
    double share = 0.0;             ///< of what is alive altogether
    std::optional<GridPlace> place; ///< its cell, where it has one
};

/// Buffer, bytes, share, why; largest first.
class AliveTableModel : public RowTableModel<AliveRow> {
    Q_OBJECT
public:
    enum Column { Name, Size, Share, Why };
    explicit AliveTableModel(QObject* parent = nullptr);

private:
    static Columns columns();
};

} // namespace remat::ui
