// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QPixmap>
#include <QRegion>
#include <functional>
#include <optional>

#include "ui/painters/grid_painter.h"
#include "ui/widgets/painted_widget.h"

class QScrollBar;

namespace remat::ui {

/// Whether neighbouring equal layers are drawn as one column.
enum class LayerGrouping { Automatic, Always, Never };

/// The sublayer x layer grid, live.
///
/// Click or arrows select (Left / Right always one layer); a row's name or Shift+Space selects the whole row, a layer's
/// number or Ctrl+Space the whole layer.  Space asks for the next pin of what is selected, K, R and A for keep,
/// recompute and automatic; so does a click on a cell's upper right corner, where the pin's dot is, or Ctrl+click
/// anywhere in it; dragging along a row pins every cell passed over like the last one.  + and - (or the triangle, or a
/// double click on the name) open and fold a row.  Rows, pins and results belong to whoever owns the view; selection
/// and hover are shown at once and reported.
///
/// Everything that the mouse does not move is kept in one pixmap; a new view repaints only the cells that changed.
class GridWidget : public PaintedWidget {
    Q_OBJECT
public:
    using ToolTip = std::function<QString(const GridPlace& place)>;

    explicit GridWidget(const Theme& theme, QWidget* parent = nullptr);

    /// One column per layer; the widget groups.
    void setView(const GridView& view);
    const GridView& view() const { return m_view; }
    void setSelection(std::optional<GridPlace> place);
    std::optional<GridPlace> selection() const { return m_pointing.selection; }
    /// For highlighting linked to other views.
    void setHover(std::optional<GridPlace> place);
    /// What is alive at an instant; the other cells step back.  Empty: no instant is looked at.
    void setLit(std::vector<GridPlace> places);
    void setGrouping(LayerGrouping grouping);
    LayerGrouping grouping() const { return m_grouping; }
    /// What is drawn now, for the check box beside the grid.
    bool isGrouped() const { return m_isGrouped; }
    void setToolTipProvider(ToolTip provider) { m_toolTip = std::move(provider); }

    /// What is painted: the view with equal layers grouped, and its geometry.
    const GridView& shownView() const { return m_shown; }
    const GridLayout& shownLayout() const { return m_layout; }
    /// Paints the grid into a rectangle of any device, laid out anew for it, without a mouse.
    void exportTo(QPainter& painter, const QRectF& target) const;
    /// As wide as on screen, and so high that no row has to scroll.
    QSizeF exportSize() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void cellSelected(remat::ui::GridPlace place);
    /// Nothing when the mouse leaves the cells.
    void cellHovered(std::optional<remat::ui::GridPlace> place);
    /// `row` may be kEveryRow.
    void pinRequested(int row, int firstLayer, int lastLayer, remat::ui::Pin pin);
    void rowToggled(int row, bool isOpen);
    void contextMenuRequested(remat::ui::GridPlace place, QPoint globalPosition);
    void groupedChanged(bool isGrouped);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void paintContent(QPainter& painter, const QRegion& exposed) override;
    quint64 shownGeneration() const override { return m_view.generation; }
    void themeChanged() override;

private:
    /// Groups, lays out, and marks what differs from what is painted.
    void relayout();
    void repaintGround(const QRegion& region);
    void invalidateGround();
    void select(std::optional<GridPlace> place, bool isByPerson);
    void hover(std::optional<GridPlace> place);
    std::optional<GridPlace> placeAt(QPointF point) const;
    /// What a press or a context menu at a point is about: a cell, a row by its name, a layer by its number.
    std::optional<GridPlace> placeOfPress(QPointF point) const;
    bool isOnPinCorner(QPointF point) const;
    QRegion pointingRegion() const;
    void moveSelection(int rows, int layers);
    void requestNextPin();
    void selectExtent(GridPlace::Extent extent);
    /// Pins what is selected.
    void requestPin(Pin pin);
    void paintTo(QPointF point);
    void setPainting(std::optional<GridStretch> cells);
    void toggleRow(int row, bool isOpen);
    void scrollTo(double scroll);
    void scrollToSelection();
    void describe();

    GridView m_view, m_shown;
    GridLayout m_layout;
    GridPointing m_pointing;
    LayerGrouping m_grouping = LayerGrouping::Automatic;
    bool m_isGrouped = false;
    Pin m_brush = Pin::Keep;            ///< the last pin that was asked for: what a drag paints
    std::optional<GridPlace> m_pressed; ///< the cell where the button went down
    bool m_pinsOnRelease = false;       ///< it went down where a click pins
    ToolTip m_toolTip;
    QScrollBar* m_scrollBar;

    QPixmap m_ground;
    QRegion m_dirty;        ///< of m_ground, logical pixels
    QPointF m_groundOrigin; ///< window corner that the ground's hatch was painted for
};

} // namespace remat::ui
