// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The strategy rotor-500 on a step.  That rotor itself is the published one is rotor_500_test's to say.
#include <QTest>

#include "core/plan/nested_study.h"
#include "core/plan/plan_file.h"
#include "tests/support/counts.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

Study studyOf(const char* pin = nullptr)
{
    StudyRequest request{smallShape({}, 6, 2, 16, 128, 300, 32), setupOf({}, 4, 32), roundCpu(), {}};
    if (pin)
        request.pins.push_back(parsePin(pin).value());
    return Study::solve(request).value();
}

constexpr Strategy kRotor{Strategy::Kind::Rotor500};

} // namespace

class StrategiesRotorTest : public QObject {
    Q_OBJECT

private slots:
    void needsABudgetAndMayFindNothing()
    {
        const Study study = studyOf();
        QCOMPARE(static_cast<int>(study.plan(kRotor, std::nullopt).error().exitCode()), 2);
        const Result<Plan> none = study.plan(kRotor, study.leastPeak() - Bytes{1});
        QVERIFY(!none);
        QCOMPARE(none.error().code->name, std::string_view("rotor-finds-none"));
        QCOMPARE(static_cast<int>(none.error().exitCode()), 4);
    }

    /// 500 slots x 256^3 / 6 steps are a second; a step of more stages is refused, wherever the strategy is named.
    void longStepsAreRefused()
    {
        StudyRequest request{smallShape({}, 254, 2, 16, 128, 300, 32), setupOf({}, 1, 8), roundCpu(), {}};
        const Study longest = Study::solve(request).value();
        QCOMPARE(longest.tape().stages.size(), std::size_t{256});
        if (!testing::isBriefForm())
            QVERIFY(longest.plan(kRotor, 2 * longest.keepAllPeak()));
        request.shape.layers = 255;
        const Study tooLong = Study::solve(request).value();
        const Result<Plan> plan = tooLong.plan(kRotor, 2 * tooLong.keepAllPeak());
        QVERIFY(!plan);
        QCOMPARE(plan.error().code->name, std::string_view("rotor-too-many-stages"));
        // A file that names it does not make its reader solve.
        Plan named = tooLong.plan({Strategy::Kind::None}, std::nullopt).value();
        named.strategy = kRotor;
        named.budget = 2 * tooLong.keepAllPeak();
        const Result<Plan> read = parsePlan(planFileText(named), "plan.json");
        QVERIFY(!read);
        QCOMPARE(read.error().code->name, std::string_view("rotor-too-many-stages"));
    }

    /// With room for everything nothing runs twice: the time is that of keep-everything.  Outputs of stages stay until
    /// their own backward, so the peak is no lower.
    void keepsEverythingWhereItCan()
    {
        const Study study = studyOf();
        const Plan plan = study.plan(kRotor, 2 * study.keepAllPeak()).value();
        QCOMPARE(plan.prediction.time, study.keepAllTime());
        QCOMPARE(plan.prediction.reruns, std::int64_t{0});
        QVERIFY(plan.prediction.peak >= study.plan({Strategy::Kind::None}, std::nullopt)->prediction.peak);
    }

    /// At each budget between: its peak may pass the budget by the rounding of its slots alone, layers do run again, it
    /// is never faster than the planner's plan of the class that contains it, and its file comes back.
    void isNeverBetterThanNested()
    {
        for (const char* pin : {static_cast<const char*>(nullptr), "*.gelu=recompute"}) {
            const Study study = studyOf(pin);
            const NestedStudy nested = NestedStudy::solve(study).value();
            int again = 0, plans = 0;
            for (int i = 1; i < 20; ++i) {
                const Bytes budget{study.leastPeak().value + (study.keepAllPeak() - study.leastPeak()).value * i / 20};
                const Result<Plan> plan = study.plan(kRotor, budget);
                if (!plan)
                    continue;
                ++plans;
                QVERIFY(plan->prediction.peak <= budget + Bytes{499});
                QVERIFY(nested.cheapestWithin(plan->prediction.peak)->prediction.time <= plan->prediction.time);
                for (const int forwards : forwardCounts(plan->schedule, plan->keep.size()))
                    again += forwards > 1 ? 1 : 0;
                const Result<Plan> read = parsePlan(planFileText(*plan), "plan");
                QVERIFY2(read, read ? "" : englishText(read.error()).c_str());
                QCOMPARE(planFileText(*read), planFileText(*plan));
            }
            QVERIFY(plans > 5 && again > 5);
        }
    }

    /// A keep pin means that the op runs once, so its layer does; the others still run again.
    void pinnedLayersRunOnce()
    {
        const Study study = studyOf("L2.gelu=keep");
        int others = 0, plans = 0;
        for (int i = 1; i < 20; ++i) {
            const Bytes budget{study.leastPeak().value + (study.keepAllPeak() - study.leastPeak()).value * i / 20};
            const Result<Plan> plan = study.plan(kRotor, budget);
            if (!plan)
                continue;
            ++plans;
            // The embedding is stage 0.
            const auto counts = forwardCounts(plan->schedule, plan->keep.size());
            QCOMPARE(counts[3], 1);
            others += std::any_of(counts.begin(), counts.end(), [](int count) { return count > 1; }) ? 1 : 0;
        }
        QVERIFY(plans > 5 && others > 0);
    }

    /// A file whose order is not the rule's is refused, though it replays: here that of keep-everything.
    void anotherOrderIsRefused()
    {
        const Study study = studyOf();
        Plan plan = study.plan({Strategy::Kind::None}, std::nullopt).value();
        plan.strategy = kRotor;
        plan.budget = study.leastPeak() + Bytes{(study.keepAllPeak() - study.leastPeak()).value / 2};
        const Result<Plan> read = parsePlan(planFileText(plan), "plan");
        QVERIFY(!read);
        QVERIFY2(read.error().where.find("schedule") != std::string::npos, read.error().where.c_str());
    }
};

QTEST_APPLESS_MAIN(StrategiesRotorTest)
#include "strategies_rotor_test.moc"
