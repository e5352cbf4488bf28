// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <functional>

#include "ui/painters/ruler_view.h"
#include "ui/widgets/painted_widget.h"

namespace remat::ui {

/// The budget ruler, live.  Dragging anywhere in it, the wheel, Left / Right (the frontier's next plan), Shift+Left /
/// Right (0.1 GiB), Home (least) and End (keep everything) ask for a budget.
///
/// The handle follows the hand at once; the rest of the view waits for setView.  Whoever calls setView during a drag
/// passes the person's current budget in it, never that of an older result.
class RulerWidget : public PaintedWidget {
    Q_OBJECT
public:
    using ToolTip = std::function<QString(Bytes budgetUnderMouse)>;

    explicit RulerWidget(const Theme& theme, QWidget* parent = nullptr);
    void setView(const RulerView& view);
    const RulerView& view() const { return m_view; }
    void setToolTipProvider(ToolTip provider) { m_toolTip = std::move(provider); }
    bool isDragging() const { return m_isDragging; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void budgetRequested(remat::Bytes budget);
    /// Around a drag, so that its many requests become one undo step.
    void dragStarted();
    void dragFinished();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintContent(QPainter& painter, const QRegion& exposed) override;
    quint64 shownGeneration() const override { return m_view.generation; }

private:
    void request(Bytes budget);
    Bytes budgetAt(double x) const;
    void describe();

    RulerView m_view;
    ToolTip m_toolTip;
    bool m_isDragging = false;
    bool m_showsFocus = false;
    int m_wheelRest = 0; ///< eighths of a degree not yet spent on a notch
};

} // namespace remat::ui
