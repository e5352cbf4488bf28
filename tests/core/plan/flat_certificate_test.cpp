// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What a thinned answer states about itself: true gap <= stated gap <= asked gap, because its bound is one.
#include <algorithm>
#include <array>

#include <QtTest/QTest>

#include "core/chain/chain_replay.h"
#include "core/cost/devices.h"
#include "core/plan/flat_bound.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/small_models.h"
#include "tests/support/wide_bert.h"

using namespace remat;

namespace {

/// Long enough for tables that are thinned.
RandomChainShape longShape()
{
    RandomChainShape shape;
    shape.mostStages = 40;
    shape.mostOptions = 10;
    shape.mostBytes = 1'000'000;
    shape.mostTime = 1'000'000;
    return shape;
}

/// From the leanest plan to the cheapest.
std::int64_t memoryRange(const FlatFrontier& exact)
{
    return (exact.points().back().peak - exact.points().front().peak).value;
}

template <class Cost> void boundIsOne(const Chain& chain, const FlatFrontier& exact, std::int64_t range)
{
    const FlatMoves<Cost> moves(chain, FlatMoves<Cost>::usualScale(chain));
    const FlatBound bound = FlatBound::ofWhole(moves, range);
    for (const FrontierPoint& point : exact.points()) {
        const std::int64_t excess = (point.time - moves.leastTime()).value;
        // Up to the next point the frontier stays where it is and the bound falls, so this is where it is highest.
        QVERIFY(bound.at((point.peak - chain.baseBytes).value) <= excess);
    }
    QVERIFY(bound.at(kMaxQuantity) <= 0);
}

/// The largest relative distance of the thinned answer from the exact one at any budget.
double trueGap(const FlatFrontier& thinned, const FlatFrontier& exact)
{
    double gap = 0;
    for (const FrontierPoint& best : exact.points()) {
        const auto ours = thinned.cheapestWithin(best.peak);
        if (!ours)
            return 1;
        gap = std::max(gap, ratio(thinned.points()[*ours].time - best.time, best.time));
    }
    return gap;
}

} // namespace

class FlatCertificateTest : public QObject {
    Q_OBJECT
private slots:
    void theBoundIsNowhereAboveTheFrontier()
    {
        std::mt19937_64 random(11);
        for (int i = 0; i < 1200 && !QTest::currentTestFailed(); ++i) {
            const Chain chain = i % 20 == 0 ? layeredChain(random)
                                            : randomChain(random, i % 3 == 0 ? longShape() : RandomChainShape());
            const FlatFrontier exact = *FlatPlanner(chain).solve();
            const std::int64_t range = memoryRange(exact);
            // The cells' width must not matter: one byte, as the planner has it, and wider than the whole frontier.
            for (const std::int64_t scale : {std::int64_t{0}, range, range * 1000}) {
                boundIsOne<NarrowCost>(chain, exact, scale);
                boundIsOne<WideCost>(chain, exact, scale);
            }
        }
    }

    /// The hull of sums against all sums of corners, one by one.
    void hullsOfSumsHaveEverySumAboveThem()
    {
        std::mt19937_64 random(13);
        const auto upTo
            = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
        for (int i = 0; i < 2000; ++i) {
            std::array<ConvexBound, 2> hulls;
            for (ConvexBound& hull : hulls) {
                for (std::int64_t k = upTo(12); k >= 0; --k)
                    hull.add({upTo(40), upTo(40)});
                hull.makeConvex();
            }
            const auto& [a, b] = hulls;
            const auto from = static_cast<std::size_t>(upTo(static_cast<std::int64_t>(a.corners().size()) - 1));
            ConvexBound sums, all;
            sums.addSums(a, from, b);
            sums.makeConvex();
            for (std::size_t k = from; k < a.corners().size(); ++k)
                for (const ConvexBound::Corner& corner : b.corners())
                    all.add({a.corners()[k].memory + corner.memory, a.corners()[k].excess + corner.excess});
            all.makeConvex();
            QVERIFY(std::equal(sums.corners().begin(), sums.corners().end(), all.corners().begin(), all.corners().end(),
                [](const auto& x, const auto& y) { return x.memory == y.memory && x.excess == y.excess; }));
        }
    }

    void statedGapsHoldOnRandomChains()
    {
        std::mt19937_64 random(12);
        int thinnedChains = 0;
        for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
            const Chain chain = i % 4 == 0 ? randomChain(random, longShape()) : layeredChain(random);
            const FlatFrontier exact = *FlatPlanner(chain).solve();
            for (const double asked : {kAnyGap, 0.05, 0.005, 0.001}) {
                const FlatFrontier thinned = *FlatPlanner(chain, {.gapTarget = asked}).solve();
                thinnedChains += thinned.exact() ? 0 : 1;
                QVERIFY(thinned.gap() <= asked);
                QVERIFY(trueGap(thinned, exact) <= thinned.gap());
                QCOMPARE(thinned.leastPeak(), exact.leastPeak());
                QCOMPARE(thinned.points().back().time, exact.points().back().time);
            }
        }
        QVERIFY(thinnedChains > 50);
    }

    void theSpeedBarsChainIsCertified_data()
    {
        QTest::addColumn<bool>("isCuda");
        QTest::addRow("a100-80") << true;
        QTest::addRow("cpu with round figures") << false;
    }
    /// A thinned answer that may be shown while the exact one is on its way must not fall back to the exact solve.
    void theSpeedBarsChainIsCertified()
    {
        QFETCH(bool, isCuda);
        const Chain chain = testing::wideBertChain(isCuda ? devices().find("a100-80").value() : testing::roundCpu(2));
        const FlatFrontier exact = *FlatPlanner(chain).solve();
        const FlatFrontier thinned = *FlatPlanner(chain, {.gapTarget = 0.001}).solve();
        QVERIFY(!thinned.exact());
        QVERIFY(thinned.gap() <= 0.001);
        QVERIFY(trueGap(thinned, exact) <= thinned.gap());
        boundIsOne<NarrowCost>(chain, exact, memoryRange(exact));
        // The first answer of the window, which asks for no gap in particular.
        const FlatFrontier first = *FlatPlanner(chain, {.gapTarget = kAnyGap}).solve();
        QVERIFY(!first.exact() && first.states() < thinned.states());
        QVERIFY(first.gap() > 0 && first.gap() <= 0.003);
        QVERIFY(trueGap(first, exact) <= first.gap());
        QCOMPARE(first.leastPeak(), exact.leastPeak());
        for (std::size_t k = 0; k < first.points().size(); k += 97) {
            const auto result = replay(chain, flatSchedule(chain, first.choiceOf(k)));
            QVERIFY(result && result->peak == first.points()[k].peak && result->time == first.points()[k].time);
        }
    }
};

QTEST_APPLESS_MAIN(FlatCertificateTest)
#include "flat_certificate_test.moc"
