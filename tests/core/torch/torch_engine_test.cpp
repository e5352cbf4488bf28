// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/torch/ops.h"
#include "core/torch/optimizer_step.h"

using namespace remat;
using namespace remat::torch;

namespace {

constexpr std::int64_t kN = 1024;
constexpr std::int64_t kSquare = 2 * kN * kN; ///< one N x N half tensor
constexpr std::int64_t kScalar = 512;         ///< the least that the allocator gives: the loss, and its gradient

/// A machine with an N x N half input that needs a gradient, as in the tracker's self check.
struct Case {
    Machine m;
    Tensor x = leaf();
    Bytes base;

    Tensor leaf()
    {
        Tensor t = m.parameter({kN, kN}, DType::Float16);
        return t;
    }
    Tensor bias() { return m.parameter({kN}, DType::Float16); }
    /// Saved and peak bytes of y.sum().backward() over what was there before, the loss's 512 bytes not counted as
    /// saved. The peak is over what the dispatcher sees, without what kernels allocate themselves.
    template <class Forward> std::pair<std::int64_t, std::int64_t> run(Forward forward)
    {
        base = m.live();
        Tensor loss;
        {
            const Tensor y = forward();
            loss = sumAll(y);
        }
        const std::int64_t saved = (m.live() - base).value - kScalar;
        m.setPhase(Phase::Backward);
        const std::size_t first = m.events().size();
        m.backward(loss);
        Bytes peak;
        for (std::size_t i = first; i < m.events().size(); ++i)
            peak = std::max(peak, m.events()[i].live);
        return {saved, (peak - base).value};
    }
};

using Pair = std::pair<std::int64_t, std::int64_t>;

} // namespace

/// The engine's and the allocator's rules against figures worked out by hand.  The first four stand in the reference
/// tracker's self check (real PyTorch agrees with them).
class TorchEngineTest : public QObject {
    Q_OBJECT

private slots:
    void linearKeepsNothingOfItsOwn();
    void geluKeepsItsInputAndTheNextLinearKeepsItsOutput();
    void layerNormKeepsTwoStatisticsPerRow();
    void softmaxKeepsItsResultAndDropoutAMask();
    void gradientsAreSummedInPlaceOnlyWhenNobodyElseHasThem();
    void aTiedWeightHasThreeCopiesOfItsGradient();
    void autocastKeepsOneCopyOfAWeightAndOneOfEachInput();
    void aRegionKeepsItsArgumentsAlone();
    void earlyStopSkipsTheLastProduct();
    void nestedRegionsPayTheInnerOnesTwice();
    void aStoppedMachineLeavesNothingBehind_data();
    void aStoppedMachineLeavesNothingBehind();
    void optimizersKeepWhatTheirSourcesSay_data();
    void optimizersKeepWhatTheirSourcesSay();
};

/// y = x W^T + b: x is there already.  Peak: loss and its gradient, dX, dW and db; the incoming gradient is one number
/// seen N x N times, which cuBLAS copies inside its kernel.
void TorchEngineTest::linearKeepsNothingOfItsOwn()
{
    Case c;
    const Tensor w = c.leaf(), b = c.bias();
    const auto [saved, peak] = c.run([&] { return linear(c.x, w, b); });
    QCOMPARE(saved, 0);
    QCOMPARE(peak, 2 * kScalar + 2 * kSquare + 2 * kN);
    Bytes copies;
    for (const Event& event : c.m.events())
        copies = std::max(copies, event.temporaries);
    QCOMPARE(copies.value, kSquare);
}

void TorchEngineTest::geluKeepsItsInputAndTheNextLinearKeepsItsOutput()
{
    Case c;
    const Tensor w1 = c.leaf(), b1 = c.bias(), w2 = c.leaf(), b2 = c.bias();
    const auto [saved, peak] = c.run([&] {
        Tensor y = linear(c.x, w1, b1);
        y = gelu(y);
        return linear(y, w2, b2);
    });
    QCOMPARE(saved, 2 * kSquare);
    // At the first Linear's bias gradient: dW2, the gradient of gelu's input, dX, dW1 and both bias gradients.
    QCOMPARE(peak, 2 * kScalar + 4 * kSquare + 2 * 2 * kN);
}

