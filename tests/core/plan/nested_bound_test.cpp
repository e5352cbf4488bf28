// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Nested tables without what a known plan beats, and ones that take over flat tables, against the same tables with
// everything in them that know of nothing: answers and schedules must be the same, whatever plans were known.
#include "core/plan/nested_bound.h"

#include <algorithm>
#include <array>
#include <limits>

#include <QtTest/QTest>

#include "core/plan/flat_planner.h"
#include "core/plan/nested_tables.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"
#include "tests/support/reference_chains.h"

using namespace remat;

namespace {

using Tables = NestedTables<NarrowCost>;

constexpr std::array kClasses{NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop};

std::unique_ptr<Tables> filled(const Chain& chain, NestedClass nestedClass, const std::vector<FrontierPoint>& known)
{
    NestedLimits limits;
    limits.threads = 1;
    limits.maxWork = std::numeric_limits<std::int64_t>::max();
    auto tables = std::make_unique<Tables>(chain, nestedClass);
    return tables->fill(limits, known) == Tables::Outcome::Done ? std::move(tables) : nullptr;
}

std::vector<FrontierPoint> pointsOf(const Tables& tables)
{
    std::vector<FrontierPoint> points;
    for (std::size_t i = 0; i < tables.points(); ++i)
        points.push_back(tables.pointAt(i));
    return points;
}

/// The whole tables and the points left in ones that know flat plans, those of a smaller class, or the answer itself.
struct Compared {
    std::int64_t whole = 0;
    std::int64_t left = 0;
};

void compare(const Chain& chain, Compared& sum)
{
    std::vector<std::vector<FrontierPoint>> known{FlatPlanner(chain).solve()->points()};
    Tables thinned(chain, NestedClass::NoDrop);
    QCOMPARE(thinned.fillThinned({.threads = 1}, 4), Tables::Outcome::Done);
    known.push_back(pointsOf(thinned));
    for (const NestedClass nestedClass : kClasses) {
        const auto whole = filled(chain, nestedClass, {});
        QVERIFY(whole != nullptr);
        const std::vector<FrontierPoint> points = pointsOf(*whole);
        known.push_back(points);
        for (const std::vector<FrontierPoint>& plans : known) {
            const auto bounded = filled(chain, nestedClass, plans);
            QVERIFY(bounded != nullptr);
            QVERIFY(pointsOf(*bounded) == points);
            const std::size_t stride = points.size() / 50 + 1;
            for (std::size_t i = 0; i < points.size(); i += stride)
                QVERIFY(bounded->scheduleOf(i) == whole->scheduleOf(i));
            QVERIFY(bounded->states() <= whole->states());
            sum.whole += whole->states();
            sum.left += bounded->states();
        }
    }
}

/// Where nothing is left out, the tables behind the answer must be the same too, and are where as many points are in
/// them.
void compareWithFlatTables(const Chain& chain)
{
    const auto whole = filled(chain, NestedClass::NoDrop, {});
    QVERIFY(whole != nullptr);
    Tables tables(chain, NestedClass::NoDrop);
    FlatTables<NarrowCost> flat(chain, tables.costPerNanosecond());
    QCOMPARE(flat.fill({}, FlatTables<NarrowCost>::kAllPoints, {}), FlatTables<NarrowCost>::Outcome::Done);
    for (const std::vector<FrontierPoint>& known :
        {std::vector<FrontierPoint>{}, FlatPlanner(chain).solve()->points()}) {
        QCOMPARE(tables.fill({}, known, &flat), Tables::Outcome::Done);
        QVERIFY(pointsOf(tables) == pointsOf(*whole));
        QVERIFY(tables.states() == whole->states() || (!known.empty() && tables.states() < whole->states()));
        for (std::size_t i = 0; i < whole->points(); ++i)
            QVERIFY(tables.scheduleOf(i) == whole->scheduleOf(i));
    }
}

RandomChainShape shapeOf(int stages, int options, std::int64_t bytes, std::int64_t time)
{
    RandomChainShape shape;
    shape.mostStages = stages;
    shape.mostOptions = options;
    shape.mostBytes = bytes;
    shape.mostTime = time;
    return shape;
}

} // namespace

