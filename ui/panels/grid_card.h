// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/panels/card.h"
#include "ui/widgets/grid_widget.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace remat::ui {

class ExplorerState;

/// The grid with its title, the switch of what a cell's fill means, and the grouping of equal layers.
class GridCard : public Card {
    Q_OBJECT
public:
    GridCard(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    GridWidget& grid() const { return *m_grid; }
    void setStale(bool isStale) { m_grid->setStale(isStale); }

private:
    void showGrid();
    /// Lights what is alive at the instant that is looked at, or else what another view points out.
    void showLight();
    void pin(int row, int firstLayer, int lastLayer, Pin wish);
    void showMenu(const GridPlace& place, QPoint at);
    void openRow(int row, bool isOpen);
    QString toolTipOf(const GridPlace& place) const;

    ExplorerState& m_state;
    QLabel* m_title;
    QCheckBox* m_group;
    QComboBox* m_metric;
    GridWidget* m_grid;
};

} // namespace remat::ui