/// mean and rstd are fp32: 8 bytes a row.
void TorchEngineTest::layerNormKeepsTwoStatisticsPerRow()
{
    Case c;
    const Tensor w = c.bias(), b = c.bias();
    const auto [saved, peak] = c.run([&] { return layerNorm(c.x, w, b); });
    QCOMPARE(saved, 8 * kN);
    QCOMPARE(peak, 2 * kScalar + 8 * kN + kSquare + 2 * 2 * kN);
}

/// softmax's result and a byte per element; in softmax's backward the mask is gone: result, gradient, new gradient.
void TorchEngineTest::softmaxKeepsItsResultAndDropoutAMask()
{
    Case c;
    const auto [saved, peak] = c.run([&] {
        const Tensor p = softmax(c.x, std::nullopt);
        return dropout(p, 0.1);
    });
    QCOMPARE(saved, kSquare + kSquare / 2);
    QCOMPARE(peak, 2 * kScalar + 3 * kSquare);
}

/// Two branches of gelu meet in x: the second gradient is added into the first one's memory, which nobody else holds.
/// When the first is still the shared gradient of an addition, a third tensor is needed for the sum.
void TorchEngineTest::gradientsAreSummedInPlaceOnlyWhenNobodyElseHasThem()
{
    {
        Case c;
        const auto [saved, peak] = c.run([&] {
            const Tensor a = gelu(c.x), b = gelu(c.x);
            return mul(a, b);
        });
        QCOMPARE(saved, 2 * kSquare);
        // mul's two gradients beside both factors.
        QCOMPARE(peak, 2 * kScalar + 4 * kSquare);
    }
    Case c;
    Tensor w = c.leaf();
    c.run([&] {
        const Tensor y = mul(c.x, w);
        const Tensor z = gelu(y);
        return add(y, z);
    });
    int inPlace = 0, outOfPlace = 0;
    for (const Event& event : c.m.events()) {
        inPlace += event.phase == Phase::Backward && event.op == OpCode::AddInPlace ? 1 : 0;
        outOfPlace += event.phase == Phase::Backward && event.op == OpCode::Add ? 1 : 0;
    }
    // The gradient of the sum is a broadcast number: it has no memory of its own to add into.
    QCOMPARE(inPlace, 0);
    QCOMPARE(outOfPlace, 1);
}

/// An embedding whose table is the head's weight too: the head's gradient is a transposed view, so the embedding's
/// dense one is added out of place, and three copies are alive (reference README, point 10).
void TorchEngineTest::aTiedWeightHasThreeCopiesOfItsGradient()
{
    Machine m;
    const std::int64_t vocabulary = 4096, width = 64, tokens = 8;
    const Tensor table = m.parameter({vocabulary, width}, DType::Float32);
    const Tensor ids = m.input({1, tokens}, DType::Int64);
    const Bytes base = m.live();
    Tensor loss;
    {
        const Tensor hidden = embedding(table, ids);
        loss = sumAll(linear(hidden, table, {}));
    }
    m.setPhase(Phase::Backward);
    m.resetPeak();
    m.backward(loss);
    const std::int64_t tableBytes = 4 * vocabulary * width;
    const std::int64_t rest = m.peak().value - base.value - 3 * tableBytes;
    QVERIFY2(rest >= 2 * kScalar && rest < tableBytes / 8, qPrintable(QString::number(rest)));
}

