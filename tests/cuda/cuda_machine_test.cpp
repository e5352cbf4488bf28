// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <stdexcept>

#include "cuda/emulator/emulated_gpu.h"
#include "cuda/emulator/launch.h"
#include "tests/cuda/step_laws.h"
#include "tests/support/counts.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// A GPU that has no memory, or breaks at some product and answers nothing afterwards, as CUDA does after a fault.
class FaultyGpu : public cuda::EmulatedGpu {
public:
    bool isFull = false;
    int failsAfter = 1 << 30;

    std::byte* allocate(Bytes bytes) override
    {
        answer();
        return isFull ? nullptr : EmulatedGpu::allocate(bytes);
    }
    void release(std::byte* data) override
    {
        EmulatedGpu::release(data);
        answer();
    }
    void finish() override { answer(); }
    void multiply(const cuda::Product& product, std::byte* workspace) override
    {
        m_isBroken = m_isBroken || --failsAfter < 0;
        answer();
        EmulatedGpu::multiply(product, workspace);
    }

private:
    void answer() const
    {
        if (m_isBroken)
            throw std::runtime_error("an illegal memory access was encountered");
    }
    bool m_isBroken = false;
};

} // namespace

/// Whole steps on the emulated GPU, whose kernels, dispatch and program are those of a real one (step_laws.h).
class CudaMachineTest : public QObject {
    Q_OBJECT

private slots:
    /// 60 random plans in each storage type, over all families and variants.
    void plansTrackTheirPredictionAndKeepTheGradients()
    {
        cuda::EmulatedGpu gpu;
        std::mt19937 random(60);
        const int models = testing::countOf({.brief = 10, .usual = 30, .full = 200});
        for (int i = 0; i < models; ++i) {
            const auto [c, tape] = randomCase(i, random);
            const StepResult keepAll = runOnGpu(gpu, tape, keepEverything(tape));
            for (int k = 0; k < 5; ++k) {
                const StepResult result = k == 0 ? keepAll : runOnGpu(gpu, tape, randomKeepSets(tape, random));
                const std::string broken = brokenLaw(result, keepAll);
                QVERIFY2(broken.empty(), broken.c_str());
            }
        }
    }

    void gradientsAgreeWithTheCpuMachine_data()
    {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("isStored");
        QTest::addColumn<bool>("isHalf");
        for (const bool isHalf : {false, true})
            for (const bool isStored : {false, true})
                for (int family = 0; family < 3; ++family)
                    QTest::addRow(
                        "%s, %s, %s", familyName(family), isStored ? "stored" : "blocked", isHalf ? "bf16" : "fp32")
                        << family << isStored << isHalf;
    }
    void gradientsAgreeWithTheCpuMachine()
    {
        QFETCH(int, family);
        QFETCH(bool, isStored);
        QFETCH(bool, isHalf);
        cuda::EmulatedGpu gpu;
        const Agreement agreement = agreementWithCpu(gpu, family, isStored, isHalf);
        QVERIFY2(Agreement::isClose(agreement, isHalf),
            qPrintable(QStringLiteral("%1, %2").arg(agreement.gradients).arg(agreement.loss)));
    }

    /// The loss of the third step, after two updates, moved as the CPU machine's did: in fp32 within a thousandth of
    /// the way that the optimizer moved it; bf16 steps are coarser, with master weights too.
    void optimizersMoveWeightsAsTheCpuMachineDoes_data()
    {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<bool>("isHalf");
        QTest::addColumn<bool>("hasMaster");
        QTest::addColumn<double>("bound");
        QTest::newRow("sgd, fp32") << int(OptimizerKind::Sgd) << false << false << 1e-2;
        QTest::newRow("adamw, fp32") << int(OptimizerKind::AdamW) << false << false << 1e-2;
        QTest::newRow("adamw, bf16, master weights") << int(OptimizerKind::AdamW) << true << true << 0.2;
    }
    void optimizersMoveWeightsAsTheCpuMachineDoes()
    {
        QFETCH(int, optimizer);
        QFETCH(bool, isHalf);
        QFETCH(bool, hasMaster);
        QFETCH(double, bound);
        const auto lossAfterTwo = [&](OptimizerKind kind, bool onCpu) {
            const GpuCase c{{.optimizer = kind}, isHalf && !onCpu, hasMaster && !onCpu};
            const ModelShape shape = smallShape(c.variety, 2, 2, 8, 24, 19, 16);
            if (onCpu) {
                const StepTape tape = buildStepTape(shape, setupOf(c.variety, 2, 11), machineTraits(roundCpu()));
                CpuMachine machine({.poisonsBlocks = true});
                return runOn(machine, tape, roundCpu(), keepEverything(tape), {}, 3).seen.loss;
            }
            const StepTape tape = tapeOf(c, shape, 2, 11);
            cuda::EmulatedGpu gpu;
            cuda::CudaMachine machine(gpu, {.poisonsBlocks = true});
            return runOn(machine, tape, roundGpu(), keepEverything(tape), {}, 3).seen.loss;
        };
        const auto kind = static_cast<OptimizerKind>(optimizer);
        const double onCpu = lossAfterTwo(kind, true), moved = onCpu - lossAfterTwo(OptimizerKind::None, true);
        const double onGpu = lossAfterTwo(kind, false);
        const double off = std::abs(onGpu - onCpu) / std::abs(moved);
        QVERIFY2(off < bound, qPrintable(QStringLiteral("%1 of %2").arg(off).arg(moved)));
    }

