// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/plan_table.h"

#include <algorithm>

#include <QTest>

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
        const auto rows = solved.compare(comparedStrategies(), 1_MiB);
        const Table table = comparisonTable(rows);
        QCOMPARE(table.rows.size(), rows.size());
        QVERIFY(table.rows.back().back().find("Nothing fits") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(PlanTableTest)
#include "plan_table_test.moc"
