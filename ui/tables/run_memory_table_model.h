// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "core/run/peak_report.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// One step of the way from what a model needs to what the machine counted, with the sum so far.
struct RunMemoryRow {
    WaterfallStep step;
    Bytes sum;
};

std::vector<RunMemoryRow> runMemoryRows(const PeakReport& peak);

/// What it is, bytes, sum so far; totals are bold and have a sum alone.
class RunMemoryTableModel : public RowTableModel<RunMemoryRow> {
    Q_OBJECT
public:
    enum Column { Name, Amount, Sum };
    explicit RunMemoryTableModel(QObject* parent = nullptr);
    /// "forward 1.20 GiB as predicted, 1.20 GiB in the pool; backward ...": the peaks of the step's phases; empty of
    /// reports without them.
    static QString phaseText(const PeakReport& peak);

private:
    static QString nameOf(const RunMemoryRow& row);
    static QString tipOf(const RunMemoryRow& row);
    static Columns columns();
};

} // namespace remat::ui
