// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QTest>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "tests/support/small_models.h"
#include "ui/state/planner_thread.h"

using namespace remat;
using namespace remat::ui;

/// What the planner thread posts, in which order.
class PlannerThreadTest : public QObject {
    Q_OBJECT

    /// BERT-large widened to 96 layers: its exact solve takes long enough for a first answer to matter.
    static Question wideBert(std::uint64_t generation)
    {
        Question question;
        question.generation = generation;
        question.request.shape = findPreset("bert-large").value();
        question.request.shape.layers = 96;
        question.request.setup.batch = 8;
        question.request.setup.sequence = 512;
        question.request.setup = withDefaults(question.request.shape, question.request.setup);
        question.request.device = remat::testing::roundCpu(2);
        question.budget = {std::int64_t{30} << 30};
        question.strategy = {Strategy::Kind::Optimal};
        return question;
    }

    /// A planner whose answers are all taken, on its own thread, so that none replaces another.
    class Listener {
    public:
        void ask(const Question& question) { m_planner.ask(question); }
        std::vector<Answer> answersTo(const Question& question)
        {
            m_planner.ask(question);
            std::unique_lock lock(m_mutex);
            m_rang.wait_for(
                lock, std::chrono::seconds{60}, [&] { return !m_answers.empty() && m_answers.back().isComplete; });
            return std::exchange(m_answers, {});
        }

    private:
        void take()
        {
            const std::lock_guard lock(m_mutex);
            if (std::optional<Answer> answer = m_planner.takeAnswer())
                m_answers.push_back(*std::move(answer));
            m_rang.notify_one();
        }

        std::mutex m_mutex;
        std::condition_variable m_rang;
        std::vector<Answer> m_answers;
        PlannerThread m_planner{[this] { take(); }}; // last: its thread ends before what it fills goes
    };

private slots:
    void aCertifiedPlanComesFirstAndTheBestOneAfterIt()
    {
        Listener listener;
        const std::vector<Answer> answers = listener.answersTo(wideBert(1));
        QVERIFY(answers.size() >= 2 && answers.back().isComplete);
        const Answer &first = answers.front(), &last = answers.back();
        QVERIFY(!first.study->isExact() && !first.isComplete);
        QVERIFY(first.study->gap() > 0 && first.study->gap() < 1);
        QVERIFY(last.study->isExact());
        // The best plan of the exact study bounds the first one from below, its certificate from above.
        const Nanoseconds best = last.shown->plan.prediction.time, shown = first.shown->plan.prediction.time;
        QVERIFY(best <= shown);
        QVERIFY(ratio(shown - best, best) <= first.study->gap());
        QVERIFY(!last.strategies.empty());

        // Another budget of the same study is looked up: nothing is solved, and the first answer is the best already.
        Question cheaper = wideBert(2);
        cheaper.budget = last.study->leastPeak();
        const std::vector<Answer> again = listener.answersTo(cheaper);
        QVERIFY(!again.empty());
        QCOMPARE(again.front().study, last.study);
        QCOMPARE(again.back().study, last.study);
        QCOMPARE(again.back().shown->plan.prediction.peak, last.study->leastPeak());
    }

    /// Idle work is done in steps, gives way to a question in the middle of one, is gone on with afterwards, and is let
    /// go of when it is done or when nobody wants it any more.
    /// A thousand simulated layers take seconds and would be answered first: a newer question finds them gone.
    void aSimulationGivesWayToAQuestion()
    {
        Listener listener;
        Question slow = wideBert(1);
        slow.request.shape.layers = kMostTorchLayers;
        slow.request.device = devices().find("a100-80").value();
        slow.torch = TorchChoices();
        listener.ask(slow);
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        Question quick = slow;
        quick.generation = 2;
        quick.request.shape.layers = 2;
        const std::vector<Answer> answers = listener.answersTo(quick);
        QVERIFY(!answers.empty() && answers.back().isComplete);
        for (const Answer& answer : answers)
            QCOMPARE(answer.generation, 2u);
        QVERIFY(answers.back().regions);
        // Beyond the limit nothing is simulated at all.
        slow.generation = 3;
        slow.request.shape.layers = kMostTorchLayers + 1;
        const std::vector<Answer> refused = listener.answersTo(slow);
        QVERIFY(!refused.empty() && refused.back().inputError);
        QCOMPARE(refused.back().inputError->code->name, std::string_view("torch-too-many-layers"));
    }

