// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/plan_table.h"

#include <algorithm>

#include <QTest>

#include "core/base/format_units.h"
#include "core/export/description_table.h"
#include "core/export/frontier_table.h"
#include "core/model/presets.h"

using namespace remat;
using namespace remat::literals;

/// Tables of plans and descriptions against the plan itself.
class PlanTableTest : public QObject {
    Q_OBJECT

    static Study study()
    {
        StudyRequest request;
        request.shape = findPreset("tiny-gpt2").value();
        request.shape.layers = 5;
        request.setup.batch = 8;
        request.setup.sequence = 128;
        request.device.peak.fp32 = 1e11;
        request.device.bytesPerSecond = 1e10;
        request.device.threads = 1;
        return Study::solve(request).value();
    }

private slots:
    void equalLayersShareARow()
    {
        const Plan plan = study().plan({Strategy::Kind::EveryK, 2}, std::nullopt).value();
        // Layers 0, 2 and 4 recompute, 1 and 3 keep: with embedding and head seven rows, none merged.
        QCOMPARE(decisionTable(plan).rows.size(), std::size_t{7});
        const Plan none = study().plan({Strategy::Kind::None}, std::nullopt).value();
        const Table table = decisionTable(none);
        QCOMPARE(table.rows.size(), std::size_t{3});
        QCOMPARE(table.rows[1][0], std::string("layers 0 to 4"));
        QCOMPARE(table.rows[1][2], std::string("nothing"));
        // A row of five layers says whose figures it has; one of a single stage does not.
        QVERIFY(table.rows[1][1].ends_with(" each") && table.rows[1][3].ends_with(" each"));
        QVERIFY(!table.rows[0][1].ends_with(" each"));
    }

    void recomputeTimesAddUpToTheOverhead()
    {
        const Study solved = study();
        for (std::size_t p = 0; p < solved.points().size(); p += 7) {
            const Plan plan = solved.planAt(p);
            Nanoseconds again;
            std::int64_t reruns = 0;
            for (const StageDecision& decision : decisions(plan)) {
                again += decision.recomputeTime;
                reruns += static_cast<std::int64_t>(decision.recomputed.size());
            }
            QCOMPARE(again, plan.prediction.overhead);
            QCOMPARE(reruns, plan.prediction.reruns);
        }
    }

