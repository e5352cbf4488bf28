// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include "core/plan/plan_difference.h"
#include "core/run/step_figures.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// One line of a comparison: a figure of both sides, or an op about which they decide otherwise.
struct CompareRow {
    QString what; ///< Translated.
    QString a, b; ///< an en dash where a side has none
    QString change;
    CellTone tone = CellTone::Normal; ///< of the change: Good where B is cheaper
    std::optional<OpFlip> flip;       ///< of a decision
};

/// What, A, B, change: always both sides, and a change only where both are known.
class CompareTableModel : public RowTableModel<CompareRow> {
    Q_OBJECT
public:
    enum Column { What, A, B, Change };
    explicit CompareTableModel(QObject* parent = nullptr);

    static CompareRow figureRow(const FigurePair& pair);
    /// `where`: the stages of the flip by name.
    static CompareRow flipRow(const OpFlip& flip, const QString& where);

private:
    static Columns columns();
};

} // namespace remat::ui
