// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The nested planner against the reference chains (tests/data/chains/README.md): `nested_without_drop` and `nested`
// come from another dynamic program and are bounds from above, `exhaustive` from a search of all schedules and bounds
// from below.
#include "core/plan/nested_planner.h"

#include <algorithm>

#include <QtTest/QTest>

#include "core/plan/exhaustive.h"
#include "tests/support/counts.h"
#include "tests/support/reference_chains.h"

using namespace remat;

namespace {

constexpr std::size_t kMostReplayed = 100;

/// Solves of this chain in this class take seconds; its bench prints them.
bool isSlow(const QString& name, NestedClass wanted)
{
    return name == "jitter-l126" || (name == "jitter-l80" && wanted == NestedClass::Drop);
}

} // namespace

class NestedReferenceTest : public QObject {
    Q_OBJECT
private slots:
    void isNowhereAboveTheReference_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<NestedClass>("wanted");
        const QStringList names = testing::referenceNames();
        QVERIFY(names.size() >= 40);
        int number = 0;
        for (const QString& name : names)
            for (const NestedClass wanted : {NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop}) {
                // In the brief form every chain is solved, in one class; the classes take turns.
                const bool isTurn = number++ % 4 == 0 || !testing::isBriefForm();
                if (isTurn && (!isSlow(name, wanted) || testing::isLongForm()))
                    QTest::addRow("%s, %s", qPrintable(name), nameOf(wanted).data()) << name << wanted;
            }
    }
    void isNowhereAboveTheReference()
    {
        QFETCH(QString, name);
        QFETCH(NestedClass, wanted);
        const auto chain = testing::readReferenceChain(name);
        QVERIFY(static_cast<bool>(chain));
        const nlohmann::json expect = testing::expectationOf(name);
        QVERIFY(expect.is_object());
        NestedLimits limits;
        limits.wanted = wanted;
        const auto frontier = NestedPlanner(*chain, limits).solve();
        QVERIFY(static_cast<bool>(frontier));
        QVERIFY(frontier->solvedClass() == wanted || isSlow(name, wanted));
        QVERIFY(frontier->exact());
        QVERIFY(frontier->exact() == (frontier->gap() == 0));
        const std::vector<FrontierPoint>& points = frontier->points();
        for (std::size_t i = 1; i < points.size(); ++i) {
            QVERIFY(points[i].peak > points[i - 1].peak);
            QVERIFY(
                std::tuple(points[i].time, points[i].reruns) < std::tuple(points[i - 1].time, points[i - 1].reruns));
        }

        const bool hasDrop = frontier->solvedClass() == NestedClass::Drop && expect["nested_has_drop"].get<bool>();
        const nlohmann::json& above = expect[hasDrop ? "nested" : "nested_without_drop"];
        if (above.is_array())
            for (const nlohmann::json& point : above) {
                const auto ours = frontier->cheapestWithin({point[0].get<std::int64_t>()});
                QVERIFY2(static_cast<bool>(ours), "a budget of the reference does not fit");
                const std::int64_t time = points[*ours].time.value;
                QVERIFY2(
                    time <= point[1].get<std::int64_t>(), qPrintable(QString("at %1").arg(point[0].dump().c_str())));
            }
        if (expect["exhaustive"].is_array())
            for (const FrontierPoint& point : points) {
                std::optional<std::int64_t> best;
                for (const nlohmann::json& one : expect["exhaustive"])
                    if (one[0].get<std::int64_t>() <= point.peak.value)
                        best = one[1].get<std::int64_t>();
                QVERIFY(best && point.time.value >= *best);
            }
        replayPoints(*chain, *frontier);
    }

    /// The project's own search against the reference's: two programs, one definition.
    void exhaustiveSearchAgrees_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : testing::referenceNames())
            if (testing::expectationOf(name)["exhaustive"].is_array())
                QTest::addRow("%s", qPrintable(name)) << name;
    }
    void exhaustiveSearchAgrees()
    {
        QFETCH(QString, name);
        const auto chain = testing::readReferenceChain(name);
        QVERIFY(static_cast<bool>(chain));
        const auto found = searchExhaustively(*chain);
        QVERIFY(static_cast<bool>(found));
        testing::requireReplayed(
            *chain, found->points, found->points.size(), [&](std::size_t point) { return found->schedules[point]; });
        const nlohmann::json distinct = testing::withoutReruns(found->points);
        QVERIFY2(distinct == testing::expectationOf(name)["exhaustive"], distinct.dump().c_str());
    }

    /// Where the tables must be small, answers are real plans within the gap that they state, and exact about what
    /// fits.
    void thinnedAnswersKeepTheirWord()
    {
        const auto chain = testing::readReferenceChain("llama3-8b-s131072");
        QVERIFY(static_cast<bool>(chain));
        NestedLimits limits;
        limits.wanted = NestedClass::NoDrop;
        const auto exact = NestedPlanner(*chain, limits).solve();
        limits.maxTableBytes = 1 << 19;
        const auto thinned = NestedPlanner(*chain, limits).solve();
        QVERIFY(exact && thinned);
        QVERIFY(!thinned->exact());
        QVERIFY(thinned->gap() > 0);
        QCOMPARE(thinned->leastPeak(), exact->leastPeak());
        QCOMPARE(thinned->points().back().time, exact->points().back().time);
        for (const FrontierPoint& best : exact->points()) {
            const auto ours = thinned->cheapestWithin(best.peak);
            QVERIFY(static_cast<bool>(ours));
            const Nanoseconds time = thinned->points()[*ours].time;
            QVERIFY(time >= best.time);
            QVERIFY(ratio(time - best.time, best.time) <= thinned->gap());
        }
        replayPoints(*chain, *thinned);

        limits.maxTableBytes = 1 << 10;
        const auto refused = NestedPlanner(*chain, limits).solve();
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("nested-too-large"));
    }

private:
    static void replayPoints(const Chain& chain, const NestedFrontier& frontier)
    {
        testing::requireReplayed(
            chain, frontier.points(), kMostReplayed, [&](std::size_t point) { return frontier.scheduleOf(point); });
    }
};

QTEST_APPLESS_MAIN(NestedReferenceTest)
#include "nested_reference_test.moc"