    void csvHasOneRowAStage()
    {
        const Plan plan = study().plan({Strategy::Kind::FfnOnly}, std::nullopt).value();
        const std::string csv = planCsv(plan);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 1 + 7);
        QVERIFY(csv.find("transformer.h.4") != std::string::npos);
        QVERIFY(planMarkdown(plan).find("| stage | keeps |") != std::string::npos);
    }

    void verdictSaysWhetherItFits()
    {
        const Study solved = study();
        const Bytes peak = solved.keepAllPeak();
        const Strategy none{Strategy::Kind::None};
        QCOMPARE(verdict(solved.plan(none, peak).value()).substr(0, 5), std::string("fits:"));
        QCOMPARE(verdict(solved.plan(none, peak - 1_B).value()).substr(0, 13), std::string("does not fit:"));
        QVERIFY(verdict(solved.plan(none, peak).value()).ends_with("+0.0 % time"));
    }

    /// The four ways of budget and device; the device holds one byte too little for peak and context.
    void verdictNeverSaysFitsBeyondTheDevice()
    {
        Plan plan = study().plan({Strategy::Kind::None}, std::nullopt).value();
        plan.device.kind = DeviceKind::Cuda;
        plan.device.context = 512_MiB;
        plan.device.memory = plan.prediction.peak + 512_MiB;
        plan.budget = plan.prediction.peak;
        QVERIFY(plan.fitsDevice());
        QVERIFY(verdict(plan).starts_with("fits: peak "));
        plan.device.memory -= 1_B;
        QVERIFY(!plan.fitsDevice());
        const std::string peak = formatBytes(plan.prediction.peak);
        const std::string held = " + context 512 MiB of " + formatBytes(plan.device.memory);
        QVERIFY2(verdict(plan).starts_with("fits the budget, not the card: peak " + peak + held + ", "),
            verdict(plan).c_str());
        plan.budget.reset();
        QVERIFY(verdict(plan).starts_with("does not fit the card: peak " + peak + held + ", "));
        plan.budget = plan.prediction.peak - 1_B;
        QVERIFY(verdict(plan).starts_with("does not fit: peak "));
        QVERIFY(verdict(plan).find("nor the card") != std::string::npos);
    }

    /// Stages' own weights are the step's, tied ones once: the head's table is the embedding's, V x C floats.
    void weightsOfTheStagesAddUp()
    {
        const Study solved = study();
        const Description description = describe(solved.tape(), solved.request().device);
        std::int64_t parameters = 0;
        for (const KindDescription& kind : description.kinds)
            parameters += kind.count * kind.parameters;
        QCOMPARE(parameters, solved.tape().parameterCount());
        QCOMPARE(description.total.weights, solved.tape().base.weights);
        const ModelShape& shape = solved.request().shape;
        const KindDescription& head = description.kinds.back();
        QCOMPARE(head.tiedParameters, shape.vocabulary * shape.hidden);
        QCOMPARE(head.parameters, 2 * shape.hidden); // the final norm
        QVERIFY(sublayerTable(head).rows.back()[3].find("tied with embedding") != std::string::npos);
    }

    /// A kept tensor's price is what the planner pays: keeping all but its op, every op once.
    void descriptionAddsUpToThePlan()
    {
        const Study solved = study();
        const Description description = describe(solved.tape(), solved.request().device);
        const Plan none = solved.plan({Strategy::Kind::None}, std::nullopt).value();
        QCOMPARE(description.keepAll.peak, none.prediction.peak);
        QCOMPARE(description.total.forwardTime + description.total.backwardTime, none.prediction.time);
        Bytes kept = description.boundaryBytes;
        for (const KindDescription& kind : description.kinds)
            kept += kind.count * kind.total.kept;
        // The loss itself is the only other thing alive at the end of forward.
        const StageTape& head = solved.tape().tapeOf(6);
        QCOMPARE(kept + head.tensors[static_cast<std::size_t>(head.output)].bytes, none.prediction.saved);
        QCOMPARE(sublayerTable(description.kinds[1]).rows.back()[0], std::string("all"));
        QCOMPARE(tensorTable(description.kinds[1]).rows.size(), description.kinds[1].tensors.size());
    }

    void frontierTableHasEveryPoint()
    {
        const Study solved = study();
        QCOMPARE(frontierTable(solved).rows.size(), solved.points().size());
        QCOMPARE(frontierTextTable(solved).rows.size(), solved.points().size());
    }

    /// Every "no" has a reason of a few words, and the missing bytes in it are peak minus budget.
    void comparisonSaysWhyNot()
    {
        const Study solved = study();
        const auto rows = solved.compare(comparedStrategies(), 1_MiB);
        const Table table = comparisonTextTable(rows);
        QCOMPARE(table.rows.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Bytes peak = rows[i].plan ? rows[i].plan->prediction.peak : solved.leastPeak();
            QCOMPARE(table.rows[i][1], std::string("no"));
            QCOMPARE(table.rows[i].back(), "needs " + formatBytes(peak - 1_MiB) + " more");
        }
        auto large = solved.compare({{Strategy::Kind::None}}, solved.keepAllPeak());
        QCOMPARE(comparisonTextTable(large).rows[0].back(), std::string());
        large[0].plan->device.memory = solved.keepAllPeak() - 3_MiB;
        const Table beyond = comparisonTextTable(large);
        QCOMPARE(beyond.rows[0][1], std::string("no"));
        QCOMPARE(beyond.rows[0].back(), std::string("the machine lacks 3.00 MiB"));
        const Table raw = comparisonTable(large);
        QCOMPARE(raw.rows[0][1], std::string("true"));
        QCOMPARE(raw.rows[0][2], std::string("false"));
        QCOMPARE(raw.rows[0][3], std::to_string(solved.keepAllPeak().value));
    }
};

QTEST_APPLESS_MAIN(PlanTableTest)
#include "plan_table_test.moc"
