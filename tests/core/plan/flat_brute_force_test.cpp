// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The flat planner against every choice of options on small random chains.  Nothing here shares code with the planner:
// schedules are built by looking for each output's last reader, and numbers come from replay().
#include "core/plan/flat_planner.h"

#include <tuple>

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/flat_schedule.h"
#include "tests/core/plan/random_chain.h"

using namespace remat;

namespace {

/// Every output goes right after the last op that reads it (docs/planner.md, "Flat").
Schedule scheduleByLastReader(const Chain& chain, const std::vector<int>& options)
{
    const int n = static_cast<int>(chain.stages.size());
    Schedule ops;
    for (int i = 0; i < n; ++i)
        ops.push_back({ScheduleOp::Kind::Forward, i, options[static_cast<std::size_t>(i)]});
    for (int i = n - 1; i >= 0; --i)
        ops.push_back({ScheduleOp::Kind::Backward, i});
    const auto option = [&](int i) -> const Option& {
        return chain.stages[static_cast<std::size_t>(i)]
            .options[static_cast<std::size_t>(options[static_cast<std::size_t>(i)])];
    };
    std::vector<std::vector<int>> freedAfter(ops.size());
    for (int x = 0; x < n; ++x) {
        std::size_t last = 0;
        for (std::size_t k = 0; k < ops.size(); ++k) {
            const ScheduleOp& op = ops[k];
            const bool isForward = op.kind == ScheduleOp::Kind::Forward;
            const bool reads = isForward
                ? op.stage == x || op.stage == x + 1
                : (op.stage == x && option(x).needsOutput) || (op.stage == x + 1 && option(op.stage).needsInput);
            if (reads)
                last = k;
        }
        if (last + 1 < ops.size())
            freedAfter[last].push_back(x);
    }
    Schedule schedule;
    for (std::size_t k = 0; k < ops.size(); ++k) {
        schedule.push_back(ops[k]);
        for (const int x : freedAfter[k])
            schedule.push_back({ScheduleOp::Kind::FreeOutput, x});
    }
    return schedule;
}

struct Choice {
    std::vector<int> options;
    FrontierPoint point;
};

std::vector<Choice> everyChoice(const Chain& chain)
{
    std::vector<Choice> all;
    std::vector<int> options(chain.stages.size(), 0);
    while (true) {
        const auto result = replay(chain, scheduleByLastReader(chain, options));
        if (!result) {
            all.clear();
            return all;
        }
        all.push_back({options, {result->peak, result->time, result->reruns}});
        std::size_t i = 0;
        while (i < options.size() && ++options[i] == static_cast<int>(chain.stages[i].options.size()))
            options[i++] = 0;
        if (i == options.size())
            return all;
    }
}

auto costOf(const FrontierPoint& point)
{
    return std::tuple(point.time, point.reruns);
}

std::vector<FrontierPoint> frontierOf(std::vector<Choice> choices)
{
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return std::tuple_cat(std::tuple(a.point.peak), costOf(a.point))
            < std::tuple_cat(std::tuple(b.point.peak), costOf(b.point));
    });
    std::vector<FrontierPoint> frontier;
    for (const Choice& choice : choices)
        if (frontier.empty() || costOf(choice.point) < costOf(frontier.back()))
            frontier.push_back(choice.point);
    return frontier;
}

/// What each stage keeps from its forward to its backward, stage by stage: its interior, and its input if that stays.
std::vector<Bytes> keptByStage(const Chain& chain, const std::vector<int>& options)
{
    std::vector<Bytes> kept;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const Option& option = chain.stages[i].options[static_cast<std::size_t>(options[i])];
        kept.push_back(option.savedBytes);
        if (i > 0) {
            const auto before = static_cast<std::size_t>(options[i - 1]);
            if (option.needsInput || chain.stages[i - 1].options[before].needsOutput)
                kept.back() += chain.stages[i - 1].outBytes;
        }
    }
    return kept;
}

QString shown(const std::vector<FrontierPoint>& points)
{
    QString text;
    for (const FrontierPoint& point : points)
        text += QString(" (%1 B, %2 ns, %3)").arg(point.peak.value).arg(point.time.value).arg(point.reruns);
    return text;
}

void checkAgainstEveryChoice(const Chain& chain, int number)
{
    const std::vector<Choice> choices = everyChoice(chain);
    QVERIFY2(!choices.empty(), "the test's own schedules must replay");
    const std::vector<FrontierPoint> expected = frontierOf(choices);
    const auto frontier = FlatPlanner(chain).solve();
    QVERIFY(static_cast<bool>(frontier));
    QVERIFY(frontier->exact());
    QCOMPARE(frontier->gap(), 0.0);
    QVERIFY2(frontier->points() == expected,
        qPrintable(
            QString("chain %1: expected%2, found%3").arg(number).arg(shown(expected), shown(frontier->points()))));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const std::vector<int> options = frontier->choiceOf(k);
        const Schedule schedule = flatSchedule(chain, options);
        const auto replayed = replay(chain, schedule);
        QVERIFY(static_cast<bool>(replayed));
        QVERIFY((FrontierPoint{replayed->peak, replayed->time, replayed->reruns}) == expected[k]);
        // Law 5: what still ties recomputes the earlier layer.
        const std::vector<Bytes> kept = keptByStage(chain, options);
        for (const Choice& other : choices)
            if (other.point.peak <= expected[k].peak && costOf(other.point) == costOf(expected[k]))
                QVERIFY2(kept <= keptByStage(chain, other.options), qPrintable(QString("chain %1").arg(number)));
    }
}

} // namespace

class FlatBruteForceTest : public QObject {
    Q_OBJECT
private slots:
    void equalsEveryChoiceOnSmallChains()
    {
        std::mt19937_64 random(20260101);
        for (int i = 0; i < 2500; ++i) {
            checkAgainstEveryChoice(randomChain(random), i);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void equalsEveryChoiceOnChainsOfManyOptions()
    {
        std::mt19937_64 random(7);
        RandomChainShape shape;
        shape.mostStages = 3;
        shape.mostOptions = 9;
        shape.mostBytes = 1000;
        shape.mostTime = 1000;
        for (int i = 0; i < 300; ++i) {
            checkAgainstEveryChoice(randomChain(random, shape), i);
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// Nanoseconds and reruns that do not fit one 64-bit cost take the wide path.
    void equalsEveryChoiceWhereCostsNeed128Bits()
    {
        std::mt19937_64 random(11);
        RandomChainShape shape;
        shape.mostStages = 4;
        shape.mostOptions = 3;
        shape.mostBytes = std::int64_t{1} << 54;
        shape.mostTime = std::int64_t{1} << 56;
        shape.mostReruns = std::int64_t{1} << 40;
        for (int i = 0; i < 300; ++i) {
            checkAgainstEveryChoice(randomChain(random, shape), i);
            if (QTest::currentTestFailed())
                return;
        }
    }
};

QTEST_APPLESS_MAIN(FlatBruteForceTest)
#include "flat_brute_force_test.moc"
