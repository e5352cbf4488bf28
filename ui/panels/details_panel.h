// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <array>
#include <vector>

#include "ui/painters/grid_view.h"
#include "ui/panels/card.h"
#include "ui/widgets/frame_pace.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace remat::ui {

class AliveTableModel;
class ExplorerState;
class GroupHeading;
class TableView;
class TensorTableModel;
struct TensorRow;

/// What stands behind the selected cell, and why: its tensors, what recomputing them buys, what sets the peak term by
/// term, what more and less budget would change, and the three buttons that pin it.  While an instant of the step is
/// looked at, all that is alive then stands in the place of the cell's tensors.
class DetailsPanel : public Card {
    Q_OBJECT
public:
    DetailsPanel(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    /// The paragraphs as shown; for tests and accessibility.
    QString whyText() const;

    /// Brings what sets the peak into view.
    void showWhy();

    /// Shows the newest answer now; a picture is about to be taken.
    void refresh() { showDetails(); }

private:
    static constexpr int kParagraphs = 4;

    void showDetails();
    void showCell();
    void showRegions();
    void showTable(const std::vector<TensorRow>& rows);
    void showTexts(const std::array<QString, kParagraphs>& texts);
    void showInstant(int instruction);
    void selectAlive(int row);
    void pin(Pin wish);
    QString whySelected() const;
    QString whatSetsThePeak() const;
    QString whatMoreBudgetBuys() const;
    QString whatLessBudgetCosts() const;

    ExplorerState& m_state;
    FramePace m_pace;
    QLabel* m_title;
    QLabel* m_subtitle;
    TensorTableModel* m_tensors;
    TableView* m_table;
    AliveTableModel* m_alive;
    TableView* m_aliveTable;
    QToolButton* m_leaveInstant;
    QScrollArea* m_scroll;
    GroupHeading* m_headings[kParagraphs];
    QLabel* m_texts[kParagraphs];
    QPushButton* m_buttons[3];
};

} // namespace remat::ui
