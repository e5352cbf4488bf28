// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/grid_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/state/explorer_state.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/theme/format.h"

namespace remat::ui {

GridCard::GridCard(ExplorerState& state, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_state(state),
      m_title(new QLabel(tr("What is kept, layer by layer"))),
      m_group(new QCheckBox(tr("&group equal layers"))),
      m_metric(new QComboBox),
      m_grid(new GridWidget(theme))
{
    m_title->setProperty("role", QStringLiteral("title"));
    m_group->setObjectName(QStringLiteral("groupEqualLayers"));
    m_group->setToolTip(
        tr("Neighbouring layers with the same decisions become one column; edits then act on all of them."));
    m_metric->setObjectName(QStringLiteral("metric"));
    m_metric->setAccessibleName(tr("What a cell's fill means"));
    m_metric->addItems({tr("bytes"), tr("FLOPs"), tr("recompute time"), tr("bytes per \u00b5s")});
    m_grid->setObjectName(QStringLiteral("grid"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_group);
    head->addWidget(m_metric);
    rows().addLayout(head);
    rows().addWidget(m_grid, 1);

    m_grid->setToolTipProvider([this](const GridPlace& place) { return toolTipOf(place); });
    connect(m_grid, &GridWidget::cellSelected, &m_state, [this](GridPlace place) { m_state.setSelection(place); });
    connect(m_grid, &GridWidget::rowToggled, &m_state, [this](int row, bool isOpen) {
        const auto rows = gridRows(m_state.answer()->shown->plan.step->tape.kinds[1]);
        m_state.setRowOpen(static_cast<int>(rows[static_cast<std::size_t>(row)].sublayer), isOpen);
    });
    connect(m_grid, &GridWidget::pinRequested, &m_state, [this](int row, int first, int last, Pin pin) {
        const StepTape& tape = m_state.answer()->shown->plan.step->tape;
        m_state.setPin(withPin(m_state.inputs().pins, tape, row, first, last, pin),
            pin == Pin::None ? tr("release pin") : tr("pin"));
    });
    connect(m_grid, &GridWidget::groupedChanged, m_group, [this](bool isGrouped) {
        const QSignalBlocker blocker(m_group);
        m_group->setChecked(isGrouped);
    });
    connect(m_group, &QCheckBox::toggled, m_grid,
        [this](bool isChecked) { m_grid->setGrouping(isChecked ? LayerGrouping::Always : LayerGrouping::Never); });
    connect(m_metric, &QComboBox::currentIndexChanged, &m_state,
        [this](int index) { m_state.setMetric(static_cast<GridMetric>(index)); });
    connect(&m_state, &ExplorerState::answerChanged, this, &GridCard::showGrid);
    connect(&m_state, &ExplorerState::viewChoicesChanged, this, &GridCard::showGrid);
    connect(&m_state, &ExplorerState::selectionChanged, m_grid, [this] { m_grid->setSelection(m_state.selection()); });
}

void GridCard::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_grid->setTheme(theme);
}

void GridCard::showGrid()
{
    m_grid->setView(makeGridView(m_state));
    m_grid->setSelection(m_state.selection());
    const QSignalBlocker blocker(m_metric);
    m_metric->setCurrentIndex(static_cast<int>(m_state.metric()));
}

QString GridCard::toolTipOf(const GridPlace& place) const
{
    const GridView& view = m_grid->view();
    const int column = view.columnOf(place.layer);
    if (column < 0 || place.row < 0 || place.row >= view.rowCount())
        return {};
    const bool isWhole = view.columns[static_cast<std::size_t>(column)].isWhole;
    const GridCell& cell = view.cell(isWhole ? 0 : place.row, column);
    const NumberFormat format;
    QStringList lines;
    const QString where = placeTitle(m_state.answer()->shown->plan.step->tape, place.layer);
    lines << (isWhole ? where
                      : where + QStringLiteral(" \u00b7 ") + view.rows[static_cast<std::size_t>(place.row)].label);
    lines << tr("kept %1 of %2").arg(format.bytes(cell.kept), format.bytes(cell.all));
    lines << tr("forward and backward %1").arg(format.flops(cell.flops));
    if (cell.recomputeTime.value > 0)
        lines << tr("recomputing takes %1").arg(format.duration(cell.recomputeTime));
    else if (cell.recomputeTimeOfAll.value > 0)
        lines << tr("dropping all of it would take %1").arg(format.duration(cell.recomputeTimeOfAll));
    if (cell.pin != Pin::None)
        lines << (cell.pin == Pin::Keep ? tr("pinned by you: keep") : tr("pinned by you: recompute"));
    return lines.join(u'\n');
}

} // namespace remat::ui
