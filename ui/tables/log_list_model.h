// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QTime>

#include "ui/tables/row_table_model.h"

namespace remat::ui {

struct LogRow {
    QTime time;
    QString text;
    bool isError = false;
};

/// Time and text of what the worker and the planner said, oldest first, at most kLimit lines.
class LogListModel : public RowTableModel<LogRow> {
    Q_OBJECT
public:
    static constexpr std::size_t kLimit = 10'000;

    enum Column { Time, Text };
    explicit LogListModel(QObject* parent = nullptr);
    void append(LogRow line) { appendRow(std::move(line), kLimit); }

private:
    static Columns columns();
};

} // namespace remat::ui
