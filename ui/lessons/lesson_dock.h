// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QDockWidget>
#include <QFileSystemWatcher>
#include <string>

#include "core/base/result.h"
#include "ui/lessons/lesson_player.h"
#include "ui/theme/theme.h"

class QMenu;

namespace remat::ui {

class LessonCard;
class Spotlight;

/// Lesson mode: the dock at the right with its card, the spotlight over the window, and the menu of lessons.
///
/// A lesson that was opened from a file is read again whenever the file is saved, so that its author sees the step, or
/// the mistake with the path to its key, without leaving the editor.
class LessonDock : public QDockWidget {
    Q_OBJECT
public:
    LessonDock(ExplorerState& state, RunController& runs, std::string configurationFolder, const Theme& theme,
        QWidget* window);

    LessonPlayer& player() { return m_player; }
    LessonCard& card() const { return *m_card; }
    Spotlight& spotlight() const { return *m_spotlight; }
    void setTheme(const Theme& theme);
    void fillMenu(QMenu& menu);
    void play(Lesson lesson);
    /// Errors: those of parseLesson(), or the file cannot be read.
    Result<void> openFile(const QString& path);

signals:
    /// The dock is about to take its width, or to give it back.
    void playingChanged();
    void runRequested();
    void pageRequested(const QString& objectName);
    void projectorRequested(bool isOn);
    /// A lesson file of the person's folder that cannot be read.
    void problemFound(const remat::Error& error);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void showStep();
    void readAgain();
    Result<Lesson> read(const QString& path) const;
    void makeLessonEntries(QMenu& menu, bool tellsProblems);

    ExplorerState& m_state;
    std::string m_configurationFolder;
    LessonPlayer m_player;
    LessonCard* m_card;
    Spotlight* m_spotlight;
    QFileSystemWatcher m_watcher;
    QString m_file; ///< of the lesson, where it was opened from one
};

} // namespace remat::ui