/// Three projections of one fp32 tensor under autocast: three half copies of it (they are not cached), one of the
/// weight.
void TorchEngineTest::autocastKeepsOneCopyOfAWeightAndOneOfEachInput()
{
    Machine m;
    const Tensor w = m.parameter({kN, kN}, DType::Float32);
    const Tensor leaf = m.parameter({kN, kN}, DType::Float32);
    const Bytes base = m.live();
    Tensor loss;
    {
        const AutocastScope autocast(m, DType::BFloat16);
        const Tensor x = mulScalar(leaf);
        const Tensor a = linear(x, w, {}), b = linear(x, w, {}), c = linear(x, w, {});
        const Tensor ab = add(a, b);
        loss = sumAll(add(ab, c));
    }
    QCOMPARE((m.live() - base).value, 3 * kSquare + kSquare + kScalar);
    QCOMPARE(m.liveOf(StorageKind::WeightCast).value, kSquare);
}

namespace {

/// x W1^T -> gelu -> W2^T, what an FFN region wraps.
struct Ffn {
    Tensor w1, w2;
    Tensor operator()(const Tensor& x) const
    {
        Tensor y = linear(x, w1, {});
        y = gelu(y);
        return linear(y, w2, {});
    }
};

Flops flopsOf(const Machine& m, Phase phase)
{
    Flops sum;
    for (const Event& event : m.events())
        if (event.phase == phase)
            sum += event.flops;
    return sum;
}

constexpr std::int64_t kProduct = 2 * kN * kN * kN;

} // namespace

void TorchEngineTest::aRegionKeepsItsArgumentsAlone()
{
    Case c;
    const Ffn ffn{c.leaf(), c.leaf()};
    Tensor held;
    const auto [saved, peak] = c.run([&] {
        const Tensor y = gelu(c.x);
        return checkpoint(
            c.m, [ffn](const std::vector<Tensor>& x) { return std::vector<Tensor>{ffn(x[0])}; }, {y}, {})[0];
    });
    QCOMPARE(saved, kSquare);
}

/// Recomputation ends at the last tensor that a backward reads: the second product keeps only its input, so only the
/// first runs again.  Without early stop both do.
void TorchEngineTest::earlyStopSkipsTheLastProduct()
{
    for (const bool stopsEarly : {true, false}) {
        Case c;
        const Ffn ffn{c.leaf(), c.leaf()};
        RegionOptions options;
        options.stopsEarly = stopsEarly;
        c.run([&] {
            return checkpoint(
                c.m, [ffn](const std::vector<Tensor>& x) { return std::vector<Tensor>{ffn(x[0])}; }, {c.x}, options)[0];
        });
        QCOMPARE(flopsOf(c.m, Phase::Forward).value, 2 * kProduct);
        QCOMPARE(flopsOf(c.m, Phase::Backward).value, 4 * kProduct);
        QCOMPARE(flopsOf(c.m, Phase::Recompute).value, stopsEarly ? kProduct : 2 * kProduct);
    }
}

/// Two inner regions inside an outer one: the outer runs all ops up to the second inner region's input again (two
/// products), then each inner one its own first product (early stop).
void TorchEngineTest::nestedRegionsPayTheInnerOnesTwice()
{
    Case c;
    const Ffn first{c.leaf(), c.leaf()}, second{c.leaf(), c.leaf()};
    const auto region = [&m = c.m](const Ffn& ffn, const Tensor& x) {
        return checkpoint(
            m, [ffn](const std::vector<Tensor>& y) { return std::vector<Tensor>{ffn(y[0])}; }, {x}, {})[0];
    };
    const auto [saved, peak] = c.run([&] {
        return checkpoint(c.m,
            [&](const std::vector<Tensor>& x) {
                const Tensor middle = region(first, x[0]);
                return std::vector<Tensor>{region(second, middle)};
            },
            {c.x}, {})[0];
    });
    QCOMPARE(saved, 0);
    QCOMPARE(flopsOf(c.m, Phase::Recompute).value, 2 * kProduct + kProduct + kProduct);
}

