// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QSortFilterProxyModel>

namespace remat::ui {

/// Sorts a table by raw values, never by their printed form ("96.0 MiB" would sort after "1.13 GiB").
/// Cells without a value come last in both directions; equal cells keep the model's order.
class TableSorter : public QSortFilterProxyModel {
public:
    explicit TableSorter(QAbstractItemModel* model, QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace remat::ui
