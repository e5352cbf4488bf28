// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <span>
#include <utility>

#include <QStringList>
#include <QWidget>

#include "ui/charts/chart_frame.h"

class QChart;
class QGraphicsScene;
class QValueAxis;
class QXYSeries;

namespace remat::ui {

class ChartCanvas;

/// A chart as the rest of the window knows it; the charts module behind it is named in this folder only.
///
/// A chart is fed by its adapter's set...View with one plain struct and answers with signals.  Division of work: the
/// module draws the series, ChartFrame the grid and every text, the adapter its marks (rings, labels, handles) on top.
/// Rules measured in Qt Charts 6.4, kept by all adapters: series are updated as whole lists (single points cost 3 ms
/// each at 10,000), bars have no pen (white outlines hide bars under 2 px), no animations, no logarithmic axis, never
/// QChart::setTheme (it resets pens), no OpenGL (it breaks grabbing).
///
/// Mouse and keys common to all: hover shows a readout; dragging over the plot zooms x where the chart allows it,
/// double click and 0 show all again.
class ChartPanel : public QWidget {
    Q_OBJECT
public:
    /// No series has more points, however wide the plot is.
    static constexpr std::size_t kMostPoints = 5000;

    ~ChartPanel() override;

    void setTheme(const Theme& theme);
    /// The old data stays visible, paler, while the new answer is on its way.
    void setStale(bool isStale);
    /// Paints the chart into a rectangle of any device, laid out anew for that size.
    void exportTo(QPainter& painter, const QRectF& target);

    /// What a screen reader is told; also a caption for an exported picture.
    QString summary() const { return accessibleDescription(); }
    QStringList legendTexts() const;
    QStringList readout() const { return m_readout; } ///< The lines of the hover readout; empty when there is none.
    bool isZoomed() const { return m_zoom.has_value(); }
    void resetZoom();

    const ChartFrame& frame() const { return m_frame; }
    const FrameLayout& frameLayout() const { return m_layout; }
    QPointF toWidget(double x, double y) const { return m_layout.toScene(m_frame, x, y); }
    /// What the charts module was given; tests read their facts here.
    QChart& chart() const { return *m_chart; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    ChartPanel(Theme theme, QWidget* parent);

    /// Frame of the current view; `window` is the x range to show when the person has zoomed.
    virtual ChartFrame makeFrame(const std::optional<std::pair<double, double>>& window) const = 0;
    /// Gives the module its lists for the current frame and layout.
    virtual void fillSeries() = 0;
    /// Pens and brushes of the series.
    virtual void colourSeries() = 0;
    /// Bars narrower than 8 px turn to grey haze when smoothed.
    virtual bool isSmooth() const { return true; }
    virtual void paintUnderSeries(QPainter&) { }
    virtual void paintOverSeries(QPainter&) { }
    /// What the chart is called, for a screen reader.
    virtual QString name() const = 0;
    /// One sentence for a chart without data.
    virtual QString emptyText() const = 0;
    virtual QString describe() const = 0;

    /// A press at a point: true when the adapter takes the drag that may follow (moves go to dragTo).
    virtual bool takesPress(const QPointF&) { return false; }
    virtual void dragTo(const QPointF&, bool /*isLast*/) { }
    virtual void clicked(const QPointF&) { }
    virtual QStringList readoutAt(const QPointF&) { return {}; }
    /// The mouse is gone, and with it what it pointed at.
    virtual void pointerLeft() { }
    virtual Qt::CursorShape cursorAt(const QPointF&) const { return Qt::ArrowCursor; }
    /// Arrow keys (-1, +1) and Enter (0); true when used.
    virtual bool keyStep(int) { return false; }

    /// Corner points of the part of a step curve that the frame shows, holding its last value until `end`: what a
    /// screen of this width can tell apart (step_curve.h), at most kMostPoints.
    QList<QPointF> cornersInFrame(std::span<const QPointF> points, double end) const;
    /// Gives a series its points, unless it has them already: the module lays out every point it is given.
    static void showPoints(QXYSeries& series, const QList<QPointF>& points);
    const Theme& theme() const { return m_theme; }
    QValueAxis& xAxis() const { return *m_xAxis; }
    QValueAxis& yAxis() const { return *m_yAxis; }
    void setZoomable(bool isZoomable) { m_isZoomable = isZoomable; }
    void setHasData(bool hasData) { m_hasData = hasData; }
    /// After the view changed: frame, layout, series, summary.
    void rebuild();
    /// After a mark changed: repaint only.
    void repaintMarks();
    /// Moves the readout without a mouse, for keys.
    void showReadoutAt(const QPointF& at);

    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    friend class ChartCanvas;

    void layOut(const QSizeF& size);
    void setRanges();
    void paintGround(QPainter& painter, const QRectF& bounds);
    void paintTop(QPainter& painter);
    void paintReadout(QPainter& painter) const;
    void mousePressed(const QPointF& at);
    void mouseMoved(const QPointF& at, bool isButtonDown);
    void mouseReleased(const QPointF& at);
    void mouseLeft();
    void zoomTo(double from, double to);

    enum class Drag { None, Adapter, Band };

    Theme m_theme;
    ChartFrame m_frame;
    FrameLayout m_layout;
    std::optional<std::pair<double, double>> m_zoom;
    QGraphicsScene* m_scene;
    QChart* m_chart;
    QValueAxis* m_xAxis;
    QValueAxis* m_yAxis;
    ChartCanvas* m_canvas;
    QStringList m_readout;
    QPointF m_pointer;
    QPointF m_pressedAt;
    Drag m_drag = Drag::None;
    bool m_isPressed = false;
    bool m_showsFocus = false; ///< Reached by key: a ring shows where the keys go; a click needs none.
    bool m_isZoomable = false;
    bool m_hasData = false;
};

} // namespace remat::ui