    void idleWorkGivesWayToQuestions()
    {
        struct Steps : IdleWork {
            bool step(const std::stop_token& cancel) override
            {
                const int now = ++begun;
                if (now == 2) {
                    // The long one: only a question ends it.
                    for (int i = 0; i < 3000 && !cancel.stop_requested(); ++i)
                        std::this_thread::sleep_for(std::chrono::milliseconds{10});
                    wasCancelled = cancel.stop_requested();
                }
                return now < 4;
            }
            std::atomic<int> begun = 0;
            std::atomic<bool> wasCancelled = false;
        };
        const auto steps = std::make_shared<Steps>();
        PlannerThread planner([] {});
        planner.doWhenIdle(steps);
        QTRY_COMPARE_WITH_TIMEOUT(steps->begun.load(), 2, 10'000);
        Question question = wideBert(1);
        question.request.shape.layers = 2;
        planner.ask(question);
        QTRY_VERIFY_WITH_TIMEOUT(steps->wasCancelled, 10'000);
        std::optional<Answer> answer;
        const auto isAnswered = [&] {
            if (std::optional<Answer> taken = planner.takeAnswer())
                answer = std::move(taken);
            return answer.has_value();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isAnswered(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(steps->begun.load(), 4, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(steps.use_count(), 1L, 5'000);
        // Nobody holds it: it is not begun.
        struct Never : IdleWork {
            explicit Never(std::atomic<bool>& flag) : wasBegun(flag) { }
            bool step(const std::stop_token&) override { return wasBegun = true, false; }
            std::atomic<bool>& wasBegun;
        };
        std::atomic<bool> wasBegun = false;
        const auto first = std::make_shared<Steps>();
        first->begun = 1; // its next step is the long one
        planner.doWhenIdle(first);
        QTRY_COMPARE_WITH_TIMEOUT(first->begun.load(), 2, 10'000);
        {
            const auto unwanted = std::make_shared<Never>(wasBegun);
            planner.doWhenIdle(unwanted);
        }
        question.generation = 2;
        planner.ask(question);
        QTRY_COMPARE_WITH_TIMEOUT(first->begun.load(), 4, 20'000);
        QVERIFY(!wasBegun);
    }

    void theNestedPlanFollowsTheFlatOne()
    {
        Question question = wideBert(1);
        question.request.shape = findPreset("gpt2").value();
        question.request.setup = withDefaults(question.request.shape, question.request.setup);
        question.strategy = {Strategy::Kind::OptimalNested};
        question.budget = {std::int64_t{1} << 50};
        Listener listener;
        const std::vector<Answer> answers = listener.answersTo(question);
        QVERIFY(answers.size() >= 3);
        QVERIFY(!answers.front().nested && answers.front().shown->plan.strategy.kind == Strategy::Kind::Optimal);
        const Answer& last = answers.back();
        QVERIFY(last.nested && last.shown->plan.strategy.kind == Strategy::Kind::OptimalNested);
        QVERIFY(last.leastPeak() < last.study->leastPeak());
        // Between the two least peaks only the nested plan fits.
        question.generation = 2;
        question.budget = last.leastPeak();
        const std::vector<Answer> again = listener.answersTo(question);
        QCOMPARE(again.front().nested, last.nested);
        QVERIFY(!again.back().doesNotFit);
        QCOMPARE(again.back().shown->plan.prediction.peak, last.leastPeak());
        QCOMPARE(again.back().shown->timeline.peak, last.leastPeak());
    }

    /// The nested planner takes 2,000 stages (core/plan/nested_planner.h); a longer step keeps its flat plan, says why,
    /// and is not tried again for the next budget.
    void aStepTooLongForTheNestedPlanKeepsItsFlatOne()
    {
        Question question = wideBert(1);
        question.request.shape = findPreset("tiny-gpt2").value();
        question.request.shape.layers = 2100;
        question.request.setup = {};
        question.request.setup.batch = 1;
        question.request.setup.sequence = 16;
        question.request.setup = withDefaults(question.request.shape, question.request.setup);
        question.strategy = {Strategy::Kind::OptimalNested};
        question.budget = {std::int64_t{1} << 40};
        Listener listener;
        const std::vector<Answer> answers = listener.answersTo(question);
        QVERIFY(answers.size() >= 2);
        QVERIFY(!answers.back().nested && answers.back().strategyError);
        QCOMPARE(std::string(answers.back().strategyError->code->name), std::string("nested-too-many-stages"));
        QVERIFY(answers.back().shown->plan.strategy.kind == Strategy::Kind::Optimal);
        question.generation = 2;
        question.budget = answers.back().study->leastPeak();
        QVERIFY(listener.answersTo(question).front().strategyError);
    }

    /// rotor rounds up, so that it finds nothing at the least budget; that the optimal plan fits there, by the
    /// planner's own certificate, is shown in its place.
    void aStrategyWithoutAPlanIsNotACertificate()
    {
        Question question = wideBert(1);
        question.strategy = {Strategy::Kind::Rotor500};
        question.budget = Study::solve(question.request)->leastPeak();
        Listener listener;
        const Answer last = listener.answersTo(question).back();
        QVERIFY(last.strategyError);
        QCOMPARE(std::string(last.strategyError->code->name), std::string("rotor-finds-none"));
        QVERIFY(!last.doesNotFit && last.shown->plan.fits());
        QVERIFY(last.shown->plan.strategy.kind == Strategy::Kind::Optimal);
        question.generation = 2;
        question.budget -= Bytes{1};
        QVERIFY(listener.answersTo(question).back().doesNotFit);
    }
};

QTEST_GUILESS_MAIN(PlannerThreadTest)
#include "planner_thread_test.moc"
