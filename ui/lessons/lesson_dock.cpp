// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_dock.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenu>
#include <QTimer>
#include <utility>

#include "core/base/files.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_file.h"
#include "ui/lessons/lesson_spotlights.h"
#include "ui/lessons/spotlight.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// After a save, so that an editor that writes in two strokes has finished.
constexpr int kSettleMilliseconds = 80;

} // namespace

LessonDock::LessonDock(
    ExplorerState& state, RunController& runs, std::string configurationFolder, const Theme& theme, QWidget* window)
    : QDockWidget(tr("Lesson"), window),
      m_state(state),
      m_configurationFolder(std::move(configurationFolder)),
      m_player(state, runs),
      m_card(new LessonCard(m_player, theme)),
      m_spotlight(new Spotlight(theme, window))
{
    setObjectName(QStringLiteral("lessonDock"));
    setFeatures(QDockWidget::DockWidgetClosable);
    setAllowedAreas(Qt::RightDockWidgetArea);
    setWidget(m_card);
    m_spotlight->setSpeaker(this);
    hide();
    connect(&m_player, &LessonPlayer::stepChanged, this, &LessonDock::showStep);
    connect(&m_player, &LessonPlayer::runRequested, this, &LessonDock::runRequested);
    connect(&m_card->projector(), &QCheckBox::toggled, this, &LessonDock::projectorRequested);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this,
        [this] { QTimer::singleShot(kSettleMilliseconds, this, &LessonDock::readAgain); });
    setTheme(theme);
}

void LessonDock::setTheme(const Theme& theme)
{
    m_card->setTheme(theme);
    m_spotlight->setTheme(theme);
    m_card->setFixedWidth(static_cast<int>(theme.px(288)));
    const QSignalBlocker blocker(m_card->projector());
    m_card->projector().setChecked(theme.isProjector());
}

void LessonDock::fillMenu(QMenu& menu)
{
    // What the person's folder holds may have changed since.
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { makeLessonEntries(menu, false); });
    makeLessonEntries(menu, true);
}

void LessonDock::makeLessonEntries(QMenu& menu, bool tellsProblems)
{
    for (QAction* action : menu.actions())
        if (action->data().isValid())
            delete action;
    LessonCatalog catalog = lessons(m_configurationFolder, m_state.devices());
    QAction* before = menu.actions().value(0);
    int number = 1;
    for (Lesson& lesson : catalog.lessons) {
        auto* action = new QAction(QStringLiteral("%1  %2").arg(number++).arg(lesson.title.text()), &menu);
        action->setObjectName(QStringLiteral("lesson-") + QString::fromStdString(lesson.name));
        action->setData(QString::fromStdString(lesson.name));
        action->setStatusTip(tr("Starts this lesson; what you have now comes back when it ends."));
        connect(action, &QAction::triggered, this, [this, lesson] { play(lesson); });
        menu.insertAction(before, action);
    }
    if (tellsProblems)
        for (const Error& problem : catalog.problems)
            emit problemFound(problem);
}

void LessonDock::play(Lesson lesson)
{
    if (!m_file.isEmpty())
        m_watcher.removePath(std::exchange(m_file, QString()));
    m_card->setFileProblem({});
    m_player.start(std::move(lesson));
}

Result<Lesson> LessonDock::read(const QString& path) const
{
    const Result<std::string> text = readFile(path.toStdString());
    return text ? parseLesson(*text, QFileInfo(path).fileName().toStdString(), m_state.devices())
                : Result<Lesson>(text.error());
}

Result<void> LessonDock::openFile(const QString& path)
{
    Result<Lesson> lesson = read(path);
    if (!lesson)
        return lesson.error();
    play(*std::move(lesson));
    m_file = path;
    m_watcher.addPath(path);
    return {};
}

void LessonDock::readAgain()
{
    if (m_file.isEmpty() || !m_player.isPlaying())
        return;
    // Editors that replace a file instead of writing into it end the watch.
    if (!m_watcher.files().contains(m_file))
        m_watcher.addPath(m_file);
    Result<Lesson> lesson = read(m_file);
    m_card->setFileProblem(lesson ? QString() : fullText(lesson.error()));
    if (lesson)
        m_player.replace(*std::move(lesson));
}

void LessonDock::showStep()
{
    emit playingChanged();
    setVisible(m_player.isPlaying());
    if (!m_player.isPlaying()) {
        m_spotlight->pointAt(nullptr);
        return;
    }
    const LessonSpotlight* spot = findLessonSpotlight(m_player.step().spotlight);
    if (spot && spot->isPage)
        emit pageRequested(QLatin1String(spot->objectName));
    m_spotlight->pointAt(spot ? window()->findChild<QWidget*>(QLatin1String(spot->objectName)) : nullptr);
}

void LessonDock::closeEvent(QCloseEvent* event)
{
    QDockWidget::closeEvent(event);
    m_player.stop();
}

} // namespace remat::ui
