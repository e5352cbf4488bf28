// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/grid_widget.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "core/base/index.h"
#include "ui/painters/grid_marks.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

constexpr int kScrollBarWidth = 10;

} // namespace

GridWidget::GridWidget(const Theme& theme, QWidget* parent)
    : PaintedWidget(theme, parent),
      m_scrollBar(new QScrollBar(Qt::Vertical, this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_scrollBar->hide();
    m_scrollBar->setAccessibleName(tr("Scroll the sublayers"));
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] { relayout(); });
    describe();
}

void GridWidget::setView(const GridView& view)
{
    if (m_view == view)
        return;
    m_view = view;
    m_pointing.lit.clear(); // it was about the rows of another plan
    // Another model may have fewer rows or layers than the one that was pointed at.
    for (std::optional<GridPlace>* place : {&m_pointing.selection, &m_pointing.hover})
        if (*place
            && ((*place)->row >= m_view.rowCount() || (*place)->layer < m_view.firstPlace()
                || (*place)->layer > m_view.lastPlace()))
            place->reset();
    m_pressed.reset();
    setPainting(std::nullopt);
    relayout();
    describe();
    // A result that changed no pixel is still to be recorded as painted.
    update(QRect(0, 0, 1, 1));
}

void GridWidget::setSelection(std::optional<GridPlace> place)
{
    select(place, false);
}

void GridWidget::setHover(std::optional<GridPlace> place)
{
    if (m_pointing.hover == place)
        return;
    update(pointingRegion());
    m_pointing.hover = place;
    update(pointingRegion());
}

void GridWidget::setLit(std::vector<GridPlace> places)
{
    std::erase_if(places, [this](const GridPlace& place) { return place.row < 0 || place.row >= m_view.rowCount(); });
    if (m_pointing.lit == places)
        return;
    m_pointing.lit = std::move(places);
    update();
}

void GridWidget::setGrouping(LayerGrouping grouping)
{
    m_grouping = grouping;
    relayout();
}

void GridWidget::exportTo(QPainter& painter, const QRectF& target) const
{
    painter.save();
    painter.translate(target.topLeft());
    const GridLayout layout = layoutGrid(QRectF(QPointF(), target.size()), m_shown, theme());
    GridPointing pointing = m_pointing;
    pointing.hover.reset();
    pointing.showsMagnifier = false;
    paintGrid(painter, layout, m_shown, pointing, theme());
    painter.restore();
}

QSizeF GridWidget::exportSize() const
{
    const QSizeF size(std::max<double>(width(), theme().px(720)), std::max<double>(height(), theme().px(280)));
    const GridLayout layout = layoutGrid(QRectF(QPointF(), size), m_shown, theme());
    return {size.width(), size.height() + layout.maximumScroll()};
}

QSize GridWidget::sizeHint() const
{
    return {static_cast<int>(theme().px(640)), static_cast<int>(theme().px(320))};
}

QSize GridWidget::minimumSizeHint() const
{
    return {static_cast<int>(theme().px(320)), static_cast<int>(theme().px(140))};
}

void GridWidget::themeChanged()
{
    invalidateGround();
    relayout();
}

void GridWidget::invalidateGround()
{
    m_dirty = QRegion(rect());
    update();
}

void GridWidget::relayout()
{
    const bool wasGrouped = m_isGrouped;
    const GridView oldShown = std::move(m_shown);
    const GridLayout oldLayout = std::move(m_layout);
    QRectF room(rect());
    m_isGrouped = m_grouping == LayerGrouping::Always
        || (m_grouping == LayerGrouping::Automatic
            && ungroupedPitch(room, m_view, theme()) < theme().px(kAutomaticGroupingPitch));
    m_shown = m_isGrouped ? groupEqualLayers(m_view) : m_view;

    const double scroll = m_scrollBar->value();
    m_layout = layoutGrid(room, m_shown, theme(), scroll);
    const bool scrolls = m_layout.maximumScroll() > 0.0;
    if (scrolls) {
        room.setRight(room.right() - kScrollBarWidth - theme().px(4));
        m_layout = layoutGrid(room, m_shown, theme(), scroll);
        const QSignalBlocker blocker(m_scrollBar);
        m_scrollBar->setRange(0, static_cast<int>(m_layout.maximumScroll()));
        m_scrollBar->setPageStep(static_cast<int>(m_layout.viewport.height()));
        m_scrollBar->setSingleStep(static_cast<int>(theme().minimumRowHeight()));
        m_scrollBar->setGeometry(width() - kScrollBarWidth, static_cast<int>(m_layout.viewport.top()), kScrollBarWidth,
            static_cast<int>(m_layout.viewport.height()));
    } else {
        const QSignalBlocker blocker(m_scrollBar);
        m_scrollBar->setRange(0, 0);
    }
    m_scrollBar->setVisible(scrolls);

    const QRegion changed = changedGround(oldLayout, oldShown, m_layout, m_shown, QRectF(rect()), theme());
    m_dirty += changed;
    update(changed);
    if (wasGrouped != m_isGrouped)
        emit groupedChanged(m_isGrouped);
}

