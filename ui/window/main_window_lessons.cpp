// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Lesson mode in the main window: its menu, and what the lesson asks of the window.
#include <QMenuBar>
#include <QSettings>

#include "ui/lessons/lesson_dock.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/window/main_window.h"

namespace remat::ui {

void MainWindow::makeLessonMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Lesson"));
    menu->addSeparator();
    QAction* open = menu->addAction(
        tr("&Open lesson file\u2026"), this, [this] { chooseAndOpen(tr("Open lesson"), tr("Lessons (*.json)")); });
    open->setStatusTip(tr("Plays a lesson that you write, and reads it again whenever you save it."));
    LessonPlayer& player = m_lessons->player();
    QAction* next = menu->addAction(tr("&Next step"), QKeySequence(tr("Ctrl+Alt+Right")), &player, &LessonPlayer::next);
    QAction* back
        = menu->addAction(tr("&Back one step"), QKeySequence(tr("Ctrl+Alt+Left")), &player, &LessonPlayer::back);
    QAction* reset
        = menu->addAction(tr("&Reset this step"), QKeySequence(tr("Ctrl+Alt+R")), &player, &LessonPlayer::reset);
    QAction* end = menu->addAction(tr("&End lesson"), &player, &LessonPlayer::stop);
    next->setStatusTip(tr("The next step; an unanswered question may stay."));
    back->setStatusTip(tr("The step before, as it was at its start."));
    reset->setStatusTip(tr("Brings this step's own state back, whatever was changed."));
    end->setStatusTip(tr("Ends lesson mode; what you had before comes back."));
    const auto enable = [=, &player] {
        for (QAction* action : {next, reset, end})
            action->setEnabled(player.isPlaying());
        back->setEnabled(player.isPlaying() && player.stepIndex() > 0);
    };
    connect(&player, &LessonPlayer::stepChanged, menu, enable);
    enable();

    connect(m_lessons, &LessonDock::problemFound, this, &MainWindow::reportError);
    connect(m_lessons, &LessonDock::runRequested, this, [this] {
        if (!m_runs.isRunning())
            toggleRun();
    });
    connect(m_lessons, &LessonDock::pageRequested, m_bottom, &BottomTabs::showPage);
    connect(m_lessons, &LessonDock::projectorRequested, m_projector, &QAction::setChecked);
    connect(m_lessons, &LessonDock::playingChanged, this, &MainWindow::arrange);
    m_lessons->fillMenu(*menu);
}

} // namespace remat::ui
