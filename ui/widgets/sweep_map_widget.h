// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "ui/painters/sweep_map_painter.h"
#include "ui/widgets/painted_widget.h"

namespace remat::ui {

/// A sweep's map, live: the point under the mouse or the arrow keys is read out in the line above, a click or Enter
/// chooses it.
class SweepMapWidget : public PaintedWidget {
    Q_OBJECT
public:
    explicit SweepMapWidget(const Theme& theme, QWidget* parent = nullptr);

    void setView(SweepMapView view);
    const SweepMapView& view() const { return m_view; }
    SweepMapLayout shownLayout() const { return layoutSweepMap(room(), m_view, theme()); }
    /// What the line at the top says.
    QString readout() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const remat::SweepPoint& point);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintContent(QPainter& painter, const QRegion& exposed) override;
    quint64 shownGeneration() const override { return 0; }

private:
    QRectF room() const;
    double headHeight() const;
    void point(std::optional<QPoint> cell);
    void move(QPoint by);

    SweepMapView m_view;
    std::optional<QPoint> m_cell; ///< under the mouse, or where the keys are
};

} // namespace remat::ui
