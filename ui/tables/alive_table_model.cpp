// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/alive_table_model.h"

#include "ui/theme/format.h"

namespace remat::ui {

AliveTableModel::AliveTableModel(QObject* parent) : RowTableModel(&AliveTableModel::columns, parent) { }

AliveTableModel::Columns AliveTableModel::columns()
{
    const auto tip = [](const AliveRow& r) { return QStringLiteral("%1: %2").arg(r.name, r.why); };
    return {
        {tr("alive"), [](const AliveRow& r) { return r.name; }, {}, false, {}, tip, {}, {}},
        {tr("bytes"), [](const AliveRow& r) { return NumberFormat().bytes(r.bytes); },
            [](const AliveRow& r) { return QVariant(qlonglong(r.bytes.value)); }, true, {}, tip, {}, {}},
        {tr("share"), [](const AliveRow& r) { return NumberFormat().number(100 * r.share) + QStringLiteral(" %"); },
            [](const AliveRow& r) { return QVariant(r.share); }, true, {}, tip, {}, {}},
        {tr("why"), [](const AliveRow& r) { return r.why; }, {}, false, [](const AliveRow&) { return CellTone::Muted; },
            tip, {}, {}},
    };
}

} // namespace remat::ui
