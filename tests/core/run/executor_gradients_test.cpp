// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/model/names.h"
#include "tests/support/double_llama.h"
#include "tests/support/double_model.h"
#include "tests/support/run_step.h"

using namespace remat;
using namespace remat::testing;

Q_DECLARE_METATYPE(remat::testing::Variety)

/// The executor's gradients against finite differences of a model that shares nothing with it.
class ExecutorGradientsTest : public QObject {
    Q_OBJECT

private slots:
    void gradientsMatchFiniteDifferences_data();
    void gradientsMatchFiniteDifferences();
    void largeWeightsGiveTheReferencesLoss_data();
    void largeWeightsGiveTheReferencesLoss();
    void secondStepsLossIsThatOfTheOptimizersWeights_data();
    void secondStepsLossIsThatOfTheOptimizersWeights();
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

const char* sharingName(Sharing sharing)
{
    return sharing == Sharing::None ? "own keys" : sharing == Sharing::Pairs ? "keys of pairs" : "one key for all";
}

/// What AdamW spares from decay, by the names of transformers: biases and the weights of norms ("ln_1",
/// "input_layernorm", "model.norm").
bool isSparedFromDecay(const std::string& name)
{
    const auto contains = [&](const char* part) { return name.find(part) != std::string::npos; };
    return contains(".bias") || contains(".ln_") || contains("norm.");
}

using Loss = std::function<double(const DoubleModel::Weights&)>;

Loss lossOf(
    const StepTape& tape, std::vector<std::int32_t> tokens, std::vector<std::int32_t> targets, DoubleModel::Masks masks)
{
    const ModelShape& s = tape.shape;
    if (s.norm == NormKind::LayerNorm) {
        const DoubleModel model(s, tape.setup, std::move(tokens), std::move(targets), std::move(masks));
        return [model](const DoubleModel::Weights& weights) { return model.loss(weights); };
    }
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const DoubleLlama model{.batch = size(tape.setup.batch),
        .tokensPerSequence = size(tape.setup.sequence),
        .layers = size(s.layers),
        .width = size(s.hidden),
        .heads = size(s.heads),
        .groups = size(s.keyValueHeads > 0 ? s.keyValueHeads : s.heads),
        .headWidth = size(s.ownHeadWidth > 0 ? s.ownHeadWidth : s.hidden / s.heads),
        .ffn = size(s.ffn),
        .vocabulary = size(s.vocabulary),
        .epsilon = s.normEpsilon,
        .base = s.rotaryBase,
        .hasQkvBias = s.hasQkvBias,
        .hasOutBias = s.hasAttentionOutBias,
        .hasFfnBias = s.hasFfnBias,
        .isTied = s.hasTiedHead,
        .tokens = std::move(tokens),
        .targets = std::move(targets),
        .masks = std::move(masks)};
    return [model](const DoubleModel::Weights& weights) { return model.loss(weights); };
}

/// The loss of the step that the machine ran: the mean of its micro-batches', each with its own tokens and dropout.
Loss referenceLoss(const StepTape& tape, const NotingMachine& machine)
{
    std::vector<Loss> losses;
    for (std::size_t k = 0; k + 1 < machine.ids.size(); k += 2)
        losses.push_back(lossOf(tape, machine.ids[k], machine.ids[k + 1], dropoutMasks(tape, machine.seeds[k])));
    return [losses](const DoubleModel::Weights& weights) {
        double sum = 0;
        for (const Loss& loss : losses)
            sum += loss(weights);
        return sum / static_cast<double>(losses.size());
    };
}

/// Begins with larger weights.
class LoudMachine : public NotingMachine {
public:
    using NotingMachine::NotingMachine;

    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override
    {
        NotingMachine::initialize(parameter, storage, seed, stream, data, master);
        auto* values = reinterpret_cast<float*>(data);
        for (std::int64_t i = 0; i < parameter.elements; ++i)
            values[i] *= parameter.initialization == Initialization::Normal ? 20.0F : 1.0F;
        weights[parameter.name] = {values, values + parameter.elements};
    }
};

// Over all rows below, fp32 gradients erred by at most 4.4e-7 of the largest of their tensor (AVX2; other kernels add
// in another order), and losses by less than 1e-6.  Central differences in double err by 1e-10: the step's square and
// 2.4e-16 of the loss over the step.
constexpr double kLossError = 1e-6, kGradientError = 2e-6, kDifferenceError = 1e-9;

} // namespace

