// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/model/presets.h"
#include "core/plan/study.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

struct Case {
    const char* name;
    Variety variety;
    const char* pin = nullptr;
    VariantChoice variants = VariantChoice::Fixed;
};

const Case kCases[] = {
    {"plain", {}},
    {"micro-batches", {.microBatches = 3}},
    {"keep pinned", {}, "*.gelu=keep"},
    {"recompute pinned", {}, "*.ffn=recompute"},
    {"variants open", {}, nullptr, VariantChoice::Auto},
    {"variants open, own chunks", {.isBert = true, .headChunks = 3}, nullptr, VariantChoice::Auto},
    {"variants open, pinned", {.attention = AttentionKind::Stored}, "L0=recompute", VariantChoice::Auto},
};

Study solve(const Case& c)
{
    StudyRequest request{smallShape(c.variety, 3, 2, 16, 128, 300, 32), setupOf(c.variety, 4, 32), roundCpu(), {}};
    request.setup.variants = c.variants;
    if (c.pin)
        request.pins.push_back(parsePin(c.pin).value());
    return Study::solve(request).value();
}

} // namespace

class StudyTest : public QObject {
    Q_OBJECT

private slots:
    /// The CPU's kernels store fp32 alone, whatever the CPU is called; a GPU's store bf16 too.
    void halfPrecisionIsAGpus()
    {
        StudyRequest request{smallShape({}, 2, 2, 16, 64, 50, 32), setupOf({}, 2, 16), roundCpu(), {}};
        request.setup.precision = Precision::Half;
        for (const char* name : {"cpu", "cpu-measured", "my workstation"}) {
            request.device.name = request.setup.device = name;
            const Result<Study> study = Study::solve(request);
            QVERIFY(!study);
            QCOMPARE(std::string(study.error().code->name), std::string("precision-not-on-cpu"));
            QCOMPARE(study.error().where, std::string("precision"));
        }
        request.device.kind = DeviceKind::Cuda;
        QVERIFY(Study::solve(request));
    }