/// Told to stop in a region's first run or inside its recomputation: the next op throws, through the engine and the
/// region, and what they held goes with the tensors that the caller lets go of.
void TorchEngineTest::aStoppedMachineLeavesNothingBehind_data()
{
    QTest::addColumn<int>("stopAtRun");
    QTest::addColumn<bool>("isReentrant");
    for (const bool isReentrant : {false, true})
        for (int run = 1; run <= 2; ++run)
            QTest::addRow("run %d%s", run, isReentrant ? ", reentrant" : "") << run << isReentrant;
}
void TorchEngineTest::aStoppedMachineLeavesNothingBehind()
{
    QFETCH(int, stopAtRun);
    QFETCH(bool, isReentrant);
    Case c;
    const Tensor w1 = c.leaf(), w2 = c.leaf();
    const Bytes before = c.m.live();
    std::stop_source stop;
    c.m.stopWhen(stop.get_token());
    int runs = 0;
    const RegionFunction function = [&](const std::vector<Tensor>& arguments) {
        const Tensor x = gelu(linear(arguments[0], w1, {}));
        if (++runs == stopAtRun)
            stop.request_stop();
        return std::vector<Tensor>{linear(x, w2, {})};
    };
    RegionOptions options;
    options.isReentrant = isReentrant;
    QVERIFY_THROWS_EXCEPTION(
        StepCancelled, (void)c.run([&] { return checkpoint(c.m, function, {c.x}, options).front(); }));
    QCOMPARE(runs, stopAtRun);
    QCOMPARE(c.m.live().value, before.value);
}

/// Of a matrix of 100 x 300 and a vector of 100 fp32 numbers, in multiples of 512 bytes: 120,320 and 512.  By hand from
/// torch/optim/_adafactor.py and bitsandbytes/optim/optimizer.py; tests/torch/optimizers_test.py measures torch's own.
void TorchEngineTest::optimizersKeepWhatTheirSourcesSay_data()
{
    QTest::addColumn<int>("optimizer");
    QTest::addColumn<qint64>("states");
    QTest::addColumn<qint64>("allocates");
    const auto row = [](const char* name, TorchOptimizer optimizer, qint64 states, qint64 allocates) {
        QTest::newRow(name) << static_cast<int>(optimizer) << states << allocates;
    };
    row("sgd", TorchOptimizer::Sgd, 0, 0);
    row("momentum", TorchOptimizer::SgdMomentum, 120'832, 0);
    row("adamw", TorchOptimizer::AdamW, 241'664, 120'832);
    // A row of 300 (1200 -> 1536) and a column of 100 (512), and the vector.  Most at once: the vector's square and
    // estimate beside the matrix's update, row and column.
    row("adafactor", TorchOptimizer::Adafactor, 512 + 1536 + 512, 120'320 + 512 + 1536 + 2 * 512);
    // 30,000 bytes (30,208) and 118 maxima (512) twice; the vector is too short; two tables of 256.
    row("adamw-8bit", TorchOptimizer::AdamW8Bit, 2 * (30'208 + 512) + 2 * 512 + 2 * 1024, 0);
}
void TorchEngineTest::optimizersKeepWhatTheirSourcesSay()
{
    QFETCH(int, optimizer);
    QFETCH(qint64, states);
    QFETCH(qint64, allocates);
    Machine m;
    const std::vector<Tensor> weights{m.parameter({100, 300}, DType::Float32), m.parameter({100}, DType::Float32)};
    const Bytes before = m.live();
    std::vector<Tensor> kept;
    makeOptimizerStates(m, weights, static_cast<TorchOptimizer>(optimizer), kept);
    QCOMPARE(qint64((m.live() - before).value), states);
    const Bytes resident = m.live();
    m.setPhase(Phase::Optimizer);
    m.resetPeak();
    runOptimizerStep(m, weights, static_cast<TorchOptimizer>(optimizer));
    QCOMPARE(qint64((m.peak() - resident).value), allocates);
    QCOMPARE(m.live().value, resident.value);
}

QTEST_APPLESS_MAIN(TorchEngineTest)
#include "torch_engine_test.moc"