void ExecutorGradientsTest::gradientsMatchFiniteDifferences_data()
{
    QTest::addColumn<Variety>("variety");
    QTest::addColumn<bool>("isRelu");
    const auto row = [](const Variety& v, bool isRelu = false) {
        QTest::addRow("%s%s%s, %s, %s attention, %s head of %d chunks, dropout %s, %d micro-batches%s", familyOf(v),
            v.hasAttentionOutBias || v.hasFfnBias ? " with biases" : "", v.hasOwnHeadWidth ? ", own head width" : "",
            sharingName(v.sharing), v.attention == AttentionKind::Stored ? "stored" : "blocked",
            v.isTied ? "tied" : "own", static_cast<int>(v.headChunks), v.hasDropout ? "on" : "off",
            static_cast<int>(v.microBatches), isRelu ? ", ReLU" : "")
            << v << isRelu;
    };
    const auto all = [&](const Variety& family) {
        for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored})
            for (const std::int64_t headChunks : {1, 3})
                for (const bool hasDropout : {false, true})
                    for (const bool isTied : {false, true}) {
                        Variety v = family;
                        v.attention = attention;
                        v.headChunks = headChunks;
                        v.hasDropout = hasDropout;
                        v.isTied = isTied;
                        row(v);
                    }
    };
    for (const bool isBert : {false, true}) {
        all({.isBert = isBert});
        row({.isBert = isBert, .hasDropout = true, .microBatches = 2});
        row({.isBert = isBert, .attention = AttentionKind::Stored, .headChunks = 3, .microBatches = 3});
        row({.isBert = isBert}, true);
    }
    for (const bool hasQkvBias : {false, true})
        for (const Sharing sharing : {Sharing::None, Sharing::All})
            all({.isLlama = true, .hasQkvBias = hasQkvBias, .sharing = sharing});
    for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored}) {
        row({.attention = attention, .hasDropout = true, .isLlama = true, .sharing = Sharing::Pairs});
        row({.attention = attention, .isLlama = true, .sharing = Sharing::Pairs, .hasOwnHeadWidth = true});
        row({.attention = attention,
            .isTied = false,
            .isLlama = true,
            .hasQkvBias = true,
            .hasOwnHeadWidth = true,
            .hasAttentionOutBias = true,
            .hasFfnBias = true});
    }
    row({.hasDropout = true, .microBatches = 2, .isLlama = true, .sharing = Sharing::All});
    row({.attention = AttentionKind::Stored, .headChunks = 3, .microBatches = 3, .isTied = false, .isLlama = true});
}

void ExecutorGradientsTest::gradientsMatchFiniteDifferences()
{
    QFETCH(Variety, variety);
    QFETCH(bool, isRelu);
    const std::int64_t headWidth = variety.isLlama ? 4 : 5, heads = variety.sharing == Sharing::Pairs ? 4 : 2;
    ModelShape shape = smallShape(variety, 2, heads, headWidth, 14, 11, 9);
    if (isRelu)
        shape.activation = Activation::Relu;
    const TrainingSetup setup = setupOf(variety, 2, 6);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(roundCpu()));
    NotingMachine machine({.poisonsBlocks = true});
    std::mt19937 random(3);
    const StepResult result = runOnce(tape, randomKeepSets(tape, random), 1, &machine);

    QCOMPARE(machine.ids.size(), static_cast<std::size_t>(2 * variety.microBatches));
    DoubleModel::Weights weights = machine.weights;
    const Loss loss = referenceLoss(tape, machine);
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

void ExecutorGradientsTest::largeWeightsGiveTheReferencesLoss_data()
{
    QTest::addColumn<Variety>("variety");
    for (const bool hasQkvBias : {false, true})
        for (const Sharing sharing : {Sharing::None, Sharing::Pairs, Sharing::All})
            for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored})
                QTest::addRow("%s, %s, %s", hasQkvBias ? "qwen2" : "llama", sharingName(sharing),
                    attention == AttentionKind::Stored ? "stored" : "blocked")
                    << Variety{.attention = attention,
                           .isTied = hasQkvBias,
                           .isLlama = true,
                           .hasQkvBias = hasQkvBias,
                           .sharing = sharing};
}

