// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// A keep pin means that the op runs once in the step, so a nested plan may not run its whole layer again.
#include <algorithm>

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/exhaustive.h"
#include "core/plan/flat_planner.h"
#include "core/plan/nested_planner.h"
#include "core/plan/nested_study.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// The full number takes minutes.
int chainCount()
{
    return countOf({.brief = 30, .usual = 150, .full = 3000});
}

NestedFrontier solved(const Chain& chain, NestedClass wanted = NestedClass::Drop)
{
    NestedLimits limits;
    limits.wanted = wanted;
    limits.threads = 1;
    return *NestedPlanner(chain, limits).solve();
}

/// Shares of the true frontier's budgets at which a plan is slower or missing; never better.
struct Tally {
    int budgets = 0;
    int missed = 0;

    void count(const std::vector<FrontierPoint>& truth, const std::vector<FrontierPoint>& ours)
    {
        const FrontierAgreement agreement = agreementOf(truth, ours);
        QCOMPARE(agreement.impossible, std::int64_t{0});
        budgets += static_cast<int>(truth.size());
        missed += static_cast<int>(agreement.missed);
    }
};

/// By stage, the most forwards in any plan of a step of six layers with that pin (none where it is empty).
std::vector<int> mostForwards(const QString& pin)
{
    StudyRequest request{smallShape({}, 6, 2, 16, 128, 300, 32), setupOf({}, 4, 32), roundCpu(), {}};
    if (!pin.isEmpty())
        request.pins.push_back(parsePin(pin.toStdString()).value());
    const Study study = Study::solve(request).value();
    const NestedStudy nested = NestedStudy::solve(study).value();
    std::vector<int> most(study.variants().front()->chain.stages.size(), 0);
    for (std::size_t p = 0; p < nested.points().size(); ++p) {
        const auto forwards = forwardCounts(nested.planAt(p).schedule, most.size());
        for (std::size_t s = 0; s < most.size(); ++s)
            most[s] = std::max(most[s], forwards[s]);
    }
    return most;
}

} // namespace

class NestedPinsTest : public QObject {
    Q_OBJECT
private slots:
    /// Against the search of all schedules that keep to it, and that search against one that knows no such stages:
    /// where a forward takes longer than all else, plans below twice its time are those that run it once.
    void stagesThatRunOnceDoSo()
    {
        constexpr std::int64_t kLong = 1'000'000;
        std::mt19937_64 random(20261202);
        RandomChainShape shape;
        shape.mostStages = 5;
        shape.mostOptions = 3;
        Tally noDrop, drop, free;
        for (int i = 0; i < chainCount() && !QTest::currentTestFailed(); ++i) {
            Chain chain = randomChain(random, shape);
            const Chain unbound = chain;
            const std::size_t once = random() % chain.stages.size();
            chain.stages[once].runsOnce = true;
            chain.stages[once].forwardTime = {kLong};
            Chain slow = chain;
            slow.stages[once].runsOnce = false;
            const auto truth = searchExhaustively(chain);
            const auto all = searchExhaustively(slow);
            QVERIFY(truth && all);
            std::vector<FrontierPoint> runsOnce;
            std::copy_if(all->points.begin(), all->points.end(), std::back_inserter(runsOnce),
                [&](const FrontierPoint& point) { return point.time.value < 2 * kLong; });
            QVERIFY(truth->points == runsOnce);

            for (const NestedClass wanted : {NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop}) {
                const NestedFrontier frontier = solved(chain, wanted);
                for (std::size_t k = 0; k < frontier.points().size(); ++k) {
                    const auto replayed = replay(chain, frontier.scheduleOf(k));
                    QVERIFY(static_cast<bool>(replayed));
                    QVERIFY((FrontierPoint{replayed->peak, replayed->time, replayed->reruns}) == frontier.points()[k]);
                }
                if (wanted != NestedClass::DropLean)
                    (wanted == NestedClass::Drop ? drop : noDrop).count(truth->points, frontier.points());
            }
            free.count(searchExhaustively(unbound)->points, solved(unbound).points());
        }
        qInfo("missed: %d of %d budgets without drops, %d with; where stages are free %d of %d", noDrop.missed,
            noDrop.budgets, drop.missed, free.missed, free.budgets);
        QVERIFY(drop.missed <= noDrop.missed);
        QVERIFY(drop.missed < 0.04 * drop.budgets);
    }

    /// Where every stage runs once, plans are flat ones.
    void allStagesOnceIsFlat()
    {
        std::mt19937_64 random(5);
        RandomChainShape shape;
        shape.mostStages = 8;
        shape.mostBytes = 500;
        shape.mostTime = 300;
        for (int i = 0; i < 40; ++i) {
            Chain chain = randomChain(random, shape);
            for (Stage& stage : chain.stages)
                stage.runsOnce = true;
            QVERIFY(solved(chain, NestedClass::NoDrop).points() == FlatPlanner(chain).solve()->points());
        }
    }

    void pinnedLayersRunForwardOnce()
    {
        const std::vector<int> open = mostForwards("");
        // The embedding, layers 0 to 5, the head.
        QCOMPARE(open.size(), std::size_t{8});
        int reruns = 0;
        for (std::size_t stage = 1; stage <= 6; ++stage) {
            if (open[stage] == 1)
                continue;
            ++reruns;
            const QString layer = QString("L%1.gelu=").arg(stage - 1);
            QCOMPARE(mostForwards(layer + "keep")[stage], 1);
            // A pin that asks for recomputation forbids no forward.
            QVERIFY(mostForwards(layer + "recompute")[stage] > 1);
        }
        QVERIFY(reruns > 0);
        const std::vector<int> every = mostForwards("*.gelu=keep");
        QVERIFY(std::all_of(every.begin() + 1, every.end() - 1, [](int count) { return count == 1; }));
    }
};

QTEST_APPLESS_MAIN(NestedPinsTest)
#include "nested_pins_test.moc"
