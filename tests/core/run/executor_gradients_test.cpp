// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "tests/support/double_model.h"
#include "tests/support/run_step.h"

using namespace remat;
using namespace remat::testing;

/// The executor's gradients against finite differences of a model that shares nothing with it.
class ExecutorGradientsTest : public QObject {
    Q_OBJECT

private slots:
    void gradientsMatchFiniteDifferences_data();
    void gradientsMatchFiniteDifferences();
};

namespace {

/// The same dropout multipliers: the generator applied to ones (its own tests hold it to published vectors).
DoubleModel::Masks dropoutMasks(const StepTape& tape, std::uint64_t seed)
{
    return [&tape, seed](const std::string& stage, const std::string& name, std::size_t count) {
        const kernels::CpuKernels& cpu = kernels::bestCpuKernels();
        std::vector<double> mask(count, 1.0);
        for (std::size_t s = 0; s < tape.stages.size(); ++s)
            for (std::size_t o = 0; o < tape.tapeOf(static_cast<int>(s)).ops.size(); ++o) {
                const Op& op = tape.tapeOf(static_cast<int>(s)).ops[o];
                const bool isAttention = op.kind == OpKind::Attention || op.kind == OpKind::AttentionContext;
                if (tape.stages[s].name != stage || !op.isRandom
                    || (name == "attention" ? !isAttention : op.name != name))
                    continue;
                std::vector<std::uint32_t> words((count + 3) / 4 * 4);
                cpu.randomWords(
                    {seed, s * kMaxOpsOfStage + o}, 0, static_cast<std::int64_t>(words.size() / 4), words.data());
                for (std::size_t e = 0; e < count; ++e)
                    mask[e] = words[e] < op.dims.dropout * 4294967296.0 ? 0.0 : 1.0 / (1.0 - op.dims.dropout);
            }
        return mask;
    };
}

// Over all rows below, fp32 gradients erred by at most 4.4e-7 of the largest of their tensor (AVX2; other kernels add
// in another order), and losses by less than 1e-6.  Central differences in double err by 1e-10: the step's square and
// 2.4e-16 of the loss over the step.
constexpr double kLossError = 1e-6, kGradientError = 2e-6, kDifferenceError = 1e-9;

} // namespace

void ExecutorGradientsTest::gradientsMatchFiniteDifferences_data()
{
    QTest::addColumn<bool>("isBert");
    QTest::addColumn<bool>("isStored");
    QTest::addColumn<int>("headChunks");
    QTest::addColumn<bool>("hasDropout");
    QTest::addColumn<bool>("isTied");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<bool>("isRelu");
    const auto row
        = [](bool isBert, bool isStored, int headChunks, bool hasDropout, bool isTied, int microBatches, bool isRelu) {
              QTest::addRow("%s, %s attention, %s head of %d chunks, dropout %s, %d micro-batches%s",
                  isBert ? "bert" : "gpt2", isStored ? "stored" : "blocked", isTied ? "tied" : "own", headChunks,
                  hasDropout ? "on" : "off", microBatches, isRelu ? ", ReLU" : "")
                  << isBert << isStored << headChunks << hasDropout << isTied << microBatches << isRelu;
          };
    for (const bool isBert : {false, true}) {
        for (const bool isStored : {false, true})
            for (const int headChunks : {1, 3})
                for (const bool hasDropout : {false, true})
                    for (const bool isTied : {false, true})
                        row(isBert, isStored, headChunks, hasDropout, isTied, 1, false);
        row(isBert, false, 1, true, true, 2, false);
        row(isBert, true, 3, false, true, 3, false);
        row(isBert, false, 1, false, true, 1, true);
    }
}

void ExecutorGradientsTest::gradientsMatchFiniteDifferences()
{
    QFETCH(bool, isBert);
    QFETCH(bool, isStored);
    QFETCH(int, headChunks);
    QFETCH(bool, hasDropout);
    QFETCH(bool, isTied);
    QFETCH(int, microBatches);
    QFETCH(bool, isRelu);
    const Variety variety{.isBert = isBert,
        .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked,
        .headChunks = headChunks,
        .hasDropout = hasDropout,
        .microBatches = microBatches,
        .isTied = isTied};
    ModelShape shape = smallShape(variety, 2, 2, 5, 14, 11, 9);
    if (isRelu)
        shape.activation = Activation::Relu;
    const TrainingSetup setup = setupOf(variety, 2, 6);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(roundCpu()));
    NotingMachine machine({.poisonsBlocks = true});
    std::mt19937 random(3);
    const StepResult result = runOnce(tape, randomKeepSets(tape, random), 1, &machine);

    // A step's loss is the mean of its micro-batches', each with its own tokens and dropout.
    std::vector<DoubleModel> models;
    QCOMPARE(machine.ids.size(), static_cast<std::size_t>(2 * microBatches));
    for (std::size_t k = 0; k < machine.ids.size(); k += 2)
        models.emplace_back(shape, setup, machine.ids[k], machine.ids[k + 1], dropoutMasks(tape, machine.seeds[k]));
    const auto loss = [&](const DoubleModel::Weights& weights) {
        double sum = 0;
        for (const DoubleModel& model : models)
            sum += model.loss(weights);
        return sum / static_cast<double>(models.size());
    };
    DoubleModel::Weights weights = machine.weights;
    QVERIFY(std::abs(loss(weights) - result.seen.loss) < kLossError * std::abs(result.seen.loss));

    for (const auto& [name, gradient] : result.gradients) {
        double largest = 0;
        for (const float g : gradient)
            largest = std::max(largest, std::abs(static_cast<double>(g)));
        for (int probe = 0; probe < 4; ++probe) {
            const std::size_t e = random() % gradient.size();
            double& weight = weights.at(name)[e];
            const double original = weight, step = 1e-5;
            weight = original + step;
            const double above = loss(weights);
            weight = original - step;
            const double below = loss(weights);
            weight = original;
            const double expected = (above - below) / (2 * step);
            const double error = std::abs(gradient[e] - expected);
            QVERIFY2(error <= kGradientError * largest + kDifferenceError,
                qPrintable(QStringLiteral("%1[%2]: %3, expected %4")
                               .arg(QString::fromStdString(name))
                               .arg(e)
                               .arg(gradient[e])
                               .arg(expected)));
        }
    }
}

QTEST_APPLESS_MAIN(ExecutorGradientsTest)
#include "executor_gradients_test.moc"