/// At the weights of a first step logits are nearly 0 and the loss is nearly ln V, whatever the layers do.  Weights
/// larger by 20 make two layers, four heads and 140 tokens, more than a block of queries, count: without the turn of
/// one pair, say, the loss is another in the first digits.
void ExecutorGradientsTest::largeWeightsGiveTheReferencesLoss()
{
    QFETCH(Variety, variety);
    const ModelShape shape = smallShape(variety, 2, 4, 6, 37, 29, 150);
    const StepTape tape = buildStepTape(shape, setupOf(variety, 2, 140), machineTraits(roundCpu()));
    LoudMachine machine({.poisonsBlocks = true});
    const StepResult result = runOnce(tape, keepEverything(tape), 1, &machine);
    const double expected = referenceLoss(tape, machine)(machine.weights);
    QVERIFY(expected > 1.2 * std::log(29.0));
    QVERIFY2(std::abs(result.seen.loss - expected) < 1e-5 * expected,
        qPrintable(QStringLiteral("%1, expected %2").arg(result.seen.loss, 0, 'g', 9).arg(expected, 0, 'g', 9)));
}

void ExecutorGradientsTest::secondStepsLossIsThatOfTheOptimizersWeights_data()
{
    QTest::addColumn<Variety>("variety");
    for (const OptimizerKind optimizer : {OptimizerKind::None, OptimizerKind::Sgd, OptimizerKind::AdamW})
        for (const std::int64_t microBatches : {1, 3})
            for (const bool isLlama : {false, true})
                QTest::addRow("%s, %s, %d micro-batches", isLlama ? "llama" : "gpt2", toName(optimizer).data(),
                    static_cast<int>(microBatches))
                    << Variety{.microBatches = microBatches, .optimizer = optimizer, .isLlama = isLlama};
}

/// One step with a learning rate of 1e-3: AdamW's first moments are its gradient, so a weight moves by 1e-3 g / (|g| +
/// 1e-8) after its decay of 1e-3 x 0.01, from which biases and norms are spared (Loshchilov & Hutter 2019, algorithm
/// 2). The loss of the second step is then the reference's at these weights, for the second step's tokens.
void ExecutorGradientsTest::secondStepsLossIsThatOfTheOptimizersWeights()
{
    QFETCH(Variety, variety);
    const ModelShape shape = smallShape(variety, 2, 2, 4, 14, 11, 9);
    const StepTape tape = buildStepTape(shape, setupOf(variety, 2, 6), machineTraits(roundCpu()));
    const StepChain step = buildFixedChain(tape, roundCpu(), keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    LoudMachine machine({.poisonsBlocks = true});
    DoubleModel::Weights weights;
    bool isFirst = true;
    ExecutorOptions options;
    options.clock = steadyClock;
    options.onGradient = [&](const Parameter& parameter, std::span<const std::byte> bytes) {
        const std::span<const float> gradient = asFloats(bytes);
        std::vector<double>& values = weights[parameter.name];
        for (std::size_t i = 0; isFirst && i < gradient.size(); ++i) {
            const double g = gradient[i];
            if (variety.optimizer == OptimizerKind::Sgd)
                values[i] -= 1e-3 * g;
            if (variety.optimizer == OptimizerKind::AdamW)
                values[i] = values[i] * (isSparedFromDecay(parameter.name) ? 1.0 : 1 - 1e-5)
                    - 1e-3 * g / (std::abs(g) + 1e-8);
        }
    };
    auto executor = Executor::create(step.tape, program, machine, options);
    QVERIFY(executor);
    weights = machine.weights;
    QVERIFY((*executor)->runStep());
    isFirst = false;
    machine.ids.clear();
    machine.seeds.clear();
    const Result<StepObservation> second = (*executor)->runStep();
    QVERIFY(second);
    const Loss loss = referenceLoss(tape, machine);
    const double expected = loss(weights);
    QVERIFY(std::abs(second->loss - expected) < kLossError * expected);
    // The optimizer's own effect is large against that error, or the test would say nothing.
    if (variety.optimizer != OptimizerKind::None)
        QVERIFY(std::abs(expected - loss(machine.weights)) > 20 * kLossError * expected);
}

QTEST_APPLESS_MAIN(ExecutorGradientsTest)
#include "executor_gradients_test.moc"
