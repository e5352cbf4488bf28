// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/cost/roofline.h"
#include "core/plan/plan_file.h"
#include "core/run/cpu_profile.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

CpuMeasurement base()
{
    CpuMeasurement measurement;
    measurement.processor = "Another CPU";
    measurement.launchOverhead = {300};
    for (MeasuredRate& rate : measurement.rates)
        rate = {1e10, 1e10};
    return measurement;
}

const OpTime& opOf(const RunReport& report, const std::string& stage, const std::string& name)
{
    return *std::find_if(
        report.ops.begin(), report.ops.end(), [&](const OpTime& op) { return op.stage == stage && op.op == name; });
}

} // namespace

class CpuProfileTest : public QObject {
    Q_OBJECT
private slots:
    /// norm1, norm2 (two layers each) and final_norm are one op: (2 a + 2 b + c) / 5, by hand.
    void alikeOpsShareTheirMean()
    {
        const RunReport report = sampleReportWithTimes();
        const CpuMeasurement costs = profiledCosts(report, base());
        const auto norm = std::find_if(
            costs.ops.begin(), costs.ops.end(), [](const MeasuredOp& op) { return op.kind == OpKind::LayerNorm; });
        QVERIFY(norm != costs.ops.end());
        const std::int64_t a = opOf(report, "block", "norm1").forward.value;
        const std::int64_t b = opOf(report, "block", "norm2").forward.value;
        const std::int64_t c = opOf(report, "head", "final_norm").forward.value;
        QCOMPARE(norm->forward.value, std::llround(static_cast<double>(2 * a + 2 * b + c) / 5));
        QCOMPARE(std::count_if(costs.ops.begin(), costs.ops.end(),
                     [](const MeasuredOp& op) { return op.kind == OpKind::LayerNorm; }),
            1);
    }

    /// Of 9000 runs of norm1, 6 of norm2 and 3 of final_norm the mean is nearly norm1's: (9000 a + 6 b + 3 c) / 9009.
    void oftenRunOpsWeighMore()
    {
        RunReport report = sampleReportWithTimes();
        for (OpTime& op : report.ops)
            if (op.op == "norm1")
                op.forwards = 9000;
        const CpuMeasurement costs = profiledCosts(report, base());
        const auto norm = std::find_if(
            costs.ops.begin(), costs.ops.end(), [](const MeasuredOp& op) { return op.kind == OpKind::LayerNorm; });
        const std::int64_t a = opOf(report, "block", "norm1").forward.value;
        const std::int64_t b = opOf(report, "block", "norm2").forward.value;
        const std::int64_t c = opOf(report, "head", "final_norm").forward.value;
        QCOMPARE(norm->forward.value, std::llround(static_cast<double>(9000 * a + 6 * b + 3 * c) / 9009));
    }

