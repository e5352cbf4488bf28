// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The flat planner against the reference chains (tests/data/chains/README.md): their `flat` lists come from other
// solvers and were checked against exhaustive search and a MILP.
#include "core/plan/flat_planner.h"

#include <algorithm>

#include <QtTest/QTest>

#include "core/plan/flat_schedule.h"
#include "tests/support/reference_chains.h"

using namespace remat;

namespace {

constexpr std::size_t kMostReplayed = 700;

} // namespace

class FlatReferenceTest : public QObject {
    Q_OBJECT
private slots:
    void reproducesTheReference_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList names = testing::referenceNames();
        QVERIFY(names.size() >= 40);
        for (const QString& name : names)
            QTest::addRow("%s", qPrintable(name)) << name;
    }
    void reproducesTheReference()
    {
        QFETCH(QString, name);
        const auto chain = testing::readReferenceChain(name);
        QVERIFY(static_cast<bool>(chain));
        const nlohmann::json expect = testing::expectationOf(name);
        QVERIFY(expect.is_object());
        const nlohmann::json& flat = expect["flat"];
        QVERIFY(flat.is_array() && !flat.empty());

        const auto frontier = FlatPlanner(*chain).solve();
        QVERIFY(static_cast<bool>(frontier));
        QVERIFY(frontier->exact());
        const std::vector<FrontierPoint>& points = frontier->points();
        QCOMPARE(points.front().peak.value, flat.front()[0].get<std::int64_t>());

        const auto distinct = testing::withoutReruns(points);
        std::size_t fullCount = flat.size();
        if (expect.contains("full_points") && expect["full_points"].contains("flat"))
            fullCount = expect["full_points"]["flat"].get<std::size_t>();
        QCOMPARE(distinct.size(), fullCount);
        for (const nlohmann::json& point : flat) {
            const std::pair listed{point[0].get<std::int64_t>(), point[1].get<std::int64_t>()};
            QVERIFY2(std::binary_search(distinct.begin(), distinct.end(), listed),
                qPrintable(QString("(%1, %2) is missing").arg(listed.first).arg(listed.second)));
        }
        replayPoints(*chain, *frontier);
    }

    /// Thinned answers are real plans within the gap that they state, and exact about what fits.
    void thinnedAnswersKeepTheirWord_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("target");
        QTest::addColumn<qint64>("stepEnd");
        QTest::addRow("jitter-l126, 1 %%") << "jitter-l126" << 0.01 << qint64{0};
        QTest::addRow("jitter-l80, 1 %%") << "jitter-l80" << 0.01 << qint64{0};
        // A step end in the middle of the frontier leaves slack while the plan runs.
        QTest::addRow("jitter-l80 with a step end, 1 %%") << "jitter-l80" << 0.01 << (qint64{20} << 30);
        QTest::addRow("jitter-l80, 0.0001 %%") << "jitter-l80" << 1e-6 << qint64{0};
    }
    void thinnedAnswersKeepTheirWord()
    {
        QFETCH(QString, name);
        QFETCH(double, target);
        QFETCH(qint64, stepEnd);
        auto chain = testing::readReferenceChain(name);
        QVERIFY(static_cast<bool>(chain));
        chain->stepEndBytes = {stepEnd};
        FlatLimits limits;
        limits.gapTarget = target;
        const auto thinned = FlatPlanner(*chain, limits).solve();
        const auto exact = FlatPlanner(*chain).solve();
        QVERIFY(thinned && exact);
        QCOMPARE(thinned->exact(), target < 1e-3);
        QVERIFY(thinned->gap() <= target);
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
    }

    void tooManyPointsGiveAThinnedAnswer()
    {
        const auto chain = testing::readReferenceChain("jitter-l126");
        QVERIFY(static_cast<bool>(chain));
        FlatLimits limits;
        limits.maxPoints = 200'000;
        const auto frontier = FlatPlanner(*chain, limits).solve();
        QVERIFY(static_cast<bool>(frontier));
        QVERIFY(!frontier->exact());
        QVERIFY(frontier->gap() > 0 && frontier->gap() < 0.01);
        replayPoints(*chain, *frontier);
    }

private:
    static void replayPoints(const Chain& chain, const FlatFrontier& frontier)
    {
        testing::requireReplayed(chain, frontier.points(), kMostReplayed,
            [&](std::size_t point) { return flatSchedule(chain, frontier.choiceOf(point)); });
    }
};

QTEST_APPLESS_MAIN(FlatReferenceTest)
#include "flat_reference_test.moc"
