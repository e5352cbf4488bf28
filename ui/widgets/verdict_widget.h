// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/painters/verdict_painter.h"
#include "ui/widgets/painted_widget.h"

namespace remat::ui {

/// The verdict line; its accessible name is the whole sentence.
class VerdictWidget : public PaintedWidget {
    Q_OBJECT
public:
    explicit VerdictWidget(const Theme& theme, QWidget* parent = nullptr);
    void setView(const VerdictView& view);
    const VerdictView& view() const { return m_view; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintContent(QPainter& painter, const QRegion& exposed) override;
    quint64 shownGeneration() const override { return m_view.generation; }
    void changeEvent(QEvent* event) override;

private:
    void describe();

    VerdictView m_view;
};

} // namespace remat::ui
