// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>

#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace remat::ui {

class Playback;

/// Play, pause, step, speed and the place in the step: the controls under the timeline, and what happens at that place.
class PlaybackBar : public QWidget {
    Q_OBJECT
public:
    PlaybackBar(Playback& playback, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void show();
    void showSentence();
    QToolButton* button(const char* objectName, const QString& sign, const QString& name);

    Playback& m_playback;
    QToolButton* m_first;
    QToolButton* m_back;
    QToolButton* m_play;
    QToolButton* m_on;
    QSlider* m_place;
    QComboBox* m_speed;
    QLabel* m_sentence;
};

} // namespace remat::ui
