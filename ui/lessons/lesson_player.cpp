// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_player.h"

#include <algorithm>
#include <utility>

#include "ui/lessons/lesson_file.h"
#include "ui/run/run_controller.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

LessonPlayer::LessonPlayer(ExplorerState& state, RunController& runs, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_runs(runs)
{
    connect(&m_state, &ExplorerState::answerChanged, this, &LessonPlayer::doPending);
    connect(&m_state, &ExplorerState::answerChanged, this, &LessonPlayer::check);
    connect(&m_state, &ExplorerState::inputsChanged, this, &LessonPlayer::check);
    connect(&m_state, &ExplorerState::selectionChanged, this, &LessonPlayer::check);
    connect(&m_state, &ExplorerState::viewChoicesChanged, this, &LessonPlayer::check);
    connect(&m_runs, &RunController::runsChanged, this, &LessonPlayer::check);
}

LessonWorld LessonPlayer::world() const
{
    return {m_state, m_runs, m_firstRun, m_choice};
}

void LessonPlayer::start(Lesson lesson)
{
    if (!m_before) {
        m_before = m_state.inputs();
        m_wasSaved = m_state.undoStack().isClean();
    }
    m_lesson = std::move(lesson);
    m_solved.assign(m_lesson->steps.size(), false);
    // A lesson knows what it starts from, whether its first step says so or not.
    enter(0, true);
}

void LessonPlayer::replace(Lesson lesson)
{
    const int step = std::min(m_step, static_cast<int>(lesson.steps.size()) - 1);
    m_lesson = std::move(lesson);
    m_solved.assign(m_lesson->steps.size(), false);
    enter(step, true);
}

void LessonPlayer::next()
{
    if (!isPlaying())
        return;
    if (isLastStep())
        return stop();
    enter(m_step + 1, m_lesson->steps[static_cast<std::size_t>(m_step) + 1].setsState);
}

void LessonPlayer::back()
{
    if (isPlaying() && m_step > 0)
        enter(m_step - 1, true);
}

void LessonPlayer::reset()
{
    if (!isPlaying())
        return;
    m_solved[static_cast<std::size_t>(m_step)] = false;
    enter(m_step, true);
}

void LessonPlayer::stop()
{
    if (!isPlaying())
        return;
    m_lesson.reset();
    m_pendingSelection.clear();
    if (const std::optional<Inputs> before = std::exchange(m_before, std::nullopt))
        m_state.edit(EditKind::Document, tr("end lesson"), *before);
    if (m_wasSaved)
        m_state.undoStack().setClean();
    emit stepChanged();
}

void LessonPlayer::choose(int choice)
{
    if (!isPlaying() || !step().question)
        return;
    m_choice = choice;
    check();
    m_showsHint = m_showsHint || !isSolved();
    emit progressChanged();
}

void LessonPlayer::showHint()
{
    m_showsHint = true;
    emit progressChanged();
}

void LessonPlayer::showSolution()
{
    if (!isPlaying() || !step().question)
        return;
    const LessonQuestion question = *step().question;
    if (question.solution)
        set(*question.solution);
    if (question.solutionChoice > 0)
        choose(question.solutionChoice);
    m_pendingRun = question.solutionRuns;
    doPending();
}

void LessonPlayer::enter(int step, bool setsState)
{
    m_step = step;
    m_choice = 0;
    m_showsHint = false;
    m_pendingRun = false;
    m_firstRun = m_runs.runs().size();
    if (setsState)
        set(this->step().state);
    emit stepChanged();
    check();
}

void LessonPlayer::set(const LessonState& state)
{
    if (state.metric)
        m_state.setMetric(*state.metric);
    m_state.setSelection(std::nullopt);
    m_pendingSelection = state.select;
    m_state.edit(EditKind::Document, m_lesson->title.text(), state.inputs);
    doPending();
}

void LessonPlayer::doPending()
{
    const Answer* answer = m_state.answer();
    if (!isPlaying() || m_state.isBusy() || !answer || !answer->shown)
        return;
    if (!m_pendingSelection.empty()) {
        const std::string name = std::exchange(m_pendingSelection, {});
        if (const std::optional<GridPlace> place = gridPlaceNamed(answer->shown->plan.step->tape, name))
            m_state.setSelection(*place);
    }
    if (std::exchange(m_pendingRun, false))
        emit runRequested();
}

void LessonPlayer::check()
{
    if (!isPlaying() || !step().question)
        return;
    const bool isMet = holds(step().question->check, world());
    if (isMet)
        m_solved[static_cast<std::size_t>(m_step)] = true;
    emit progressChanged();
}

} // namespace remat::ui
