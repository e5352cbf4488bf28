// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/table_sorter.h"

#include "ui/tables/row_table_model.h"

namespace remat::ui {

TableSorter::TableSorter(QAbstractItemModel* model, QObject* parent) : QSortFilterProxyModel(parent)
{
    setSourceModel(model);
    setSortRole(RawValueRole);
    setDynamicSortFilter(true);
}

bool TableSorter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(RawValueRole);
    const QVariant b = right.data(RawValueRole);
    if (a.isValid() && b.isValid())
        return QSortFilterProxyModel::lessThan(left, right);
    // The proxy reverses the comparison for a descending order, so that "last" must be asked the other way round.
    return sortOrder() == Qt::AscendingOrder ? a.isValid() && !b.isValid() : !a.isValid() && b.isValid();
}

} // namespace remat::ui
