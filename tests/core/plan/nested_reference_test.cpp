// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The nested planner against the reference chains (tests/data/chains/README.md): `nested_without_drop` and `nested`
// come from another dynamic program and are bounds from above, `exhaustive` from a search of all schedules and bounds
// from below.
#include "core/plan/nested_planner.h"

#include <algorithm>

#include <QtCore/QDir>
#include <QtTest/QTest>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/plan/exhaustive.h"

using namespace remat;

namespace {

constexpr std::size_t kMostReplayed = 100;

nlohmann::json expectationOf(const QString& stem)
{
    const auto text = readFile(stem.toStdString() + ".expect.json");
    return text ? parseJson(*text, "expect").value() : nlohmann::json();
}

/// Solves of this chain in this class take seconds; its bench prints them.
bool isSlow(const QString& stem, NestedClass wanted)
{
    return stem.endsWith("jitter-l126") || (stem.endsWith("jitter-l80") && wanted == NestedClass::Drop);
}

} // namespace

class NestedReferenceTest : public QObject {
    Q_OBJECT
private slots:
    void isNowhereAboveTheReference_data()
    {
        QTest::addColumn<QString>("stem");
        QTest::addColumn<NestedClass>("wanted");
        const QDir folder(REMAT_TEST_DATA "/chains");
        const QStringList files = folder.entryList({"*.expect.json"});
        QVERIFY(files.size() >= 40);
        for (const QString& file : files)
            for (const NestedClass wanted : {NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop}) {
                const QString stem = folder.filePath(QString(file).remove(".expect.json"));
                if (!isSlow(stem, wanted) || qEnvironmentVariableIsSet("REMAT_LONG"))
                    QTest::addRow("%s, %s", qPrintable(QString(file).remove(".expect.json")), nameOf(wanted).data())
                        << stem << wanted;
            }
    }
    void isNowhereAboveTheReference()
    {
        QFETCH(QString, stem);
        QFETCH(NestedClass, wanted);
        const auto chain = readChain(stem.toStdString() + ".chain.json");
        QVERIFY(static_cast<bool>(chain));
        const nlohmann::json expect = expectationOf(stem);
        QVERIFY(expect.is_object());
        NestedLimits limits;
        limits.wanted = wanted;
        const auto frontier = NestedPlanner(*chain, limits).solve();
        QVERIFY(static_cast<bool>(frontier));
        QVERIFY(frontier->solvedClass() == wanted || isSlow(stem, wanted));
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
        QTest::addColumn<QString>("stem");
        const QDir folder(REMAT_TEST_DATA "/chains");
        for (const QString& file : folder.entryList({"*.expect.json"})) {
            const QString stem = QString(file).remove(".expect.json");
            if (expectationOf(folder.filePath(stem))["exhaustive"].is_array())
                QTest::addRow("%s", qPrintable(stem)) << folder.filePath(stem);
        }
    }
    void exhaustiveSearchAgrees()
    {
        QFETCH(QString, stem);
        const auto chain = readChain(stem.toStdString() + ".chain.json");
        QVERIFY(static_cast<bool>(chain));
        const auto found = searchExhaustively(*chain);
        QVERIFY(static_cast<bool>(found));
        // Reference lists know no reruns, so points that differ only in them are one there.
        nlohmann::json distinct = nlohmann::json::array();
        for (std::size_t k = 0; k < found->points.size(); ++k) {
            const FrontierPoint& point = found->points[k];
            if (distinct.empty() || point.time.value < distinct.back()[1].get<std::int64_t>())
                distinct.push_back({point.peak.value, point.time.value});
            const auto replayed = replay(*chain, found->schedules[k]);
            QVERIFY(static_cast<bool>(replayed));
            QVERIFY((FrontierPoint{replayed->peak, replayed->time, replayed->reruns}) == point);
        }
        QVERIFY2(distinct == expectationOf(stem)["exhaustive"], distinct.dump().c_str());
    }

    /// Where the tables must be small, answers are real plans within the gap that they state, and exact about what
    /// fits.
    void thinnedAnswersKeepTheirWord()
    {
        const auto chain = readChain(std::string(REMAT_TEST_DATA "/chains/llama3-8b-s131072.chain.json"));
        QVERIFY(static_cast<bool>(chain));
        NestedLimits limits;
        limits.wanted = NestedClass::NoDrop;
        const auto exact = NestedPlanner(*chain, limits).solve();
        limits.maxTableBytes = 1 << 20;
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
    /// Law 1: what a plan states is what its schedule replays to.  Of long frontiers an even sample, ends included.
    static void replayPoints(const Chain& chain, const NestedFrontier& frontier)
    {
        const std::vector<FrontierPoint>& points = frontier.points();
        const std::size_t stride = points.size() / kMostReplayed + 1;
        for (std::size_t k = 0; k < points.size() + stride - 1; k += stride) {
            const std::size_t point = std::min(k, points.size() - 1);
            const auto result = replay(chain, frontier.scheduleOf(point));
            QVERIFY(static_cast<bool>(result));
            QVERIFY((FrontierPoint{result->peak, result->time, result->reruns}) == points[point]);
        }
    }
};

QTEST_APPLESS_MAIN(NestedReferenceTest)
#include "nested_reference_test.moc"
