// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/grid_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include "ui/state/explorer_state.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
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
    m_metric->setToolTip(
        tr("What a cell's fill means: kept bytes, work, the time that recomputing takes, or the bytes that "
           "recomputing frees in each microsecond of it."));
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
    connect(m_grid, &GridWidget::rowToggled, this, &GridCard::openRow);
    connect(m_grid, &GridWidget::pinRequested, this, &GridCard::pin);
    connect(m_grid, &GridWidget::contextMenuRequested, this, &GridCard::showMenu);
    connect(m_grid, &GridWidget::cellHovered, &m_state.pointing(), &Pointing::setHover);
    connect(
        &m_state.pointing(), &Pointing::hoverChanged, m_grid, [this] { m_grid->setHover(m_state.pointing().hover()); });
    connect(&m_state.pointing(), &Pointing::instantChanged, this, &GridCard::showLight);
    connect(&m_state.pointing(), &Pointing::litChanged, this, &GridCard::showLight);
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
    showLight();
    const QSignalBlocker blocker(m_metric);
    m_metric->setCurrentIndex(static_cast<int>(m_state.metric()));
}

void GridCard::showLight()
{
    const std::optional<int> instant = m_state.pointing().instant();
    if (!instant || !m_state.answer() || !m_state.answer()->shown)
        return m_grid->setLit(m_state.pointing().lit());
    const ShownPlan& shown = *m_state.answer()->shown;
    m_grid->setLit(placesAlive(shown.program, shown.plan.step->tape, *instant));
}

void GridCard::pin(int row, int firstLayer, int lastLayer, Pin wish)
{
    if (!m_state.answer()->shown)
        return m_state.notice(
            tr("The profile pytorch has no pins: what runs again there are regions, which the planner "
               "chooses."));
    const StepTape& tape = m_state.answer()->shown->plan.step->tape;
    m_state.setPin(withPin(m_state.inputs().pins, tape, row, firstLayer, lastLayer, wish),
        wish == Pin::None ? tr("release pin") : tr("pin"));
}

void GridCard::openRow(int row, bool isOpen)
{
    if (!m_state.answer()->shown)
        return m_state.setRowOpen(openRowKey(static_cast<std::size_t>(row)), isOpen);
    const auto rows = gridRows(m_state.answer()->shown->plan.step->tape.kinds[1]);
    m_state.setRowOpen(static_cast<int>(rows[static_cast<std::size_t>(row)].sublayer), isOpen);
}

void GridCard::showMenu(const GridPlace& place, QPoint at)
{
    const GridView& view = m_grid->shownView();
    const int column = view.columnOf(place.layer);
    if (column < 0)
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("gridMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    using Extent = GridPlace::Extent;
    const auto addPins = [&](const QString& title, Extent extent) {
        const std::optional<GridStretch> cells = stretchOf(view, {place.row, place.layer, extent});
        if (!cells || !m_state.answer()->shown)
            return;
        menu->addSection(title);
        const std::pair<QString, Pin> wishes[]
            = {{tr("Keep"), Pin::Keep}, {tr("Recompute"), Pin::Recompute}, {tr("Let the planner decide"), Pin::None}};
        for (const auto& [name, wish] : wishes)
            menu->addAction(
                name, this, [this, cells, wish = wish] { pin(cells->row, cells->first, cells->last, wish); });
    };
    const GridRow& row = view.rows[static_cast<std::size_t>(place.row)];
    const bool isLayer = view.isLayer(column);
    const QString layer = isLayer ? tr("layer %1").arg(columnLabel(view, column)) : columnLabel(view, column);
    if (isLayer && place.extent == Extent::Cell)
        addPins(QStringLiteral("%1, %2").arg(layer, row.label), Extent::Cell);
    if (place.extent != Extent::Layer && (isLayer || place.extent == Extent::Row))
        addPins(tr("%1, all layers").arg(row.label), Extent::Row);
    if (place.extent != Extent::Row)
        addPins(isLayer ? tr("%1, all of it").arg(layer) : layer, Extent::Layer);
    const int sublayer = row.isTensor() ? row.parent : place.row;
    if (const GridRow& folded = view.rows[static_cast<std::size_t>(sublayer)]; folded.canOpen) {
        if (!menu->isEmpty())
            menu->addSeparator();
        menu->addAction(folded.isOpen ? tr("Fold the tensors of %1").arg(folded.label)
                                      : tr("Show the tensors of %1").arg(folded.label),
            this, [this, sublayer, isOpen = folded.isOpen] { openRow(sublayer, !isOpen); });
    }
    if (menu->isEmpty())
        return menu->deleteLater();
    menu->popup(at);
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
    const QString where = placeTitle(place.layer, view.layerCount);
    lines << (isWhole ? where
                      : where + QStringLiteral(" \u00b7 ") + view.rows[static_cast<std::size_t>(place.row)].label);
    lines << tr("kept %1 of %2").arg(format.bytes(cell.kept), format.bytes(cell.all));
    lines << tr("forward and backward %1").arg(format.flops(cell.flops));
    if (cell.recomputeTime.value > 0)
        lines << tr("recomputing takes %1").arg(format.duration(cell.recomputeTime));
    else if (cell.recomputeTimeOfAll.value > 0)
        lines << tr("dropping all of it would take %1").arg(format.duration(cell.recomputeTimeOfAll));
    if (m_state.answer()->regions)
        lines << regionText(m_state.answer()->regions->plan, place.layer);
    if (cell.pin != Pin::None)
        lines << (cell.pin == Pin::Keep ? tr("pinned by you: keep") : tr("pinned by you: recompute"));
    return lines.join(u'\n');
}

} // namespace remat::ui
