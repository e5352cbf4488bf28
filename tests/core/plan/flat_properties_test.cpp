// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What must hold of every flat frontier, whatever its numbers (docs/architecture.md, laws 2, 3 and 5).
#include "core/plan/flat_planner.h"

#include <algorithm>

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/flat_schedule.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"

using namespace remat;

namespace {

int chainCount()
{
    return testing::countOf({.brief = 150, .usual = 300, .full = 300});
}

FlatFrontier solved(const Chain& chain)
{
    return *FlatPlanner(chain).solve();
}

RandomChainShape largerShape()
{
    RandomChainShape shape;
    shape.mostStages = 24;
    shape.mostOptions = 6;
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

} // namespace

class FlatPropertiesTest : public QObject {
    Q_OBJECT
private slots:
    /// Tables of some thousand points are cut into ranges, at the start of which a range knows nothing of those before.
    void threadsChangeNothing()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 3; ++i) {
            Chain chain = denseChain(random, 10, 20);
            // Where stages differ, no exchange says what to put them before.
            chain.stages[i == 0 ? 5 : 0].options.resize(10);
            const FlatFrontier one = *FlatPlanner(chain, {.threads = 1}).solve();
            QVERIFY(one.points().size() > 10'000);
            for (const int threads : {2, 3, 8}) {
                const FlatFrontier other = *FlatPlanner(chain, {.threads = threads}).solve();
                QVERIFY(other.points() == one.points());
                QCOMPARE(other.states(), one.states());
                for (std::size_t k = 0; k < one.points().size(); k += 997)
                    QVERIFY(other.choiceOf(k) == one.choiceOf(k));
            }
        }
    }

    void moreBudgetNeverCosts()
    {
        forEveryChain([](const Chain& chain) {
            const FlatFrontier frontier = solved(chain);
            const auto& points = frontier.points();
            for (std::size_t i = 1; i < points.size(); ++i) {
                QVERIFY(points[i].peak > points[i - 1].peak);
                QVERIFY(std::tuple(points[i].time, points[i].reruns)
                    < std::tuple(points[i - 1].time, points[i - 1].reruns));
            }
            QCOMPARE(points.back().time, leastTime(chain));
        });
    }

    void budgetsPickTheLastPointThatFits()
    {
        forEveryChain([](const Chain& chain) {
            const FlatFrontier frontier = solved(chain);
            const auto& points = frontier.points();
            for (std::size_t i = 0; i < points.size(); ++i) {
                QCOMPARE(*frontier.cheapestWithin(points[i].peak), i);
                const Bytes below = points[i].peak - Bytes{1};
                if (i > 0)
                    QCOMPARE(*frontier.cheapestWithin(below), i - 1);
                else
                    QVERIFY(!frontier.cheapestWithin(below));
            }
            QCOMPARE(*frontier.cheapestWithin({kMaxQuantity}), points.size() - 1);
        });
    }

    void theCertificateNamesWhatReplayFinds()
    {
        int ofStages = 0;
        int ofStepEnds = 0;
        forEveryChain([&](const Chain& chain) {
            const FlatFrontier frontier = solved(chain);
            const Bytes least = frontier.leastPeak();
            const Schedule schedule = flatSchedule(chain, frontier.choiceOf(0));
            const auto replayed = replay(chain, schedule);
            QVERIFY(static_cast<bool>(replayed));
            QCOMPARE(replayed->peak, least);
            const Bytes budget = least - Bytes{3};
            const auto refused = frontier.cheapestWithin(budget);
            QVERIFY(!refused);
            const Error& error = refused.error();
            QCOMPARE(error.exitCode(), ExitCode::DoesNotFit);
            QCOMPARE(std::get<Bytes>(error.arguments.at(0)), budget);
            QCOMPARE(std::get<Bytes>(error.arguments.at(1)), least);
            QCOMPARE(std::get<Bytes>(error.arguments.at(2)), Bytes{3});
            if (replayed->peakMoment == PeakMoment::DuringOp) {
                ++ofStages;
                const ScheduleOp& op = schedule[replayed->peakOp];
                const bool isForward = op.kind == ScheduleOp::Kind::Forward;
                QCOMPARE(std::string(error.code->name),
                    std::string(isForward ? "does-not-fit-forward" : "does-not-fit-backward"));
                QCOMPARE(std::get<std::int64_t>(error.arguments.at(4)), op.stage + 1);
                QCOMPARE(std::get<std::string>(error.arguments.at(5)),
                    chain.stages[static_cast<std::size_t>(op.stage)].name);
            } else if (replayed->peakMoment == PeakMoment::StepEnd) {
                ++ofStepEnds;
                QCOMPARE(std::string(error.code->name), std::string("does-not-fit-step-end"));
            }
        });
        QVERIFY(ofStages > 10);
        QVERIFY(ofStepEnds > 0);
    }

