// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QPointer>
#include <QWidget>

#include "ui/theme/theme.h"

namespace remat::ui {

/// Points at one part of the window: a ring around it, and a veil over the rest until the person clicks anywhere or
/// presses a key.  It lies over the window and takes no events, so that everything stays usable.
class Spotlight : public QWidget {
    Q_OBJECT
public:
    Spotlight(const Theme& theme, QWidget* window);

    void setTheme(const Theme& theme);
    /// Null: nothing is pointed at.
    void pointAt(QWidget* target);
    /// What stays clear of the veil besides the target: the card that speaks of it.
    void setSpeaker(QWidget* speaker) { m_speaker = speaker; }
    QWidget* target() const { return m_target; }
    /// Of the ring, in the window's coordinates; empty while the target cannot be seen.
    QRect ring() const;
    bool hasVeil() const { return m_hasVeil; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();

    Theme m_theme;
    QPointer<QWidget> m_target;
    QPointer<QWidget> m_speaker;
    bool m_hasVeil = false;
};

} // namespace remat::ui
