// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The nested planner against a search of all schedules on small random chains, which shares no code with it.  Its
// classes do not hold every schedule, so how often and how far they miss the optimum is printed and bounded.
#include "core/plan/exhaustive.h"

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/flat_planner.h"
#include "core/plan/nested_planner.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"

using namespace remat;

namespace {

int chainsPerBatch()
{
    return testing::countOf({.brief = 50, .usual = 250, .full = 250});
}

/// All batches take minutes, more than one test function may.
int batches()
{
    return testing::isLongForm() ? 20 : 1;
}

RandomChainShape smallShape()
{
    RandomChainShape shape;
    shape.mostStages = 5;
    shape.mostOptions = 3;
    return shape;
}

/// How a class compares with the true frontier, at the true frontier's budgets.
struct Tally {
    std::int64_t budgets = 0;
    std::int64_t above = 0;
    std::int64_t infeasible = 0;
    double worst = 1;

    void count(const std::vector<FrontierPoint>& truth, const std::vector<FrontierPoint>& ours)
    {
        for (const FrontierPoint& best : truth) {
            ++budgets;
            const std::size_t point = lastWithin(ours, best.peak);
            if (point == ours.size()) {
                ++infeasible;
            } else if (ours[point].time > best.time) {
                ++above;
                worst = std::max(worst, ratio(ours[point].time, best.time));
            }
        }
    }
    double share() const { return static_cast<double>(above + infeasible) / static_cast<double>(budgets); }
};

void requireReplayed(const Chain& chain, const FrontierPoint& point, const Schedule& schedule)
{
    const auto replayed = replay(chain, schedule);
    QVERIFY(static_cast<bool>(replayed));
    QVERIFY((FrontierPoint{replayed->peak, replayed->time, replayed->reruns}) == point);
}

NestedFrontier solved(const Chain& chain, NestedClass wanted)
{
    NestedLimits limits;
    limits.wanted = wanted;
    limits.threads = 1;
    return *NestedPlanner(chain, limits).solve();
}

bool isBelow(const std::vector<FrontierPoint>& points, const std::vector<FrontierPoint>& bound)
{
    return std::any_of(points.begin(), points.end(), [&](const FrontierPoint& point) {
        const std::size_t best = lastWithin(bound, point.peak);
        return best == bound.size()
            || std::tuple(point.time, point.reruns) < std::tuple(bound[best].time, bound[best].reruns);
    });
}

} // namespace

class NestedExhaustiveTest : public QObject {
    Q_OBJECT
private slots:
    void neverBelowAnySchedule_data()
    {
        QTest::addColumn<int>("batch");
        for (int batch = 0; batch < batches(); ++batch)
            QTest::addRow("batch %d", batch) << batch;
    }
    void neverBelowAnySchedule()
    {
        QFETCH(int, batch);
        std::mt19937_64 random(20260501 + static_cast<std::uint64_t>(batch));
        for (int i = 0; i < chainsPerBatch() && !QTest::currentTestFailed(); ++i) {
            const Chain chain = randomChain(random, smallShape());
            const auto truth = searchExhaustively(chain);
            QVERIFY(static_cast<bool>(truth));
            for (std::size_t k = 0; k < truth->points.size(); ++k)
                requireReplayed(chain, truth->points[k], truth->schedules[k]);
            m_flat.count(truth->points, FlatPlanner(chain).solve()->points());
            for (const NestedClass wanted : {NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop}) {
                const NestedFrontier frontier = solved(chain, wanted);
                QVERIFY2(!isBelow(frontier.points(), truth->points), qPrintable(QString("chain %1").arg(i)));
                for (std::size_t k = 0; k < frontier.points().size(); ++k)
                    requireReplayed(chain, frontier.points()[k], frontier.scheduleOf(k));
                if (wanted != NestedClass::DropLean)
                    (wanted == NestedClass::Drop ? m_drop : m_noDrop).count(truth->points, frontier.points());
            }
            ++m_chains;
        }
    }

    void seldomAboveTheBestSchedule()
    {
        if (m_chains == 0)
            QSKIP("neverBelowAnySchedule() searches the schedules");
        for (const auto& [name, tally] : {std::pair("flat", m_flat), {"nested-no-drop", m_noDrop}, {"nested", m_drop}})
            qInfo("%-14s of %lld budgets of %d chains %lld are above the optimum (worst %.3f x), %lld do not fit: "
                  "%.2f %%",
                name, static_cast<long long>(tally.budgets), m_chains, static_cast<long long>(tally.above), tally.worst,
                static_cast<long long>(tally.infeasible), 100 * tally.share());
        QVERIFY(m_drop.share() < 0.04);
        QVERIFY(m_drop.share() < m_noDrop.share() && m_noDrop.share() < m_flat.share());
    }

    /// Nanoseconds and reruns that do not fit one 64-bit cost take the wide path.
    void widePathReplays()
    {
        std::mt19937_64 random(12);
        RandomChainShape shape = smallShape();
        shape.mostStages = 4;
        shape.mostBytes = std::int64_t{1} << 54;
        shape.mostTime = std::int64_t{1} << 55;
        shape.mostReruns = std::int64_t{1} << 40;
        for (int i = 0; i < 40 && !QTest::currentTestFailed(); ++i) {
            const Chain chain = randomChain(random, shape);
            const auto truth = searchExhaustively(chain);
            QVERIFY(static_cast<bool>(truth));
            const NestedFrontier frontier = solved(chain, NestedClass::Drop);
            QVERIFY(!isBelow(frontier.points(), truth->points));
            for (std::size_t k = 0; k < frontier.points().size(); ++k)
                requireReplayed(chain, frontier.points()[k], frontier.scheduleOf(k));
        }
    }

    /// By hand, against a truth of three points: itself; one that is slower at a peak and has another too many bytes
    /// up; one that is faster than any schedule; one below the least peak.
    void agreementCountsBothWays()
    {
        const std::vector<FrontierPoint> truth{{{10}, {30}, 2}, {{20}, {20}, 1}, {{30}, {10}, 0}};
        QVERIFY(agreementOf(truth, truth).isEqual());
        const std::vector<FrontierPoint> slower{{{10}, {30}, 2}, {{20}, {21}, 1}, {{31}, {10}, 0}};
        QCOMPARE(agreementOf(truth, slower).missed, std::int64_t{2});
        QCOMPARE(agreementOf(truth, slower).impossible, std::int64_t{0});
        const std::vector<FrontierPoint> faster{{{10}, {30}, 2}, {{20}, {19}, 1}, {{30}, {10}, 0}};
        QCOMPARE(agreementOf(truth, faster).missed, std::int64_t{0});
        QCOMPARE(agreementOf(truth, faster).impossible, std::int64_t{1});
        QVERIFY(!agreementOf(truth, faster).isEqual());
        const std::vector<FrontierPoint> leaner{{{9}, {30}, 2}, {{20}, {20}, 1}, {{30}, {10}, 0}};
        QCOMPARE(agreementOf(truth, leaner).impossible, std::int64_t{1});
    }

    void tooLongChainsAreRefused()
    {
        std::mt19937_64 random(1);
        Chain chain = randomChain(random);
        chain.stages.resize(1);
        chain.stages.resize(8, chain.stages.front());
        const auto refused = searchExhaustively(chain);
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("exhaustive-too-many-stages"));
    }

private:
    int m_chains = 0;
    Tally m_flat, m_noDrop, m_drop;
};

QTEST_APPLESS_MAIN(NestedExhaustiveTest)
#include "nested_exhaustive_test.moc"
