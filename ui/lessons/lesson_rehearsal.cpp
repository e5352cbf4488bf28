// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_rehearsal.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include "ui/run/run_controller.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

namespace {

constexpr int kLongestWaitMs = 120'000;

constexpr MessageCode kSolvedTooSoon{"lesson-solved-too-soon",
    REMAT_TR("The check already holds when the step begins."),
    REMAT_TR("Let the step start from a state that does not meet it, or ask for more.")};
constexpr MessageCode kWrongChoicePasses{"lesson-wrong-choice-passes",
    REMAT_TR("Choice {0} meets the check, but the solution is choice {1}."),
    REMAT_TR("Let the check compare the fact \"choice\" with the right one.")};
constexpr MessageCode kSolutionFails{"lesson-solution-fails", REMAT_TR("The solution does not meet the check: {0}."),
    REMAT_TR("Play the step in the window and press \"Show me\" to see what comes of it.")};
constexpr MessageCode kNoAnswer{"lesson-no-answer", REMAT_TR("There was no answer within {0} s."),
    REMAT_TR("Use a smaller model or fewer layers.")};

bool settle(const ExplorerState& state, const RunController& runs)
{
    QElapsedTimer timer;
    timer.start();
    // What was asked for starts in the next turn of the event loop.
    do
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    while ((state.isBusy() || !state.answer()->isComplete || runs.isRunning()) && timer.elapsed() < kLongestWaitMs);
    QCoreApplication::processEvents();
    return timer.elapsed() < kLongestWaitMs;
}

/// The conditions that do not hold, for the author.
std::string failing(const std::vector<LessonCondition>& check, const LessonWorld& world)
{
    QStringList texts;
    for (const LessonCondition& condition : check)
        if (!holds({condition}, world))
            texts << (condition.fact == "choice" ? QStringLiteral("choice") : conditionText(condition, world));
    return texts.join(QStringLiteral(", ")).toStdString();
}

} // namespace

Result<void> rehearse(LessonPlayer& player, const ExplorerState& state, const RunController& runs, const Lesson& lesson)
{
    player.start(lesson);
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step, player.next()) {
        const std::string where = lesson.where + ": steps[" + std::to_string(step) + "]";
        const auto wait = [&]() -> Result<void> {
            if (settle(state, runs))
                return {};
            return Error{&kNoAnswer, where, {static_cast<std::int64_t>(kLongestWaitMs / 1000)}};
        };
        if (auto settled = wait(); !settled)
            return settled;
        const std::optional<LessonQuestion>& question = lesson.steps[static_cast<std::size_t>(step)].question;
        if (!question)
            continue;
        if (player.isSolved())
            return Error{&kSolvedTooSoon, where + ".question.check", {}};
        for (int choice = 1; choice <= static_cast<int>(question->choices.size()); ++choice) {
            if (choice == question->solutionChoice)
                continue;
            player.choose(choice);
            if (player.isSolved())
                return Error{&kWrongChoicePasses, where + ".question.check",
                    {std::int64_t{choice}, std::int64_t{question->solutionChoice}}};
        }
        player.showSolution();
        if (auto settled = wait(); !settled)
            return settled;
        if (!player.isSolved())
            return Error{&kSolutionFails, where + ".question.solution", {failing(question->check, player.world())}};
    }
    return {};
}

} // namespace remat::ui
