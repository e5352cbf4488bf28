// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/painters/grid_view.h"
#include "ui/panels/card.h"
#include "ui/widgets/frame_pace.h"

class QLabel;
class QPushButton;

namespace remat::ui {

class ExplorerState;
class GroupHeading;
class TableView;
class TensorTableModel;

/// What stands behind the selected cell, and why: its tensors, what recomputing them buys, what sets the peak, what
/// more budget would buy, and the three buttons that pin it.
class DetailsPanel : public Card {
    Q_OBJECT
public:
    DetailsPanel(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    /// The three paragraphs as shown; for tests and accessibility.
    QString whyText() const;

    /// Shows the newest answer now; a picture is about to be taken.
    void refresh() { showDetails(); }

private:
    void showDetails();
    void pin(Pin wish);
    QString whySelected() const;
    QString whatSetsThePeak() const;
    QString whatMoreBudgetBuys() const;

    ExplorerState& m_state;
    FramePace m_pace;
    QLabel* m_title;
    QLabel* m_subtitle;
    TensorTableModel* m_tensors;
    TableView* m_table;
    GroupHeading* m_headings[3];
    QLabel* m_texts[3];
    QPushButton* m_buttons[3];
};

} // namespace remat::ui
