// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What must hold of every nested frontier, whatever its numbers (docs/architecture.md, laws 2, 3 and 5).
#include "core/plan/nested_planner.h"

#include <algorithm>

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"

using namespace remat;

namespace {

int chainCount()
{
    return testing::countOf({.brief = 8, .usual = 60, .full = 60});
}

NestedFrontier solved(const Chain& chain, int threads = 1, NestedClass wanted = NestedClass::Drop)
{
    NestedLimits limits;
    limits.threads = threads;
    limits.wanted = wanted;
    return *NestedPlanner(chain, limits).solve();
}

RandomChainShape largerShape()
{
    RandomChainShape shape;
    shape.mostStages = 10;
    shape.mostOptions = 4;
    shape.mostBytes = 5000;
    shape.mostTime = 3000;
    return shape;
}

/// Calls check(chain) for many chains until a check fails.
template <class Check> void forEveryChain(Check check)
{
    std::mt19937_64 random(99);
    for (int i = 0; i < chainCount() && !QTest::currentTestFailed(); ++i)
        check(randomChain(random, largerShape()));
}

/// True when at every budget `points` is at least as good as `others`.
bool isNowhereAbove(const std::vector<FrontierPoint>& points, const std::vector<FrontierPoint>& others)
{
    return std::all_of(others.begin(), others.end(), [&](const FrontierPoint& other) {
        const std::size_t ours = lastWithin(points, other.peak);
        return ours < points.size()
            && std::tuple(points[ours].time, points[ours].reruns) <= std::tuple(other.time, other.reruns);
    });
}

} // namespace

class NestedPropertiesTest : public QObject {
    Q_OBJECT
private slots:
    void moreBudgetNeverCosts()
    {
        forEveryChain([](const Chain& chain) {
            const NestedFrontier frontier = solved(chain);
            const auto& points = frontier.points();
            for (std::size_t i = 0; i < points.size(); ++i) {
                QCOMPARE(*frontier.cheapestWithin(points[i].peak), i);
                if (i == 0)
                    continue;
                QVERIFY(points[i].peak > points[i - 1].peak);
                QVERIFY(std::tuple(points[i].time, points[i].reruns)
                    < std::tuple(points[i - 1].time, points[i - 1].reruns));
            }
            QCOMPARE(points.back().time, leastTime(chain));
            QVERIFY(!frontier.cheapestWithin(points.front().peak - Bytes{1}));
        });
    }

    void everyPointReplays()
    {
        forEveryChain([](const Chain& chain) {
            const NestedFrontier frontier = solved(chain);
            for (std::size_t k = 0; k < frontier.points().size(); k += 7) {
                const auto replayed = replay(chain, frontier.scheduleOf(k));
                QVERIFY(static_cast<bool>(replayed));
                QVERIFY((FrontierPoint{replayed->peak, replayed->time, replayed->reruns}) == frontier.points()[k]);
            }
        });
    }

    void widerClassesAreNowhereWorse()
    {
        forEveryChain([](const Chain& chain) {
            const auto flat = FlatPlanner(chain).solve()->points();
            const auto noDrop = solved(chain, 1, NestedClass::NoDrop).points();
            const auto lean = solved(chain, 1, NestedClass::DropLean).points();
            const auto drop = solved(chain, 1, NestedClass::Drop).points();
            QVERIFY(isNowhereAbove(noDrop, flat));
            QVERIFY(isNowhereAbove(lean, noDrop));
            QVERIFY(isNowhereAbove(drop, lean));
        });
    }

    void scalingBytesScalesPeaks()
    {
        constexpr std::int64_t kFactor = 4093;
        forEveryChain([](const Chain& chain) {
            std::vector<FrontierPoint> expected = solved(chain).points();
            for (FrontierPoint& point : expected)
                point.peak.value *= kFactor;
            QVERIFY(solved(scaledBytes(chain, kFactor)).points() == expected);
        });
    }

    void scalingTimesScalesTimes()
    {
        constexpr std::int64_t kFactor = 1009;
        forEveryChain([](const Chain& chain) {
            std::vector<FrontierPoint> expected = solved(chain).points();
            for (FrontierPoint& point : expected)
                point.time.value *= kFactor;
            QVERIFY(solved(scaledTimes(chain, kFactor)).points() == expected);
        });
    }

    /// A stage of nothing at the end of another splits that one in two, of which the second costs nothing.
    void aStageOfNothingNeverHurts()
    {
        forEveryChain([](const Chain& chain) {
            Chain longer = chain;
            Stage nothing;
            nothing.name = "nothing";
            nothing.options.push_back(Option{"all"});
            nothing.options.front().needsInput = false;
            longer.stages.insert(longer.stages.begin(), nothing);
            // Costs of reruns are not compared: a stage of nothing may run again for nothing.
            const auto before = solved(chain).points();
            const auto after = solved(longer).points();
            for (const FrontierPoint& point : before)
                QCOMPARE(after[lastWithin(after, point.peak)].time, point.time);
        });
    }

    /// Two halves can do all that the whole can, in the same memory and time.
    void aStageInTwoHalvesIsNowhereWorse()
    {
        std::mt19937_64 random(9);
        forEveryChain([&](const Chain& chain) {
            const auto before = solved(chain).points();
            const auto after = solved(withStageInTwo(chain, random() % chain.stages.size())).points();
            for (const FrontierPoint& point : before) {
                const std::size_t best = lastWithin(after, point.peak);
                QVERIFY(best < after.size() && after[best].time <= point.time);
            }
        });
    }

