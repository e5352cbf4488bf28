// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <optional>
#include <vector>

#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_facts.h"

namespace remat::ui {

/// Plays a lesson over the window's state.
///
/// Nothing is locked: every control works as ever, Back and Next always lead on, and reset() brings the step's own
/// state back.  A question is solved as soon as its conditions hold, and stays solved until the step is reset.  What
/// the person had before the lesson comes back when it ends, as one more undoable edit.
class LessonPlayer : public QObject {
    Q_OBJECT
public:
    LessonPlayer(ExplorerState& state, RunController& runs, QObject* parent = nullptr);

    bool isPlaying() const { return m_lesson.has_value(); }
    const Lesson& lesson() const { return *m_lesson; }
    int stepIndex() const { return m_step; }
    int stepCount() const { return static_cast<int>(m_lesson->steps.size()); }
    const LessonStep& step() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }
    /// The question of this step is solved, or there is none.
    bool isSolved() const { return !step().question || m_solved[static_cast<std::size_t>(m_step)]; }
    bool isSolved(int step) const { return m_solved[static_cast<std::size_t>(step)]; }
    /// The choice pressed last; wrong unless isSolved().
    int choice() const { return m_choice; }
    /// A wrong choice was pressed, or the person asked.
    bool showsHint() const { return m_showsHint; }
    bool isLastStep() const { return m_step + 1 == stepCount(); }
    LessonWorld world() const;
    /// What the person had before the lesson.  Precondition: isPlaying().
    const Inputs& before() const { return *m_before; }

    void start(Lesson lesson);
    /// The same lesson, changed in its file: at the same step, if that is still there.
    void replace(Lesson lesson);

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void next();
    void back();
    void reset();
    void stop();
    /// From 1.
    void choose(int choice);
    void showHint();
    /// Does what the lesson's author calls the solution.
    void showSolution();

signals:
    /// Another step, or none any more.
    void stepChanged();
    /// Solved, a hint, a figure of a condition.
    void progressChanged();
    void runRequested();

private:
    void enter(int step, bool setsState);
    void set(const LessonState& state);
    void check();
    void doPending();

    ExplorerState& m_state;
    RunController& m_runs;
    std::optional<Lesson> m_lesson;
    std::optional<Inputs> m_before; ///< of the person, until the lesson ends
    bool m_wasSaved = false;        ///< and whether their file has them
    int m_step = 0;
    std::vector<bool> m_solved;
    int m_choice = 0;
    bool m_showsHint = false;
    std::size_t m_firstRun = 0;
    // What waits for the plan of what was set:
    std::string m_pendingSelection; ///< a cell of its grid
    bool m_pendingRun = false;
};

} // namespace remat::ui
