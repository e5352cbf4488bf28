// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: cross-entropy from its definition in double; gradients from its central differences.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

double crossEntropy(const RowsShape& s, const Doubles& logits, const Tokens& targets)
{
    double loss = 0.0;
    for (Index row = 0; row < s.rows; ++row) {
        const double* values = &logits[static_cast<std::size_t>(row * s.width)];
        double sum = 0.0;
        for (Index v = 0; v < s.width; ++v)
            sum += std::exp(values[v]);
        loss += (std::log(sum) - values[targets.at(row)]) / static_cast<double>(s.rows);
    }
    return loss;
}

Doubles logitsOf(const HeadShape& s, const Doubles& x, const Doubles& wte, const Doubles& bias)
{
    Doubles logits;
    for (Index row = 0; row < s.rows; ++row)
        for (Index v = 0; v < s.vocabulary; ++v) {
            double sum = bias[static_cast<std::size_t>(v)];
            for (Index c = 0; c < s.width; ++c)
                sum += x[static_cast<std::size_t>(row * s.width + c)] * wte[static_cast<std::size_t>(v * s.width + c)];
            logits.push_back(sum);
        }
    return logits;
}

} // namespace

class KernelLossTest : public QObject {
    Q_OBJECT
private slots:
    void crossEntropyMatchesDefinition_data() { addInstructionSets(); }
    void crossEntropyMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const RowsShape s : {RowsShape{1, 1}, {31, 33}, {3, 50257}}) {
            const Doubles logits = randomValues(s.rows * s.width, 1, 8.0);
            Tokens targets = randomTokens(s.rows, s.width, 2);
            const double scale = 0.25;
            Floats flogits(logits), lse(s.rows), loss(1), dlogits(s.rows * s.width);
            kernels->crossEntropyForward(team, s, flogits, targets.data(), lse, loss);
            QVERIFY(relativeError(loss, {crossEntropy(s, logits, targets)}, 1.0) < 2e-6);
            kernels->crossEntropyBackward(team, s, flogits, lse, targets.data(), static_cast<float>(scale), dlogits);
            const auto scaled = [&](const Doubles& v) { return scale * crossEntropy(s, v, targets); };
            for (const auto& [i, expected] : differences(logits, scaled, 100))
                QVERIFY(std::abs(dlogits.doubles()[i] - expected) < 2e-6 * std::abs(expected) + 1e-9);
            // The target's element, which sampling may miss: (p - 1) / N.
            for (Index row = 0; row < s.rows; ++row) {
                const auto target = static_cast<std::size_t>(row * s.width + targets.at(row));
                const double p = std::exp(logits[target] - lse.doubles()[static_cast<std::size_t>(row)]);
                QVERIFY(std::abs(dlogits.doubles()[target] - (p - 1.0) * scale / static_cast<double>(s.rows)) < 1e-6);
            }
            Floats place(logits);
            kernels->crossEntropyBackward(team, s, place, lse, targets.data(), static_cast<float>(scale), place);
            QVERIFY(place.sameBits(dlogits));
        }
    }

    void largeLogitsDoNotOverflow_data() { addInstructionSets(); }
    void largeLogitsDoNotOverflow()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(1);
        Tokens targets({1});
        Floats logits(Doubles{1000.0, 998.0, -1000.0}), lse(1), loss(1);
        kernels->crossEntropyForward(team, {1, 3}, logits, targets.data(), lse, loss);
        QVERIFY(relativeError(loss, {2.0 + std::log1p(std::exp(-2.0))}, 1.0) < 1e-4);
    }

    void chunkedHeadMatchesDefinition_data() { addInstructionSets(); }
    void chunkedHeadMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const Index chunks : {1, 2, 3, 7}) {
            const HeadShape s{19, 9, 37, chunks};
            const RowsShape logitsShape{s.rows, s.vocabulary};
            const Doubles x = randomValues(s.rows * s.width, 1), wte = randomValues(s.vocabulary * s.width, 2);
            const Doubles bias = randomValues(s.vocabulary, 3);
            Tokens targets = randomTokens(s.rows, s.vocabulary, 4);
            Floats fx(x), fw(wte), fb(bias), loss(1), dx(s.rows * s.width), dw(s.vocabulary * s.width),
                db(s.vocabulary);
            Floats workspace(chunkedHeadWorkspaceBytes(s) / 4);
            const auto run = [&](Store store) {
                kernels->chunkedHead(team, s, fx, fw, fb, targets.data(), 0.5F, loss, dx, dw, db, store, workspace);
            };
            run(Store::Write);
            const auto lossOf = [&](const Doubles& vx, const Doubles& vw, const Doubles& vb) {
                return 0.5 * crossEntropy(logitsShape, logitsOf(s, vx, vw, vb), targets);
            };
            QVERIFY(relativeError(loss, {2.0 * lossOf(x, wte, bias)}, 1.0) < 2e-6);
            QVERIFY(gradientError(
                        dx, x, [&](const Doubles& v) { return lossOf(v, wte, bias); }, 1e-2)
                < 1e-4);
            QVERIFY(gradientError(
                        dw, wte, [&](const Doubles& v) { return lossOf(x, v, bias); }, 1e-2)
                < 1e-4);
            QVERIFY(gradientError(
                        db, bias, [&](const Doubles& v) { return lossOf(x, wte, v); }, 1e-2)
                < 1e-4);

            const Doubles once = dw.doubles(), onceBias = db.doubles();
            run(Store::Add);
            Doubles twice = once, twiceBias = onceBias;
            for (double& v : twice)
                v *= 2.0;
            for (double& v : twiceBias)
                v *= 2.0;
            QVERIFY(relativeError(dw, twice, 0.1) < 1e-6);
            QVERIFY(relativeError(db, twiceBias, 0.1) < 1e-6);
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const HeadShape s{70, 40, 3001, 3};
        Floats x(randomValues(s.rows * s.width, 1)), wte(randomValues(s.vocabulary * s.width, 2));
        Tokens targets = randomTokens(s.rows, s.vocabulary, 4);
        for (int output = 0; output < 3; ++output)
            QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
                Floats loss(1), dx(s.rows * s.width), dw(s.vocabulary * s.width);
                Floats workspace(chunkedHeadWorkspaceBytes(s) / 4);
                kernels->chunkedHead(
                    workers, s, x, wte, nullptr, targets.data(), 1.0F, loss, dx, dw, nullptr, Store::Write, workspace);
                return output == 0 ? std::move(loss) : output == 1 ? std::move(dx) : std::move(dw);
            }));
    }
};

QTEST_APPLESS_MAIN(KernelLossTest)
#include "kernel_loss_test.moc"