void GridWidget::repaintGround(const QRegion& region)
{
    QPainter painter(&m_ground);
    painter.setClipRegion(region);
    painter.fillRect(region.boundingRect(), theme().colour(Role::Panel));
    painter.setBrushOrigin(m_groundOrigin);
    paintGridGround(painter, m_layout, m_shown, theme(), region.boundingRect());
}

void GridWidget::paintContent(QPainter& painter, const QRegion&)
{
    // Whoever reads the drawing instead of its pixels has no use for the ground as a picture.
    if (painter.paintEngine()->type() != QPaintEngine::Raster)
        return paintGrid(painter, m_layout, m_shown, m_pointing, theme());
    const QSize pixels = size() * devicePixelRatioF();
    if (m_ground.size() != pixels || m_groundOrigin != windowOrigin()) {
        m_ground = QPixmap(pixels);
        m_ground.setDevicePixelRatio(devicePixelRatioF());
        m_groundOrigin = windowOrigin();
        m_dirty = QRegion(rect());
    }
    if (!m_dirty.isEmpty())
        repaintGround(m_dirty);
    m_dirty = QRegion();
    painter.drawPixmap(0, 0, m_ground);
    paintGridPointing(painter, m_layout, m_shown, m_pointing, theme());
}

void GridWidget::resizeEvent(QResizeEvent* event)
{
    PaintedWidget::resizeEvent(event);
    relayout();
}

QRegion GridWidget::pointingRegion() const
{
    QRegion region;
    const auto column = [&](const std::optional<GridPlace>& place) {
        const int index = place ? m_shown.columnOf(place->layer) : -1;
        if (index < 0)
            return;
        const GridColumnBox& box = m_layout.columns[static_cast<std::size_t>(index)];
        region += QRectF(
            QPointF(box.left - 4.0, m_layout.header.top()), QPointF(box.right + 4.0, m_layout.viewport.bottom() + 4.0))
                      .toAlignedRect();
    };
    column(m_pointing.selection);
    column(m_pointing.hover);
    for (const std::optional<GridPlace>& place : {m_pointing.selection, m_pointing.hover}) {
        const int shown
            = place && place->extent == GridPlace::Extent::Row ? m_layout.shownIndexOf(m_shown, place->row) : -1;
        if (shown >= 0)
            region += QRectF(m_layout.cellsLeft - 4.0, m_layout.topOf(m_layout.rows[at(shown)]) - 4.0,
                m_layout.cellsRight - m_layout.cellsLeft + 8.0, m_layout.rows[at(shown)].height + 8.0)
                          .toAlignedRect();
    }
    // A bold label may push its neighbours aside.
    if (m_pointing.selection)
        region += m_layout.header.toAlignedRect();
    if (m_pointing.hover)
        region += gridMagnifierRect(m_layout, m_shown, m_pointing.hover->layer, theme())
                      .adjusted(-1, -1, 1, 1)
                      .toAlignedRect();
    return region;
}

void GridWidget::select(std::optional<GridPlace> place, bool isByPerson)
{
    if (place == m_pointing.selection)
        return;
    update(pointingRegion());
    m_pointing.selection = place;
    update(pointingRegion());
    scrollToSelection();
    describe();
    if (isByPerson && place)
        emit cellSelected(*place);
}

void GridWidget::hover(std::optional<GridPlace> place)
{
    if (place == m_pointing.hover)
        return;
    setHover(place);
    emit cellHovered(place);
}