    /// The report's own times, added up by hand: both layers of a plan that keeps everything, and the optimizer.
    void keepingEverythingTakesTheSumOfItsOps()
    {
        RunReport report = sampleReportWithTimes();
        // Alike ops with the same times, so that no mean stands between.
        for (const char* alike : {"norm", "drop", "residual"}) {
            const OpTime* first = nullptr;
            for (OpTime& op : report.ops) {
                if (op.op.find(alike) == std::string::npos)
                    continue;
                first = first ? first : &op;
                op.forward = first->forward;
                op.backward = first->backward;
            }
        }
        Nanoseconds sum;
        for (const OpTime& op : report.ops)
            sum += (op.stage == "block" ? 2 : 1) * (op.forward + op.backward);
        const Device cpu = cpuDevice(profiledCosts(report, base()), 1_GiB);
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::None, cpu);
        QCOMPARE(plan.prediction.time, sum);
        QCOMPARE(plan.prediction.overhead, Nanoseconds{0});
        QVERIFY(std::abs(plan.prediction.optimizer.value - 5'000'000) <= 1);
        // A full layer makes its ops up to the activation again: its output is what the last product reads.
        Nanoseconds again;
        for (const OpTime& op : report.ops) {
            if (op.op == "ffn_down")
                break;
            if (op.stage == "block")
                again += 2 * op.forward;
        }
        QCOMPARE(samplePlan("tiny-gpt2", Strategy::Kind::Full, cpu).prediction.overhead, again);
    }

    /// With another batch no op is the measured one; each class keeps the overhead and the rate that its ops showed.
    /// Here all ops of the class take 1 us + 1 ns a byte or FLOP, and so do those of twice the batch.
    void otherSizesFollowTheirClass()
    {
        RunReport report = sampleReportWithTimes();
        const StepTape tape = samplePlan("tiny-gpt2", Strategy::Kind::Full).step->tape;
        auto row = report.ops.begin();
        for (const StageTape& kind : tape.kinds)
            for (const Op& op : kind.ops) {
                const bool isProduct = isProductClass(classOf(op.kind));
                const auto line = [&](Flops flops, Bytes bytes) {
                    return Nanoseconds{1000 + (isProduct ? flops.value : bytes.value)};
                };
                row->forward = line(op.forwardFlops, op.forwardBytes);
                row->backward = line(op.backwardFlops, op.backwardBytes);
                ++row;
            }
        const Device cpu = cpuDevice(profiledCosts(report, base()), 1_GiB);
        QCOMPARE(cpu.efficiencyOf(OpClass::Gemm).overhead, Nanoseconds{1000});
        QCOMPARE(cpu.efficiencyOf(OpClass::Attention).overhead, Nanoseconds{300}); // of one op: nothing to tell it by
        const Nanoseconds twice = opTime(cpu, OpClass::Gemm, {50'000'000}, {0});
        QVERIFY2(std::abs(twice.value - 50'001'000) <= 50, std::to_string(twice.value).c_str());
        const Plan larger = samplePlan("tiny-gpt2", Strategy::Kind::None, cpu, 4);
        for (const StageTape& kind : larger.step->tape.kinds)
            for (const Op& op : kind.ops)
                QVERIFY(!findMeasuredOp(cpu.measuredOps, op, ElementType::Fp32));
    }

    void whatDidNotRunKeepsItsRate()
    {
        const CpuMeasurement costs = profiledCosts(sampleReportWithTimes(), base());
        QCOMPARE(costs.rateOf(OpClass::StoredAttention), (MeasuredRate{1e10, 1e10}));
        QCOMPARE(costs.processor, std::string("Example CPU"));
        QCOMPARE(costs.threads, std::int64_t{2});
        QCOMPARE(costs.step, std::string("tiny-gpt2, 2 x 128 tokens"));
    }

    /// Costs files are without control characters, models' names are not.
    void stepsAreNamedInPlainText()
    {
        RunReport report = sampleReportWithTimes();
        report.shape.name = "tiny\n\x1b gpt2\xC2\x85";
        const CpuMeasurement costs = profiledCosts(report, base());
        QCOMPARE(costs.step, std::string("tiny   gpt2 , 2 x 128 tokens"));
        const Result<CpuMeasurement> read = parseCostsFile(costsFileText(costs), "costs.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(*read, costs);
    }

    /// A report of an older version has no times.
    void noTimesChangeNothing() { QCOMPARE(profiledCosts(sampleReport(), base()), base()); }

    void runsOfOtherMachinesAreRefused()
    {
        const RunReport report = sampleReportWithTimes();
        CpuMeasurement here = base();
        here.processor = report.processor;
        here.threads = report.threads;
        here.kernels = report.kernels;
        // What the device must say, from the report and from base() by hand.
        const Device device = profiledDevice(report, here, 1_GiB).value();
        QCOMPARE(device.name, std::string("cpu"));
        QCOMPARE(device.title, std::string("This CPU (Example CPU)"));
        QCOMPARE(device.memory, 1_GiB);
        QCOMPARE(device.threads, std::int64_t{2});
        QCOMPARE(device.launchOverhead, Nanoseconds{300});
        // Stored attention did not run and keeps its 1e10 FLOP/s: 10 us of work, 300 ns of launch.
        QCOMPARE(opTime(device, OpClass::StoredAttention, {100'000}, {0}), Nanoseconds{10'300});
        const auto attention = std::find_if(device.measuredOps.begin(), device.measuredOps.end(),
            [](const MeasuredOp& op) { return op.kind == OpKind::Attention; });
        QVERIFY(attention != device.measuredOps.end());
        const OpTime& timed = opOf(report, "block", "attn_core");
        QCOMPARE(attention->forward, timed.forward);
        QCOMPARE(attention->backward, timed.backward);
        here.threads = 3;
        QVERIFY(!profiledDevice(report, here, 1_GiB));
        here.threads = report.threads;
        here.kernels = "x86-64-v4";
        QVERIFY(!profiledDevice(report, here, 1_GiB));
        here.kernels = report.kernels;
        here.processor = "Another CPU";
        const Result<Device> refused = profiledDevice(report, here, 1_GiB);
        QVERIFY(!refused);
        QCOMPARE(std::string(refused.error().code->name), std::string("run-of-other-machine"));
    }

    /// Law 6: the plan file brings the measured ops, and replays to the same text anywhere.
    void planWithMeasuredCostsReplays()
    {
        const Device cpu = cpuDevice(profiledCosts(sampleReportWithTimes(), base()), 1_GiB);
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::Full, cpu);
        const Result<Plan> read = parsePlan(planFileText(plan), "plan.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(read->device, cpu);
        QCOMPARE(planFileText(*read), planFileText(plan));
        // One measured time more, and the prediction does not follow.
        std::string text = planFileText(plan);
        const std::string time = "\"forward_ns\": " + std::to_string(plan.device.measuredOps[3].forward.value);
        const std::size_t place = text.find(time);
        QVERIFY(place != std::string::npos);
        text.replace(place, time.size(), "\"forward_ns\": 1");
        QVERIFY(!parsePlan(text, "plan.json"));
    }

    /// A run of such a plan is predicted with the plan's own times on the processor that they are of.
    void runsArePredictedWithTheirOwnCosts()
    {
        const Device measured = cpuDevice(profiledCosts(sampleReportWithTimes(), base()), 1_GiB);
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::Full, measured);
        CpuMeasurement here = base();
        here.processor = "Example CPU";
        here.threads = 2;
        const Device same = cpuDevice(here, 1_GiB);
        QCOMPARE(&timedFor(plan, same), &plan.device);
        here.threads = 1;
        const Device fewer = cpuDevice(here, 1_GiB), other = cpuDevice(base(), 1_GiB);
        QCOMPARE(&timedFor(plan, fewer), &fewer);
        QCOMPARE(&timedFor(plan, other), &other);
        const Plan plain = samplePlan("tiny-gpt2", Strategy::Kind::Full, same);
        QCOMPARE(&timedFor(plain, same), &same);
    }
};

QTEST_APPLESS_MAIN(CpuProfileTest)
#include "cpu_profile_test.moc"
