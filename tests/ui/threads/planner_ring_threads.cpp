// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// The planner thread as the window uses it, for the thread sanitizer: questions and takings on the thread of Qt's
// events, which the other one rings by a queued call without payload.  With REMAT_PLANTED_RACE both threads count the
// rings in one unguarded number: the sanitizer must see that through Qt, which is not built for it.
#include <QCoreApplication>
#include <QTimer>
#include <cstdio>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "tests/support/small_models.h"
#include "ui/state/planner_thread.h"

using namespace remat;
using namespace remat::ui;

namespace {

#ifdef REMAT_PLANTED_RACE
int g_rings = 0;
#endif

Question questionOf(std::uint64_t generation)
{
    Question question;
    question.generation = generation;
    question.request.shape = findPreset("tiny-gpt2").value();
    // Every third question is another study, which cancels the one under way.
    question.request.setup.batch = 1 + static_cast<std::int64_t>(generation / 3);
    question.request.setup.sequence = 32;
    question.request.setup = withDefaults(question.request.shape, question.request.setup);
    question.request.device = remat::testing::roundCpu(2);
    question.budget = {std::int64_t{1} << (24 + generation % 8)};
    question.strategy = {generation % 4 == 1 ? Strategy::Kind::OptimalNested : Strategy::Kind::Optimal};
    if (generation % 5 == 0) {
        question.torch = TorchChoices{};
        question.request.device = devices().find("l4").value();
    }
    return question;
}

/// Work for idle times, in steps.
struct Steps : IdleWork {
    bool step(const std::stop_token& cancel) override
    {
        done.post(++count);
        return !cancel.stop_requested() && count < 20;
    }
    int count = 0; ///< of the planner thread alone
    Mailbox<int> done;
};

} // namespace

int main(int argc, char** argv)
{
    constexpr std::uint64_t kQuestions = 24;
    QCoreApplication application(argc, argv);
    QObject window;
    std::uint64_t asked = 0, complete = 0;
    int taken = 0;
    PlannerThread* planner = nullptr;
    const auto take = [&] {
        const std::optional<Answer> answer = planner->takeAnswer();
        if (!answer)
            return;
        ++taken;
        if (answer->isComplete)
            complete = answer->generation;
        // The last question's answer ends the program; hurried questions may have none.
        if (complete == kQuestions)
            QCoreApplication::quit();
    };
    PlannerThread thread([&] {
#ifdef REMAT_PLANTED_RACE
        ++g_rings;
#endif
        QMetaObject::invokeMethod(
            &window,
            [&] {
#ifdef REMAT_PLANTED_RACE
                ++g_rings;
#endif
                take();
            },
            Qt::QueuedConnection);
    });
    planner = &thread;
    const auto idle = std::make_shared<Steps>();
    thread.doWhenIdle(idle);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        if (asked < kQuestions)
            thread.ask(questionOf(++asked));
        else
            timer.stop();
        (void)idle->done.take();
    });
    timer.start(5);
    QCoreApplication::exec();
    std::printf("planner_ring_threads: %d answers taken of %d questions\n", taken, static_cast<int>(kQuestions));
    return complete == kQuestions ? 0 : 1;
}
