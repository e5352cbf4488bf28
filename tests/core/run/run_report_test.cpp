// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::testing;

class RunReportTest : public QObject {
    Q_OBJECT

private slots:
    void everyFieldComesBack()
    {
        const RunReport report = sampleReport();
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(reportFileText(*read), reportFileText(report));
        QCOMPARE(read->gradients->firstDifference, report.gradients->firstDifference);
        QCOMPARE(read->time.steps, report.time.steps);
        QCOMPARE(read->keep, report.keep);
    }

    void timesComeBack()
    {
        const RunReport report = sampleReportWithTimes();
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(read->ops, report.ops);
        QCOMPARE(read->stages, report.stages);
        QCOMPARE(read->predictedStages, report.predictedStages);
        QCOMPARE(reportFileText(*read), reportFileText(report));
        // Reports of older versions have none.
        for (const char* key : {"ops", "stages", "predicted_stages"})
            QVERIFY(!toJson(sampleReport()).contains(key));
    }

    /// A run whose layers ran forward again brings its order; one op changed, and the prediction does not follow.
    void anOrderOfItsOwnComesBack()
    {
        RunReport report = sampleReport();
        const Device device = sizesOfThisCpu(2);
        const StepTape tape = buildStepTape(report.shape, report.setup, machineTraits(device));
        const Plan plan = fixedPlan(tape, device, {Strategy::Kind::FullNoEarlyStop}, {}, std::nullopt).value();
        report.keep = plan.keep;
        report.schedule = plan.ownOrder();
        QVERIFY(!report.schedule.empty());
        report.peak.predicted = report.peak.tracked = plan.prediction.peak;
        report.peak.predictedAt = englishText(plan.prediction.peakAt);
        const Timeline dry = replayDry(lower(*plan.step, plan.schedule), tape);
        report.reruns = {dry.reruns, dry.reruns, true, std::nullopt};
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(read->schedule, report.schedule);
        QCOMPARE(reportFileText(*read), reportFileText(report));
        nlohmann::json changed = toJson(report);
        changed.erase("schedule");
        QVERIFY(!parseReport(changed.dump(), "report.json"));
        changed = toJson(report);
        changed["schedule"].erase(changed["schedule"].begin());
        const Result<RunReport> refused = parseReport(changed.dump(), "report.json");
        QVERIFY(!refused);
        QVERIFY2(refused.error().where.find("schedule") != std::string::npos, refused.error().where.c_str());
    }

    /// A run with a GPU's kernels: phases, the pool and the driver come back, and the way from one to the other is what
    /// sums by hand give.
    void aGpusMemoryComesBack()
    {
        const RunReport report = sampleGpuReport();
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(reportFileText(*read), reportFileText(report));
        QCOMPARE(read->peak.pool, report.peak.pool);
        QCOMPARE(read->peak.parts, report.peak.parts);
        QCOMPARE(read->machineKind, RunMachine::Cuda);
        using Kind = WaterfallStep::Kind;
        std::vector<std::pair<Kind, std::int64_t>> after;
        Bytes sum;
        for (const WaterfallStep& step : waterfall(read->peak)) {
            if (step.isTotal)
                QCOMPARE(step.bytes, sum);
            else
                sum += step.bytes;
            if (step.kind >= Kind::Tracked)
                after.emplace_back(step.kind, step.bytes.value);
        }
        const std::int64_t tracked = report.peak.tracked.value;
        const std::vector<std::pair<Kind, std::int64_t>> expected{{Kind::Tracked, tracked}, {Kind::Rounding, 1024},
            {Kind::PoolUsed, tracked + 1024}, {Kind::PoolSpare, 4096 - 1024}, {Kind::PoolReserved, tracked + 4096},
            {Kind::Context, 300'000'000}, {Kind::Unexplained, 100}, {Kind::Driver, tracked + 4096 + 300'000'100}};
        QCOMPARE(after, expected);
    }

    /// Without a driver that tells of processes, the device's free memory is what the way leads to.
    void theWayEndsWhereFiguresEnd()
    {
        using Kind = WaterfallStep::Kind;
        RunReport report = sampleGpuReport();
        report.peak.pool->processBefore.reset();
        QCOMPARE(waterfall(report.peak).back().kind, Kind::FreeShrank);
        report.peak.pool->freeShrank.reset();
        QCOMPARE(waterfall(report.peak).back().kind, Kind::PoolReserved);
        report.peak.pool.reset();
        QCOMPARE(waterfall(report.peak).back().kind, Kind::Resident);
        report.peak.system.reset();
        QCOMPARE(waterfall(report.peak).back().kind, Kind::Tracked);
    }

