// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/log_list_model.h"

namespace remat::ui {

LogListModel::LogListModel(QObject* parent) : RowTableModel(&LogListModel::columns, parent) { }

LogListModel::Columns LogListModel::columns()
{
    using R = LogRow;
    return {
        {tr("time"), [](const R& r) { return r.time.toString(QStringLiteral("HH:mm:ss")); },
            [](const R& r) { return QVariant(r.time); }, false, [](const R&) { return CellTone::Muted; }},
        {tr("text"), [](const R& r) { return r.text; }, {}, false,
            [](const R& r) { return r.isError ? CellTone::Bad : CellTone::Normal; }, [](const R& r) { return r.text; }},
    };
}

} // namespace remat::ui