std::optional<GridPlace> GridWidget::placeAt(QPointF point) const
{
    const GridHit hit = m_layout.hitTest(m_shown, theme(), point);
    if (hit.part != GridHit::Part::Cell)
        return std::nullopt;
    const GridColumn& column = m_shown.columns[static_cast<std::size_t>(hit.column)];
    // Inside a run the selected layer stays the selected one.
    const bool isInRun = m_pointing.selection && m_pointing.selection->layer >= column.first
        && m_pointing.selection->layer <= column.last;
    return GridPlace{hit.row, isInRun ? m_pointing.selection->layer : column.first};
}

void GridWidget::moveSelection(int rows, int layers)
{
    if (m_layout.rows.empty() || m_view.columns.empty())
        return;
    if (!m_pointing.selection)
        return select(GridPlace{m_layout.rows.front().row, std::max(0, m_view.firstPlace())}, true);
    GridPlace place = *m_pointing.selection;
    place.extent = GridPlace::Extent::Cell;
    const int shown
        = std::clamp(m_layout.shownIndexOf(m_shown, place.row) + rows, 0, static_cast<int>(m_layout.rows.size()) - 1);
    place.row = m_layout.rows[static_cast<std::size_t>(shown)].row;
    place.layer = std::clamp(place.layer + layers, m_view.firstPlace(), m_view.lastPlace());
    select(place, true);
}

void GridWidget::toggleRow(int row, bool isOpen)
{
    if (row < 0 || row >= m_view.rowCount())
        return;
    const int parent = m_view.rows[static_cast<std::size_t>(row)].parent;
    const int sublayer = parent >= 0 ? parent : row;
    const GridRow& toggled = m_view.rows[static_cast<std::size_t>(sublayer)];
    if (!toggled.canOpen || toggled.isOpen == isOpen)
        return;
    // A tensor that is about to vanish hands the selection to its sublayer.
    if (!isOpen && m_pointing.selection && m_pointing.selection->row != sublayer
        && m_view.rows[static_cast<std::size_t>(m_pointing.selection->row)].parent == sublayer)
        select(GridPlace{sublayer, m_pointing.selection->layer}, true);
    emit rowToggled(sublayer, isOpen);
}

void GridWidget::scrollTo(double scroll)
{
    m_scrollBar->setValue(static_cast<int>(std::clamp(scroll, 0.0, m_layout.maximumScroll())));
}

void GridWidget::scrollToSelection()
{
    const int shown = m_pointing.selection ? m_layout.shownIndexOf(m_shown, m_pointing.selection->row) : -1;
    if (shown < 0)
        return;
    const GridRowBox& row = m_layout.rows[static_cast<std::size_t>(shown)];
    if (row.top < m_layout.scroll)
        scrollTo(row.top);
    else if (row.bottom() > m_layout.scroll + m_layout.viewport.height())
        scrollTo(row.bottom() - m_layout.viewport.height());
}

void GridWidget::describe()
{
    setAccessibleName(tr("What is kept, layer by layer"));
    QString text = tr("No cell selected. Arrow keys select, Space pins.");
    const int column = m_pointing.selection ? m_shown.columnOf(m_pointing.selection->layer) : -1;
    if (column >= 0 && m_pointing.selection->row >= 0 && m_pointing.selection->row < m_shown.rowCount()) {
        const NumberFormat format;
        const GridRow& row = m_shown.rows[at(m_pointing.selection->row)];
        if (m_pointing.selection->extent == GridPlace::Extent::Row)
            text = tr("All layers, %1: kept %2 of %3").arg(row.label, format.bytes(row.kept), format.bytes(row.all));
        else if (m_pointing.selection->extent == GridPlace::Extent::Layer)
            text = tr("Layer %1, all of it").arg(columnLabel(m_shown, column));
    }
    if (column >= 0 && m_pointing.selection->extent == GridPlace::Extent::Cell && m_pointing.selection->row >= 0
        && m_pointing.selection->row < m_shown.rowCount()) {
        const GridCell& cell = m_shown.cell(m_pointing.selection->row, column);
        const NumberFormat format;
        text = tr("Layer %1, %2: kept %3 of %4")
                   .arg(columnLabel(m_shown, column),
                       m_shown.rows[static_cast<std::size_t>(m_pointing.selection->row)].label, format.bytes(cell.kept),
                       format.bytes(cell.all));
    }
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace remat::ui