    void changedMemoryIsRefused_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* pointer, const char* value, const char* where) {
            QTest::newRow(pointer) << pointer << value << where;
        };
        row("/machine/kind", "\"tpu\"", "machine.kind");
        row("/machine/kind", "\"cpu\"", "machine.threads");
        row("/machine/granule_bytes", "64", "machine.granule_bytes");
        row("/peak/phases/1/predicted_bytes", "1", "peak.phases[1].predicted_bytes");
        row("/peak/phases", "[]", "peak.phases");
        row("/peak/phases/1/used_bytes", "1", "peak.system_bytes");
        row("/peak/pool/process_after_bytes", "1", "peak.waterfall");
        row("/peak/waterfall/0/bytes", "1", "peak.waterfall");
    }
    void changedMemoryIsRefused()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, where);
        nlohmann::json json = toJson(sampleGpuReport());
        json[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
        const Result<RunReport> read = parseReport(json.dump(), "report.json");
        QVERIFY(!read);
        QVERIFY2(read.error().where.find(where.toStdString()) != std::string::npos, read.error().where.c_str());
    }

    /// The keys that docs/command-line.md promises to scripts.
    void promisedKeysAreThere()
    {
        RunReport report = sampleReport();
        report.gradients.reset();
        report.peak.system.reset();
        const nlohmann::json json = toJson(report);
        QCOMPARE(json["format"].get<std::string>(), std::string("remat-report"));
        for (const char* key : {"predicted_bytes", "planned_bytes", "tracked_bytes"})
            QVERIFY2(json["peak"][key].is_number_integer(), key);
        QVERIFY(json["peak"]["system_bytes"].is_null());
        QVERIFY(json["gradients"]["bit_equal"].is_null());
        QVERIFY(json["time"]["step_ns"].is_number_integer());
        QVERIFY(parseReport(json.dump(), "report.json"));
    }

    /// Law 6: what disagrees is refused, and the key that disagrees is named.
    void changedReportsAreRefused_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        QTest::newRow("prediction") << "/peak/predicted_bytes"
                                    << "1"
                                    << "peak.predicted_bytes";
        QTest::newRow("median") << "/time/step_ns"
                                << "1"
                                << "time.step_ns";
        const auto row = [](const char* name, const char* pointer, const char* value, const char* where) {
            QTest::newRow(name) << pointer << value << where;
        };
        row("place of the peak", "/peak/predicted_at", "\"the optimizer step\"", "peak.predicted_at");
        row("base", "/peak/base_bytes", "1", "peak.base_bytes");
        row("ln of the vocabulary", "/loss/ln_vocabulary", "6.5", "loss.ln_vocabulary");
        row("predicted reruns", "/reruns/predicted", "1", "reruns");
        row("measured reruns", "/reruns/measured", "1", "reruns.measured");
        row("unequal without a difference", "/reruns/equal", "false", "reruns.equal");
        row("equal with a difference", "/reruns/first_difference", "\"layer 0: gelu\"", "reruns.equal");
        row("bit-equal with a difference", "/gradients/bit_equal", "true", "gradients.bit_equal");
        row("unequal without a difference in gradients", "/gradients/first_difference", "null", "gradients.bit_equal");
        row("number of gradients", "/gradients/tensors", "1", "gradients.tensors");
        QTest::newRow("batch") << "/setup/batch"
                               << "3"
                               << "peak.predicted_bytes";
        QTest::newRow("keep-set") << "/keep_sets/1"
                                  << "\"all-nonsense\""
                                  << "keep_sets[1]";
        QTest::newRow("stages") << "/keep_sets"
                                << "[]"
                                << "keep_sets";
        QTest::newRow("threads") << "/machine/threads"
                                 << "0"
                                 << "machine.threads";
        QTest::newRow("tracked") << "/peak/tracked_bytes"
                                 << "\"much\""
                                 << "peak.tracked_bytes";
        QTest::newRow("format") << "/format"
                                << "\"remat-plan\""
                                << "report.json";
        row("op", "/ops/2/op", "\"norm9\"", "ops[2].op");
        row("stage of an op", "/ops/2/stage", "\"head\"", "ops[2].stage");
        row("time of an op", "/ops/2/forward_ns", "-1", "ops[2].forward_ns");
        row("op of more than an hour", "/ops/2/backward_ns", "3600000000001", "ops[2].backward_ns");
        row("op that did not run", "/ops/2/forwards", "0", "ops[2].forwards");
        row("op without a backward", "/ops/2/backwards", "0", "ops[2].backwards");
        row("op that never ends", "/ops/2/forwards", "2305843009213693952", "ops[2].forwards"); // 2^61
        row("stages above 2^61 together", "/stages/1/rerun_ns", "2305843009213693952", "stages");
        row("stages above 2^61 predicted", "/predicted_stages/1/rerun_ns", "2305843009213693952", "predicted_stages");
        row("stages longer than the predicted step", "/time/predicted_step_ns", "1", "predicted_stages");
        row("one op", "/ops",
            R"([{"stage": "block", "op": "qkv", "forward_ns": 1, "backward_ns": 1, "forwards": 1, "backwards": 1}])",
            "ops");
        row("one stage", "/stages", R"([{"forward_ns": 1, "rerun_ns": 1, "backward_ns": 1}])", "stages");
        QTest::newRow("layers") << "/model/layers"
                                << "1000000000"
                                << "model";
    }

    void changedReportsAreRefused()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, where);
        nlohmann::json json = toJson(sampleReportWithTimes());
        json[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
        const Result<RunReport> read = parseReport(json.dump(), "report.json");
        QVERIFY(!read);
        QCOMPARE(static_cast<int>(read.error().exitCode()), 3);
        QVERIFY2(read.error().where.find(where.toStdString()) != std::string::npos, read.error().where.c_str());
    }

    /// By hand: a stage of 5 + 0 + 7 ns in two micro-batches is 24 ns, more than a step of 23 ns.
    void predictedStagesFitIntoTheStep()
    {
        RunReport report = sampleReportWithTimes();
        report.setup.microBatches = 2;
        const Device device = sizesOfThisCpu(2);
        const Plan plan
            = derivePlan(buildStepTape(report.shape, report.setup, machineTraits(device)), device, report.keep);
        report.peak.predicted = plan.prediction.peak;
        report.peak.predictedAt = englishText(plan.prediction.peakAt);
        report.peak.base = plan.prediction.base;
        for (StageTime& stage : report.predictedStages)
            stage = {};
        report.predictedStages[1] = {{5}, {0}, {7}};
        report.time.predicted = Nanoseconds{24};
        const Result<RunReport> whole = parseReport(reportFileText(report), "report.json");
        QVERIFY2(whole, whole ? "" : englishSentence(whole.error()).c_str());
        report.time.predicted = Nanoseconds{23};
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY(!read);
        QCOMPARE(std::string(read.error().code->name), std::string("report-stages-too-long"));
        QCOMPARE(read.error().where, std::string("report.json: predicted_stages"));
    }

    void medianIsTheMiddle()
    {
        QCOMPARE(median({}), Nanoseconds{0});
        QCOMPARE(median({{5}}), Nanoseconds{5});
        QCOMPARE(median({{9}, {1}, {5}}), Nanoseconds{5});
        QCOMPARE(median({{9}, {1}, {5}, {7}}), Nanoseconds{5});
    }

    void decimationKeepsOrderAndPeak()
    {
        std::vector<TimelinePoint> points;
        points.reserve(100'000);
        for (int i = 0; i < 100'000; ++i)
            points.push_back({{i}, {i == 77'777 ? 1'000'000 : i % 1000}, i});
        const std::vector<TimelinePoint> kept = decimate(points);
        QVERIFY(kept.size() <= kReportPoints);
        QVERIFY(kept.size() > kReportPoints / 2);
        QVERIFY(std::is_sorted(
            kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.instruction < b.instruction; }));
        QVERIFY(std::any_of(kept.begin(), kept.end(), [](const auto& p) { return p.live.value == 1'000'000; }));
        QCOMPARE(decimate({points.begin(), points.begin() + 10}).size(), std::size_t{10});
    }
};

QTEST_APPLESS_MAIN(RunReportTest)
#include "run_report_test.moc"
