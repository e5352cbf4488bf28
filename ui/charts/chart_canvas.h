// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QGraphicsView>

namespace remat::ui {

class ChartPanel;

/// The view in which a ChartPanel's scene is shown.  It paints nothing of its own and decides nothing: ground, marks
/// and mouse go to the panel.  (QChartView would move the scene and bring its own rubber band.)
class ChartCanvas : public QGraphicsView {
public:
    ChartCanvas(QGraphicsScene* scene, ChartPanel* panel);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void scrollContentsBy(int, int) override { }

private:
    ChartPanel* m_panel;
};

} // namespace remat::ui