    void namesAndOrdersOfOptionsChangeNothing()
    {
        forEveryChain([](const Chain& chain) {
            Chain other = chain;
            int number = 0;
            for (Stage& stage : other.stages) {
                std::reverse(stage.options.begin(), stage.options.end());
                stage.name = std::to_string(++number);
                stage.kind = stage.name;
            }
            QVERIFY(solved(other).points() == solved(chain).points());
        });
    }

    void threadsChangeNothing()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 12; ++i) {
            const Chain chain = i % 2 == 0 ? randomChain(random, largerShape()) : layeredChain(random);
            const NestedClass wanted = i % 2 == 0 ? NestedClass::Drop : NestedClass::NoDrop;
            const NestedFrontier one = solved(chain, 1, wanted);
            for (const int threads : {2, 3, 8}) {
                const NestedFrontier other = solved(chain, threads, wanted);
                QVERIFY(other.points() == one.points());
                for (std::size_t k = 0; k < one.points().size(); k += 97)
                    QVERIFY(other.scheduleOf(k) == one.scheduleOf(k));
            }
        }
    }

    void aStoppedSolveSaysSo()
    {
        std::mt19937_64 random(3);
        const Chain chain = layeredChain(random);
        std::stop_source stop;
        NestedLimits limits;
        limits.cancel = stop.get_token();
        int calls = 0;
        limits.progress = [&](double) {
            if (++calls == 2)
                stop.request_stop();
        };
        const auto result = NestedPlanner(chain, limits).solve();
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().code->name), std::string("solve-cancelled"));
        QCOMPARE(calls, 2);
    }

    void progressRisesToOne()
    {
        std::mt19937_64 random(3);
        const Chain chain = randomChain(random, largerShape());
        std::vector<double> shares;
        NestedLimits limits;
        limits.progress = [&](double share) { shares.push_back(share); };
        QVERIFY(static_cast<bool>(NestedPlanner(chain, limits).solve()));
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QCOMPARE(shares.back(), 1.0);
    }

    /// Where the work allowed is too little for a class, the answer is that of the next smaller one, and says so.
    void smallerClassesAnswerWhereTheWorkIsTooMuch()
    {
        int lean = 0, noDrop = 0;
        forEveryChain([&](Chain chain) {
            // The lean class has plans of its own only where options save nothing.
            for (Stage& stage : chain.stages) {
                stage.options.front().backwardTempBytes += stage.options.front().savedBytes;
                stage.options.front().savedBytes = {};
            }
            for (NestedLimits limits{.threads = 1, .maxWork = 20'000'000}; limits.maxWork > 0;
                 limits.maxWork = limits.maxWork * 2 / 3) {
                const Result<NestedFrontier> frontier = NestedPlanner(chain, limits).solve();
                if (!frontier || !frontier->exact())
                    break;
                QVERIFY(frontier->points() == solved(chain, 1, frontier->solvedClass()).points());
                lean += frontier->solvedClass() == NestedClass::DropLean;
                noDrop += frontier->solvedClass() == NestedClass::NoDrop;
            }
        });
        QVERIFY(lean > 0 && noDrop > 0);
    }

    /// 100 stages of 2^54 ns and as many reruns: each sum is below 2^61, but costs would reach 2^127.9.
    void costsBeyondTheWidestTypeAreRefused()
    {
        const std::int64_t large = std::int64_t{1} << 54;
        Chain chain{"large", {1}, {0}, {}};
        chain.stages.resize(
            100, {"a", "", {1}, {1}, {0}, {large}, {0}, {{"all", {1}, true, false, {0}, {1}, {0}, large}}});
        const Result<NestedFrontier> refused = NestedPlanner(chain).solve();
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("nested-costs-too-large"));
    }

    /// Flat: every plan replays.  Nested: half a million stretches are beyond the limits, which is said before any
    /// work.
    void aThousandDifferentStagesArePlannedFlatAndRefusedNested()
    {
        std::mt19937_64 random(10);
        RandomChainShape shape = largerShape();
        shape.mostOptions = 3;
        Chain chain{"a thousand", {1}, {0}, {}};
        while (chain.stages.size() < 1000) {
            Stage stage = randomChain(random, shape).stages.front();
            const Bytes inputGrad = chain.stages.empty() ? Bytes{} : chain.stages.back().gradBytes;
            if (chain.stages.size() == 999)
                stage.gradBytes = {};
            for (Option& option : stage.options)
                option.backwardTempBytes = std::max(option.backwardTempBytes, inputGrad + stage.weightGradBytes);
            chain.stages.push_back(stage);
        }
        const FlatFrontier flat = *FlatPlanner(chain).solve();
        for (const std::size_t point : {std::size_t{0}, flat.points().size() / 2, flat.points().size() - 1}) {
            const auto found = replay(chain, flatSchedule(chain, flat.choiceOf(point)));
            QVERIFY(static_cast<bool>(found));
            QCOMPARE(found->peak, flat.points()[point].peak);
            QCOMPARE(found->time, flat.points()[point].time);
        }
        int tablesDone = 0;
        NestedLimits limits;
        limits.progress = [&](double) { ++tablesDone; };
        const Result<NestedFrontier> nested = NestedPlanner(chain, limits).solve();
        QVERIFY(!nested);
        QCOMPARE(std::string(nested.error().code->name), std::string("nested-too-large"));
        QCOMPARE(tablesDone, 0);
    }

    void veryLongChainsAreRefused()
    {
        Chain chain;
        chain.stages.resize(kMostNestedStages + 1);
        for (Stage& stage : chain.stages)
            stage.options.resize(1);
        const auto refused = NestedPlanner(chain).solve();
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("nested-too-many-stages"));
    }
};

QTEST_APPLESS_MAIN(NestedPropertiesTest)
#include "nested_properties_test.moc"