    void baseThatDoesNotFitIsNamed()
    {
        Chain chain;
        chain.baseBytes = {100};
        chain.stages.resize(1);
        chain.stages[0].options.resize(1);
        const auto refused = solved(chain).cheapestWithin({99});
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("does-not-fit-base"));
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

    void aStageOfNothingChangesNothing()
    {
        forEveryChain([](const Chain& chain) {
            Chain longer = chain;
            Stage nothing;
            nothing.name = "nothing";
            nothing.options.push_back(Option{"all"});
            longer.stages.insert(longer.stages.begin(), nothing);
            QVERIFY(solved(longer).points() == solved(chain).points());
        });
    }

    /// Two halves can do all that the whole can, in the same memory and time; with one option and an input that stays
    /// nothing else.
    void aStageInTwoHalvesDoesTheSame()
    {
        std::mt19937_64 random(8);
        forEveryChain([&](const Chain& chain) {
            const std::size_t at = random() % chain.stages.size();
            const auto before = solved(chain).points();
            const auto after = solved(withStageInTwo(chain, at)).points();
            for (const FrontierPoint& point : before) {
                const std::size_t best = lastWithin(after, point.peak);
                QVERIFY(best < after.size() && after[best].time <= point.time);
            }
            Chain single = chain;
            single.stages[at].options.resize(1);
            single.stages[at].options.front().needsInput = true;
            QVERIFY(solved(withStageInTwo(single, at)).points() == solved(single).points());
        });
    }

    void theOrderOfOptionsChangesNoPoint()
    {
        forEveryChain([](const Chain& chain) {
            Chain reversed = chain;
            for (Stage& stage : reversed.stages)
                std::reverse(stage.options.begin(), stage.options.end());
            QVERIFY(solved(reversed).points() == solved(chain).points());
        });
    }

    void exchangingIdenticalStagesChangesNothing()
    {
        std::mt19937_64 random(5);
        RandomChainShape shape = largerShape();
        for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
            // One random stage repeated with its names changed: the planner must not look at names or kinds.
            Chain chain = randomChain(random, shape);
            Stage repeated = chain.stages[chain.stages.size() / 2];
            repeated.gradBytes = {};
            repeated.weightGradBytes = {};
            chain.stages.assign(12, repeated);
            const FlatFrontier frontier = solved(chain);
            Chain renamed = chain;
            for (std::size_t s = 0; s < renamed.stages.size(); ++s) {
                renamed.stages[s].name = std::to_string(renamed.stages.size() - s);
                renamed.stages[s].kind = s % 2 == 0 ? "even" : "odd";
            }
            const FlatFrontier other = solved(renamed);
            QVERIFY(frontier.points() == other.points());
            for (std::size_t k = 0; k < frontier.points().size(); ++k)
                QVERIFY(frontier.choiceOf(k) == other.choiceOf(k));
        }
    }

    /// The solver skips orders of repeated stages (core/plan/exchange.h); an option that nobody takes in every other
    /// layer makes it try them all.
    void repeatedStagesLoseNoPoint()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
            const Chain chain = layeredChain(random);
            Chain uneven = chain;
            for (std::size_t s = 1; s + 1 < uneven.stages.size(); s += 2) {
                Option worse = uneven.stages[s].options.front();
                worse.name = "worse";
                worse.backwardTime += Nanoseconds{1};
                uneven.stages[s].options.push_back(worse);
            }
            QVERIFY(solved(chain).points() == solved(uneven).points());
        }
    }

    void theSameChainGivesTheSameAnswer()
    {
        forEveryChain([](const Chain& chain) {
            const FlatFrontier first = solved(chain);
            const FlatFrontier second = solved(chain);
            QVERIFY(first.points() == second.points());
            for (std::size_t k = 0; k < first.points().size(); ++k)
                QVERIFY(first.choiceOf(k) == second.choiceOf(k));
        });
    }

    void aStoppedSolveSaysSo()
    {
        std::mt19937_64 random(3);
        const Chain chain = randomChain(random, largerShape());
        std::stop_source stop;
        FlatLimits limits;
        limits.cancel = stop.get_token();
        int calls = 0;
        limits.progress = [&](double) {
            if (++calls == 2)
                stop.request_stop();
        };
        QVERIFY(chain.stages.size() > 2);
        const auto result = FlatPlanner(chain, limits).solve();
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().code->name), std::string("solve-cancelled"));
        QCOMPARE(calls, 2);
    }

    void progressRisesToOne()
    {
        std::mt19937_64 random(3);
        const Chain chain = randomChain(random, largerShape());
        std::vector<double> shares;
        FlatLimits limits;
        limits.progress = [&](double share) { shares.push_back(share); };
        QVERIFY(static_cast<bool>(FlatPlanner(chain, limits).solve()));
        QCOMPARE(shares.size(), chain.stages.size());
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QCOMPARE(shares.back(), 1.0);
    }
};

QTEST_APPLESS_MAIN(FlatPropertiesTest)
#include "flat_properties_test.moc"