    void cases_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < std::size(kCases); ++i)
            QTest::newRow(kCases[i].name) << static_cast<int>(i);
    }

    void extraTimeHasOneZero_data() { cases_data(); }
    /// A point and its plan say the same; the zero is the same for all of them and no plan is below it.
    void extraTimeHasOneZero()
    {
        QFETCH(int, index);
        const Study study = solve(kCases[index]);
        QVERIFY(study.points().size() > 3);
        for (std::size_t p = 0; p < study.points().size(); ++p) {
            const Plan plan = study.planAt(p);
            QCOMPARE(plan.prediction.time, study.points()[p].cost.time);
            QCOMPARE(plan.prediction.keepAll, study.keepAllTime());
            QCOMPARE(study.extraTimeOf(study.points()[p]), plan.extraTime());
            QVERIFY(plan.extraTime() >= 0);
        }
        for (const ComparedStrategy& row : study.compare(comparedStrategies(), study.keepAllPeak()))
            if (row.plan)
                QCOMPARE(row.plan->prediction.keepAll, study.keepAllTime());
    }

    void unlimitedBudgetCostsNothing_data() { cases_data(); }
    /// Without pins the frontier ends at the zero of extra time; a keep-everything marker stands at its peak.
    void unlimitedBudgetCostsNothing()
    {
        QFETCH(int, index);
        if (kCases[index].pin)
            return;
        const Study study = solve(kCases[index]);
        QCOMPARE(study.points().back().cost.time, study.keepAllTime());
        QCOMPARE(study.cheapestWithin(study.keepAllPeak())->extraTime(), 0.0);
    }

    /// The zero does not depend on pins.
    void pinsDoNotMoveTheZero()
    {
        const Study free = solve(kCases[0]);
        for (const int index : {2, 3}) {
            const Study pinned = solve(kCases[index]);
            QCOMPARE(pinned.keepAllTime(), free.keepAllTime());
            QCOMPARE(pinned.keepAllPeak(), free.keepAllPeak());
        }
    }

    /// Of open variants the fastest kept-everything step counts, found here by solving each alone.
    void openVariantsAreMeasuredAgainstTheFastest()
    {
        const Study open = solve(kCases[4]);
        std::vector<std::pair<Nanoseconds, Bytes>> alone;
        for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored})
            for (const std::int64_t chunks : {1, 4, 16, 64}) {
                const Study study = solve({"", {.attention = attention, .headChunks = chunks}});
                alone.emplace_back(study.keepAllTime(), study.keepAllPeak());
            }
        const auto [time, peak] = *std::min_element(alone.begin(), alone.end());
        QCOMPARE(open.keepAllTime(), time);
        QCOMPARE(open.keepAllPeak(), peak);
    }

    void moreBudgetBuysHalfAPercentOrTheNextPoint_data() { cases_data(); }
    /// The rule of the header, point by point.
    void moreBudgetBuysHalfAPercentOrTheNextPoint()
    {
        QFETCH(int, index);
        const Study study = solve(kCases[index]);
        const std::vector<StudyPoint>& points = study.points();
        for (std::size_t p = 0; p < points.size(); ++p) {
            const Plan plan = study.planAt(p);
            std::optional<std::size_t> expected;
            for (std::size_t q = points.size(); q-- > p + 1;)
                if (points[q].cost.time < points[p].cost.time)
                    expected = q;
            for (std::size_t q = points.size(); q-- > p + 1;)
                if (plan.extraTime() - study.extraTimeOf(points[q]) >= 0.005)
                    expected = q;
            const std::optional<MoreBudget> found = study.moreBudget(plan);
            QCOMPARE(found.has_value(), expected.has_value());
            if (!expected)
                continue;
            QCOMPARE(found->point.cost, points[*expected].cost);
            QCOMPARE(found->more, points[*expected].cost.peak - points[p].cost.peak);
            QCOMPARE(found->saved, plan.extraTime() - study.extraTimeOf(points[*expected]));
        }
        QVERIFY(!study.moreBudget(study.planAt(points.size() - 1)));
    }

    void moreBudgetCountsFromTheBudget()
    {
        const Study study = solve(kCases[0]);
        const Bytes next = study.points()[1].cost.peak;
        const Plan plan = study.cheapestWithin(next - 1_B).value();
        QCOMPARE(plan.prediction.peak, study.leastPeak());
        QCOMPARE(study.moreBudget(plan)->more, study.moreBudget(study.planAt(0))->point.cost.peak - next + 1_B);
        QVERIFY(!study.moreBudget(study.plan({Strategy::Kind::Full}, next).value()));
    }

    void presetsKeepTheLaws_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<int>("batch");
        QTest::newRow("gpt2") << "gpt2" << 4;
        QTest::newRow("gpt2-xl") << "gpt2-xl" << 1;
        QTest::newRow("bert-large") << "bert-large" << 8;
    }

    /// Laws 2 and 3 on real models: a plan that says that it fits, fits; more budget never costs; one step below the
    /// least nothing fits.
    void presetsKeepTheLaws()
    {
        QFETCH(QString, preset);
        QFETCH(int, batch);
        TrainingSetup setup;
        setup.batch = batch;
        setup.sequence = 512;
        FlatLimits limits;
        limits.gapTarget = 0.001;
        const ModelShape shape = findPreset(preset.toStdString()).value();
        const Study study = Study::solve({shape, setup, roundCpu(2), {}}, limits).value();
        const Bytes least = study.leastPeak(), most = study.keepAllPeak();
        QVERIFY(!study.cheapestWithin(least - 1_B));
        std::optional<Plan> last;
        for (int i = 0; i <= 24; ++i) {
            const Bytes budget{least.value + (most.value - least.value) / 24 * i};
            const Result<Plan> plan = study.cheapestWithin(budget);
            QVERIFY(plan);
            QVERIFY(plan->fits());
            QVERIFY(plan->prediction.peak <= budget);
            QVERIFY(!last || plan->prediction.time <= last->prediction.time);
            last = *plan;
        }
        QCOMPARE(study.cheapestWithin(most)->prediction.time, study.keepAllTime());
    }
};

QTEST_APPLESS_MAIN(StudyTest)
#include "study_test.moc"
