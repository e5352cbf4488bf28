// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "cuda/emulator/emulated_gpu.h"
#include "cuda/emulator/launch.h"
#include "cuda/machine/cuda_machine.h"
#include "tests/support/run_step.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// A GPU with round figures.
Device roundGpu()
{
    Device device = roundCpu();
    device.name = "gpu";
    device.kind = DeviceKind::Cuda;
    device.granule = {512};
    return device;
}

/// What the laws must hold for: a step of two layers.
struct Case {
    Variety variety;
    bool isHalf = false;
    bool hasMaster = false;
};

StepTape tapeOf(const Case& c, const ModelShape& shape, std::int64_t batch, std::int64_t sequence)
{
    TrainingSetup setup = setupOf(c.variety, batch, sequence);
    setup.device = "gpu";
    setup.precision = c.isHalf ? Precision::Half : Precision::Fp32;
    setup.masterWeights = c.hasMaster && setup.optimizer != OptimizerKind::None;
    return buildStepTape(shape, setup, machineTraits(roundGpu()));
}

StepResult run(const StepTape& tape, const std::vector<KeepSet>& keep)
{
    cuda::EmulatedGpu gpu;
    cuda::CudaMachine machine(gpu, {.poisonsBlocks = true});
    return runOn(machine, tape, roundGpu(), keep);
}

void compareWithKeepAll(const StepTape& tape, const std::vector<KeepSet>& keep, const StepResult& keepAllResult)
{
    const StepResult result = run(tape, keep);
    QCOMPARE(result.seen.peak.value, result.predicted.peak.value);
    for (std::size_t s = 0; s < result.seen.forwardsOfOp.size(); ++s)
        for (std::size_t op = 0; op < result.seen.forwardsOfOp[s].size(); ++op)
            QCOMPARE(result.seen.forwardsOfOp[s][op], 1 + result.predicted.rerunsOfOp[s][op]);
    const std::string difference = firstDifference(result, keepAllResult);
    QVERIFY2(difference.empty(), difference.c_str());
    QVERIFY(std::isfinite(result.seen.loss));
    for (const auto& [name, values] : result.gradients)
        for (const float v : values)
            QVERIFY2(std::isfinite(v), name.c_str());
}

/// The largest distance of two gradients as a share of the largest of its tensor.
double worstDistance(const StepResult& a, const StepResult& b)
{
    double worst = 0;
    for (const auto& [name, values] : a.gradients) {
        const std::vector<float>& others = b.gradients.at(name);
        double largest = 1e-12, distance = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(others[i])));
            distance = std::max(distance, std::abs(static_cast<double>(values[i]) - static_cast<double>(others[i])));
        }
        worst = std::max(worst, distance / largest);
    }
    return worst;
}

} // namespace

/// Laws 1 and 4 of whole steps on the emulated GPU, whose kernels, dispatch and program are those of a real one;
/// dropped values are poisoned with NaN.  The CPU machine, which is tested against a double-precision reference, is the
/// independent source for what the gradients should be.
class CudaMachineTest : public QObject {
    Q_OBJECT

private slots:
    /// At least 60 plans, over all families, both storage types and all variants.
    void plansTrackTheirPredictionAndKeepTheGradients()
    {
        std::mt19937 random(60);
        const int models = qEnvironmentVariableIsSet("REMAT_LONG") ? 200 : 16;
        for (int i = 0; i < models; ++i) {
            Case c{randomVariety(random), i % 2 == 1, i % 4 == 1};
            c.variety.isBert = i % 3 == 0;
            c.variety.isLlama = i % 3 == 1;
            ModelShape shape = randomShape(c.variety, random);
            shape.layers = 2;
            const StepTape tape = tapeOf(c, shape, 1 + i % 2, 5 + i % 9);
            const StepResult keepAll = run(tape, keepEverything(tape));
            QCOMPARE(keepAll.seen.peak.value, keepAll.predicted.peak.value);
            for (int k = 0; k < 4; ++k) {
                compareWithKeepAll(tape, randomKeepSets(tape, random), keepAll);
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    /// Same weights, tokens and dropout masks on both machines.  In fp32 the sums' orders differ, by a few 1e-6 of the
    /// largest gradient of a tensor; bf16 keeps 8 bits, which a dozen ops in a row wear down.
    void gradientsAgreeWithTheCpuMachine_data()
    {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("isStored");
        QTest::addColumn<bool>("isHalf");
        for (const bool isHalf : {false, true})
            for (const bool isStored : {false, true})
                for (int family = 0; family < 3; ++family)
                    QTest::addRow("%s, %s, %s",
                        family == 0       ? "gpt2"
                            : family == 1 ? "bert"
                                          : "llama",
                        isStored ? "stored" : "blocked", isHalf ? "bf16" : "fp32")
                        << family << isStored << isHalf;
    }
    void gradientsAgreeWithTheCpuMachine()
    {
        QFETCH(int, family);
        QFETCH(bool, isStored);
        QFETCH(bool, isHalf);
        Case c{{.isBert = family == 1,
                   .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked,
                   .headChunks = isStored ? 3 : 1,
                   .hasDropout = true,
                   .isLlama = family == 2,
                   .sharing = family == 2 ? Sharing::Pairs : Sharing::None},
            isHalf};
        const ModelShape shape = smallShape(c.variety, 2, 2, 8, 24, 19, 16);
        const StepTape tape = tapeOf(c, shape, 2, 11);
        const StepResult gpu = run(tape, keepEverything(tape));
        TrainingSetup onCpu = setupOf(c.variety, 2, 11);
        const StepTape cpuTape = buildStepTape(shape, onCpu, machineTraits(roundCpu()));
        const StepResult cpu = runOnce(cpuTape, keepEverything(cpuTape), 1);
        const double distance = worstDistance(gpu, cpu);
        std::printf("%s: %.2g\n", QTest::currentDataTag(), distance);
        QVERIFY2(distance < (isHalf ? 0.1 : 1e-5), qPrintable(QString::number(distance)));
        QVERIFY(std::abs(gpu.seen.loss - cpu.seen.loss) < (isHalf ? 0.02 : 1e-5));
    }

    /// The bits do not depend on the order in which threads and blocks run.
    void everyThreadOrderGivesTheSameBits()
    {
        const Case c{{.headChunks = 2, .hasDropout = true, .isLlama = true, .sharing = Sharing::All}, true, true};
        const StepTape tape = tapeOf(c, smallShape(c.variety, 1, 2, 4, 12, 13, 8), 2, 7);
        const StepResult forward = run(tape, keepEverything(tape));
        for (const cuda::ThreadOrder order : {cuda::ThreadOrder::Reverse, cuda::ThreadOrder::Shuffled}) {
            const cuda::UseThreadOrder use(order, 5);
            const std::string difference = firstDifference(run(tape, keepEverything(tape)), forward);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(CudaMachineTest)
#include "cuda_machine_test.moc"
