// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <vector>

#include <QTableView>

#include "ui/theme/theme.h"

namespace remat::ui {

class TableSorter;

/// How all tables of the window look and behave: whole rows, figures to the right, no grid, sorted by raw values (third
/// click on a header: the model's own order), Ctrl+C copies the selected rows with their header as tab-separated text.
/// The model is one of this folder's; rows are told to the outside by their number in the model.
class TableView : public QTableView {
    Q_OBJECT
public:
    TableView(QAbstractItemModel* model, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// The column that takes the width which is left; the first unless told.
    void setStretchColumn(int column);
    /// Columns that vanish, the first one first, while the view is too narrow for every text in full; Copy has them
    /// all.
    void setColumnsThatGiveWay(std::vector<int> columns);
    /// Shown instead of rows while there are none.
    void setEmptyText(const QString& text);

    /// For a log: new rows scroll into view as long as the end is in view.
    void setFollowsEnd(bool isFollowing) { m_followsEnd = isFollowing; }

    /// Header and selected rows; all rows when none is selected.
    QString selectionAsTsv() const;
    void copySelection() const;

    int modelRow(const QModelIndex& index) const;
    void selectModelRow(int row);

signals:
    /// The person moved to a row (not: selectModelRow).
    void rowChosen(int modelRow);
    /// The mouse is over a row; -1: over none.
    void rowHovered(int modelRow);
    /// Double click or Enter.
    void rowActivated(int modelRow);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void scheduleFitting();
    void fitColumns();
    std::vector<int> widthsFor(int viewportWidth) const;
    void spanReasons();

    TableSorter* m_sorter;
    Theme m_theme;
    QString m_emptyText;
    int m_stretchColumn = 0;
    std::vector<int> m_givingWay;
    std::vector<int> m_wanted; ///< By column: the widest text so far, or what the person chose.
    std::vector<bool> m_isChosen;
    bool m_isFitting = false;
    bool m_isFittingScheduled = false;
    bool m_isSelectingByCode = false;
    bool m_followsEnd = false;
    bool m_isAtEnd = true;
};

} // namespace remat::ui
