// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "ui/painters/batch_map_painter.h"
#include "ui/widgets/painted_widget.h"

namespace remat::ui {

/// The budget x batch map, live: what is under the pointer is read out; a click or Enter takes its batch and its
/// budget, the arrow keys move a cross over the map (a batch, or a fiftieth of the axis).
class BatchMapWidget : public PaintedWidget {
    Q_OBJECT
public:
    explicit BatchMapWidget(const Theme& theme, QWidget* parent = nullptr);

    void setView(BatchMapView view);
    const BatchMapView& view() const { return m_view; }
    BatchMapLayout shownLayout() const { return layoutBatchMap(room(), m_view, theme()); }
    /// What the line at the top says.
    QString readout() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(qint64 batch, remat::Bytes budget);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintContent(QPainter& painter, const QRegion& exposed) override;
    quint64 shownGeneration() const override { return 0; }

private:
    struct Cross {
        std::int64_t batch = 1;
        Bytes budget;
    };

    QRectF room() const;
    double headHeight() const;
    std::optional<Cross> crossAt(QPointF point) const;
    void point(std::optional<Cross> cross);
    void move(int budgets, int batches);
    void describe();

    BatchMapView m_view;
    std::optional<Cross> m_cross; ///< under the mouse, or where the keys are
};

} // namespace remat::ui
