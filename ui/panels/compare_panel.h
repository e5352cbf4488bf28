// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>
#include <vector>

#include "core/plan/plan_difference.h"
#include "ui/theme/theme.h"
#include "ui/widgets/frame_pace.h"

class QCheckBox;
class QBoxLayout;
class QComboBox;
class QPushButton;
class QToolButton;

namespace remat {
struct RegionPlan;
}

namespace remat::ui {

class CompareTableModel;
class Comparison;
class ExplorerState;
struct CompareRow;
class TableView;

/// Two steps side by side: what each takes and what changes from A to B, and below it the ops about which two plans of
/// one model decide otherwise.
///
/// A and B are any of the plan shown, plans put aside, strategies of the board, and runs.  A decision that is chosen
/// points at its cells in the grid.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    ComparePanel(ExplorerState& state, Comparison& comparison, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Shows what there is now; a picture is about to be taken.
    void refresh();
    TableView& table() const { return *m_table; }
    /// Whether the grid lights the cells about which the two sides decide otherwise.
    QCheckBox& inGrid() const { return *m_inGrid; }
    QComboBox& sideA() const { return *m_a; }
    QComboBox& sideB() const { return *m_b; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill(QComboBox& box, const QString& key, bool mayBeNone) const;
    static QString helpOfA();
    static QString helpOfB();
    static void addWays(std::vector<CompareRow>& rows, const RegionPlan& a, const RegionPlan& b);
    void pointAt(int row);
    void showInGrid();

    ExplorerState& m_state;
    Comparison& m_comparison;
    FramePace m_pace;
    QBoxLayout* m_head;
    QComboBox* m_a;
    QComboBox* m_b;
    QToolButton* m_swap;
    QPushButton* m_aside;
    QCheckBox* m_inGrid;
    std::vector<OpFlip> m_flips; ///< of what is shown
    CompareTableModel* m_rows;
    TableView* m_table;
};

} // namespace remat::ui
