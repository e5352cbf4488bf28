// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "core/base/units.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// What a strategy costs on the current model and budget; every figure is for one whole step.
struct StrategyFigures {
    bool fits = false;
    Bytes peak{};
    Bytes saved{};
    Nanoseconds time{};
    double overhead = 0; ///< Extra time as a part of the time without recomputing.
    std::int64_t reruns = 0;
};

/// One strategy of the comparison; without figures it says why it does not apply.
struct StrategyRow {
    QString key;  ///< What selects it, for example "every-2"; never shown.
    QString name; ///< Translated.
    std::optional<StrategyFigures> figures;
    QString notApplicable;  ///< Translated reason, shown when there are no figures; empty: they are still to come.
    bool isCurrent = false; ///< The strategy of the plan that the window shows; its name is bold.
};

/// Strategy, fits, peak, saved, time, overhead, reruns.
class StrategyTableModel : public RowTableModel<StrategyRow> {
    Q_OBJECT
public:
    enum Column { Name, Fits, Peak, Saved, Time, Overhead, Reruns };
    explicit StrategyTableModel(QObject* parent = nullptr);

private:
    static Columns columns();
};

} // namespace remat::ui
