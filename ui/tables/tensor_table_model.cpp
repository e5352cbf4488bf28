// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/tensor_table_model.h"

#include "ui/theme/format.h"

namespace remat::ui {

TensorTableModel::TensorTableModel(QObject* parent) : RowTableModel(&TensorTableModel::columns, parent) { }

TensorTableModel::Columns TensorTableModel::columns()
{
    using R = TensorRow;
    const auto decision = [](const R& r) {
        if (r.isPinned)
            return r.isKept ? tr("kept, pinned") : tr("recomputed, pinned");
        // What no backward reads is neither kept nor made again.
        return r.isKept ? tr("kept") : r.readBy.isEmpty() ? tr("freed") : tr("recomputed");
    };
    const auto readBy = [](const R& r) { return r.readBy.isEmpty() ? tr("no backward") : r.readBy; };
    const auto readByTone = [](const R& r) { return r.readBy.isEmpty() ? CellTone::Muted : CellTone::Normal; };
    return {
        {tr("tensor"), [](const R& r) { return r.tensor; }},
        {tr("sublayer"), [](const R& r) { return r.sublayer; }},
        {tr("shape"), [](const R& r) { return r.shape; }, {}, false, [](const R&) { return CellTone::Muted; }},
        {tr("size"), [](const R& r) { return NumberFormat().bytes(r.bytes); },
            [](const R& r) { return QVariant(qlonglong(r.bytes.value)); }, true, {}, {}, {}, {}, QStringLiteral("B")},
        {tr("decision"), decision, {}},
        {tr("read in backward by"), readBy, {}, false, readByTone},
        {tr("recompute"), [](const R& r) { return NumberFormat().duration(r.recomputeTime); },
            [](const R& r) { return QVariant(qlonglong(r.recomputeTime.value)); }, true, {}, {}, {}, {},
            QStringLiteral("ns")},
    };
}

} // namespace remat::ui
