// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>

#include "ui/theme/theme.h"

class QRegion;

namespace remat::ui {

/// What the hand-painted widgets share: the theme, the 60 % look of a stale result, and a record of what is on screen.
///
/// The record answers "is it painted yet?" for latency measurements: the generation of the view last painted, and the
/// timestamp of the last mouse or wheel event that had been handled when it was painted.  A benchmark posts events
/// whose timestamps it counts up itself.
class PaintedWidget : public QWidget {
    Q_OBJECT
public:
    explicit PaintedWidget(Theme theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const Theme& theme() const { return m_theme; }

    /// The result shown is being replaced: it stays, at 60 % opacity.  StaleState decides when.
    void setStale(bool isStale);
    bool isStale() const { return m_isStale; }

    quint64 paintedGeneration() const { return m_paintedGeneration; }
    quint64 paintedEvent() const { return m_paintedEvent; }

signals:
    /// At the end of every paint.
    void painted(quint64 generation, quint64 eventTimestamp);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

    /// Paints on the panel colour; the hatch's phase is already locked to the window.
    virtual void paintContent(QPainter& painter, const QRegion& exposed) = 0;
    virtual quint64 shownGeneration() const = 0;
    /// Sizes and caches that depend on the theme.
    virtual void themeChanged() { }

    /// The window's corner in this widget's coordinates.
    QPointF windowOrigin() const;

private:
    Theme m_theme;
    bool m_isStale = false;
    quint64 m_handledEvent = 0, m_paintedEvent = 0, m_paintedGeneration = 0;
};

} // namespace remat::ui