    /// The first step of AdamW moves a weight by lr g / (|g| + eps) = 1e-3 after its decay of 1e-3 x 0.01 (Loshchilov &
    /// Hutter 2019): the master copy by just that, and the weight becomes its rounding to 8 bits.
    void masterWeightsMoveUnrounded()
    {
        constexpr std::int64_t count = 300;
        cuda::EmulatedGpu gpu;
        cuda::CudaMachine machine(gpu, {});
        Parameter parameter;
        parameter.elements = count;
        const auto block = [&](std::int64_t bytes) { return machine.allocate({bytes}).value(); };
        std::byte *const weight = block(2 * count), *const gradient = block(2 * count);
        float* state[3];
        for (float*& copy : state) {
            copy = reinterpret_cast<float*>(block(4 * count));
            machine.fillZero({4 * count}, reinterpret_cast<std::byte*>(copy));
        }
        const auto [momentum, variance, master] = state;
        machine.initialize(parameter, ElementType::Bf16, 3, 1, weight, master);
        machine.initialize(parameter, ElementType::Bf16, 3, 2, gradient, nullptr);
        const std::vector<float> start(master, master + count); // the emulated GPU's memory is the host's
        const std::vector<float> slopes = numbersOf({gradient, 2 * count}, ElementType::Bf16);
        machine.update(
            OptimizerKind::AdamW, 1, {&parameter, ElementType::Bf16, weight, gradient, momentum, variance, master});
        QVERIFY(machine.finish());
        const std::vector<float> rounded = numbersOf({weight, 2 * count}, ElementType::Bf16);
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const double g = slopes[i];
            const double expected = start[i] * (1 - 1e-5) - 1e-3 * g / (std::abs(g) + 1e-8);
            QVERIFY(std::abs(master[i] - expected) < 1e-8);
            QVERIFY(std::abs(rounded[i] - master[i]) <= std::abs(master[i]) * 0x1p-8);
        }
        for (std::byte* data : {weight, gradient})
            machine.release(data, {2 * count});
        for (float* copy : state)
            machine.release(reinterpret_cast<std::byte*>(copy), {4 * count});
    }

    /// An error that stays, as after an illegal access: the step ends with it, nothing throws out of a destructor.
    void aFaultEndsTheStepWithAnError()
    {
        FaultyGpu gpu;
        cuda::CudaMachine machine(gpu, {});
        const GpuCase c{};
        const StepTape tape = tapeOf(c, smallShape(c.variety, 1, 2, 4, 12, 13, 8), 2, 7);
        const StepChain step = buildFixedChain(tape, roundGpu(), keepEverything(tape));
        const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
        ExecutorOptions options;
        options.clock = steadyClock;
        auto executor = Executor::create(step.tape, program, machine, options);
        QVERIFY(executor);
        gpu.failsAfter = 4;
        const Result<StepObservation> seen = (*executor)->runStep();
        QVERIFY(!seen);
        QCOMPARE(static_cast<int>(seen.error().exitCode()), static_cast<int>(ExitCode::DeviceError));
        QVERIFY(englishSentence(seen.error()).find("illegal") != std::string::npos);
    }

    void aFullGpuIsOutOfMemory()
    {
        FaultyGpu gpu;
        gpu.isFull = true;
        cuda::CudaMachine machine(gpu, {});
        const Result<std::byte*> data = machine.allocate({512});
        QVERIFY(!data);
        QCOMPARE(static_cast<int>(data.error().exitCode()), static_cast<int>(ExitCode::OutOfMemory));
    }

    /// The bits do not depend on the order in which threads and blocks run.
    void everyThreadOrderGivesTheSameBits()
    {
        cuda::EmulatedGpu gpu;
        const GpuCase c{{.headChunks = 2, .hasDropout = true, .isLlama = true, .sharing = Sharing::All}, true, true};
        const StepTape tape = tapeOf(c, smallShape(c.variety, 1, 2, 4, 12, 13, 8), 2, 7);
        const StepResult forward = runOnGpu(gpu, tape, keepEverything(tape));
        for (const cuda::ThreadOrder order : {cuda::ThreadOrder::Reverse, cuda::ThreadOrder::Shuffled}) {
            const cuda::UseThreadOrder use(order, 5);
            const std::string difference = firstDifference(runOnGpu(gpu, tape, keepEverything(tape)), forward);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(CudaMachineTest)
#include "cuda_machine_test.moc"