class NestedBoundTest : public QObject {
    Q_OBJECT
private slots:
    void changesNoAnswer_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("options");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("time");
        QTest::addRow("tiny numbers, many ties") << 6 << 3 << qint64{3} << qint64{3};
        QTest::addRow("small numbers") << 5 << 4 << qint64{12} << qint64{9};
        QTest::addRow("longer") << 12 << 2 << qint64{300} << qint64{100};
        QTest::addRow("more options") << 10 << 4 << qint64{5000} << qint64{3000};
    }
    void changesNoAnswer()
    {
        QFETCH(int, stages);
        QFETCH(int, options);
        QFETCH(qint64, bytes);
        QFETCH(qint64, time);
        std::mt19937_64 random(20261130);
        Compared sum;
        const int chains = testing::countOf({.brief = 12, .usual = 100, .full = 5000});
        for (int i = 0; i < chains && !QTest::currentTestFailed(); ++i)
            compare(randomChain(random, shapeOf(stages, options, bytes, time)), sum);
        qInfo("%lld of %lld points are left", static_cast<long long>(sum.left), static_cast<long long>(sum.whole));
        QVERIFY(sum.left < sum.whole);
    }

    /// Stretches that repeat share a table, whose ceiling must serve each of its places.
    void changesNoAnswerWhereLayersRepeat()
    {
        std::mt19937_64 random(20261201);
        Compared sum;
        const int chains = testing::isBriefForm() ? 2 : 6;
        for (int i = 0; i < chains && !QTest::currentTestFailed(); ++i) {
            Chain chain = layeredChain(random);
            chain.stages.erase(chain.stages.begin() + 12, chain.stages.end() - 2);
            for (Stage& stage : chain.stages)
                stage.options.resize(std::min<std::size_t>(stage.options.size(), 5));
            compare(chain, sum);
        }
        QVERIFY(sum.left < sum.whole);
    }

    /// Suffixes that are taken over from flat tables, with and without points left out of the other tables.
    void flatTablesChangeNoAnswer_data() { changesNoAnswer_data(); }
    void flatTablesChangeNoAnswer()
    {
        QFETCH(int, stages);
        QFETCH(int, options);
        QFETCH(qint64, bytes);
        QFETCH(qint64, time);
        std::mt19937_64 random(20261202);
        const int chains = testing::countOf({.brief = 12, .usual = 100, .full = 5000});
        for (int i = 0; i < chains && !QTest::currentTestFailed(); ++i) {
            Chain chain = randomChain(random, shapeOf(stages, options, bytes, time));
            compareWithFlatTables(chain);
            // Where the head is a layer too, the tables of suffixes stand for stretches elsewhere.
            std::fill(chain.stages.begin(), chain.stages.end(), Stage{chain.stages.back()});
            compareWithFlatTables(chain);
        }
    }

    /// Where known plans are many and tables few, each is made in shares.
    void sharesOfTablesChangeNoAnswer()
    {
        std::mt19937_64 random(20261203);
        const int chains = testing::isBriefForm() ? 1 : 3;
        for (int i = 0; i < chains; ++i) {
            const Chain chain = denseChain(random, 8, 20);
            QVERIFY(FlatPlanner(chain).solve()->points().size() > 6000);
            compareWithFlatTables(chain);
        }
    }

    /// On chains of real shapes less than half of the points can matter, which is what makes the bound worth having.
    void leavesOutMostOfARealChain()
    {
        const auto chain = testing::readReferenceChain("llama3-8b-s131072");
        QVERIFY(static_cast<bool>(chain));
        const std::vector<FrontierPoint> known = pointsOf(*filled(*chain, NestedClass::NoDrop, {}));
        const auto whole = filled(*chain, NestedClass::Drop, {});
        const auto bounded = filled(*chain, NestedClass::Drop, known);
        QVERIFY(pointsOf(*bounded) == pointsOf(*whole));
        QVERIFY(2 * bounded->states() < whole->states());
    }

    /// Costs of the wide type are sampled too.
    void widePathKeepsItsAnswers()
    {
        std::mt19937_64 random(12);
        RandomChainShape shape = shapeOf(5, 3, std::int64_t{1} << 54, std::int64_t{1} << 55);
        shape.mostReruns = std::int64_t{1} << 40;
        NestedLimits limits;
        limits.threads = 1;
        for (int i = 0; i < 40; ++i) {
            const Chain chain = randomChain(random, shape);
            NestedTables<WideCost> whole(chain, NestedClass::Drop), bounded(chain, NestedClass::Drop);
            QVERIFY(whole.fill(limits, {}) == NestedTables<WideCost>::Outcome::Done);
            QVERIFY(
                bounded.fill(limits, FlatPlanner(chain).solve()->points()) == NestedTables<WideCost>::Outcome::Done);
            QCOMPARE(bounded.points(), whole.points());
            for (std::size_t k = 0; k < whole.points(); ++k)
                QVERIFY(bounded.pointAt(k) == whole.pointAt(k));
        }
    }
};

QTEST_APPLESS_MAIN(NestedBoundTest)
#include "nested_bound_test.moc"
