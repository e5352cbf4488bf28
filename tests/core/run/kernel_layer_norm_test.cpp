// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values come from the definition of layer normalisation in double, gradients from its central differences.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

constexpr double kEpsilon = 1e-5;

struct Reference {
    Doubles y, mean, rstd;
};

Reference layerNorm(const RowsShape& s, const Doubles& x, const Doubles& gamma, const Doubles& beta)
{
    Reference r{x, Doubles(static_cast<std::size_t>(s.rows)), Doubles(static_cast<std::size_t>(s.rows))};
    const auto width = static_cast<std::size_t>(s.width);
    for (std::size_t row = 0; row < r.mean.size(); ++row) {
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = 0; i < width; ++i)
            mean += x[row * width + i] / static_cast<double>(width);
        for (std::size_t i = 0; i < width; ++i)
            variance += std::pow(x[row * width + i] - mean, 2) / static_cast<double>(width);
        r.mean[row] = mean;
        r.rstd[row] = 1.0 / std::sqrt(variance + kEpsilon);
        for (std::size_t i = 0; i < width; ++i)
            r.y[row * width + i] = (x[row * width + i] - mean) * r.rstd[row] * gamma[i] + beta[i];
    }
    return r;
}

} // namespace

class KernelLayerNormTest : public QObject {
    Q_OBJECT
private slots:
    void forwardMatchesDefinition_data() { addInstructionSets(); }
    void forwardMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const RowsShape s : {RowsShape{1, 1}, {3, 2}, {31, 33}, {5, 768}, {2, 1031}}) {
            // A large mean shows a variance that is computed by cancellation.
            Doubles x = randomValues(s.rows * s.width, 1);
            for (double& v : x)
                v = static_cast<double>(static_cast<float>(v + 20.0));
            const Doubles gamma = randomValues(s.width, 2), beta = randomValues(s.width, 3);
            const Reference expected = layerNorm(s, x, gamma, beta);
            Floats fx(x), fg(gamma), fb(beta), y(s.rows * s.width), mean(s.rows), rstd(s.rows);
            kernels->layerNormForward(team, s, static_cast<float>(kEpsilon), fx, fg, fb, y, mean, rstd);
            if (s.width > 1) {
                QVERIFY(relativeError(y, expected.y, 1.0) < 2e-5);
                QVERIFY(relativeError(rstd, expected.rstd, 0.1) < 2e-5);
            } else
                QVERIFY(relativeError(y, expected.y, 1.0) < 1e-6);
            QVERIFY(relativeError(mean, expected.mean, 1.0) < 1e-6);
        }
    }

    void backwardMatchesDifferences_data() { addInstructionSets(); }
    void backwardMatchesDifferences()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(3);
        for (const RowsShape s : {RowsShape{1, 3}, {31, 33}, {131, 65}}) {
            const Doubles x = randomValues(s.rows * s.width, 1), gamma = randomValues(s.width, 2);
            const Doubles beta = randomValues(s.width, 3), dy = randomValues(s.rows * s.width, 4);
            Floats fx(x), fg(gamma), fb(beta), fdy(dy), y(s.rows * s.width), mean(s.rows), rstd(s.rows);
            kernels->layerNormForward(team, s, static_cast<float>(kEpsilon), fx, fg, fb, y, mean, rstd);
            Floats dx(s.rows * s.width), dgamma(s.width), dbeta(s.width);
            kernels->layerNormBackward(team, s, fdy, fx, mean, rstd, fg, dx, Store::Write, dgamma, dbeta, Store::Write);
            const auto lossOfX = [&](const Doubles& v) { return dot(dy, layerNorm(s, v, gamma, beta).y); };
            const auto lossOfGamma = [&](const Doubles& v) { return dot(dy, layerNorm(s, x, v, beta).y); };
            const auto lossOfBeta = [&](const Doubles& v) { return dot(dy, layerNorm(s, x, gamma, v).y); };
            QVERIFY(gradientError(dx, x, lossOfX) < 3e-5);
            QVERIFY(gradientError(dgamma, gamma, lossOfGamma, 1.0) < 1e-5);
            QVERIFY(gradientError(dbeta, beta, lossOfBeta, 1.0) < 1e-5);

            // Adding to what is there gives twice as much.
            Floats dx2(dx.doubles()), dgamma2(dgamma.doubles()), dbeta2(dbeta.doubles());
            kernels->layerNormBackward(team, s, fdy, fx, mean, rstd, fg, dx2, Store::Add, dgamma2, dbeta2, Store::Add);
            QVERIFY(relativeError(dx2, timesTwo(dx.doubles()), 1.0) < 1e-6);
            QVERIFY(relativeError(dgamma2, timesTwo(dgamma.doubles()), 1.0) < 1e-6);
            QVERIFY(relativeError(dbeta2, timesTwo(dbeta.doubles()), 1.0) < 1e-6);

            // In place of dy, the same bits.
            Floats place(dy), dgamma3(s.width), dbeta3(s.width);
            kernels->layerNormBackward(
                team, s, place, fx, mean, rstd, fg, place, Store::Write, dgamma3, dbeta3, Store::Write);
            QVERIFY(place.sameBits(dx));
            QVERIFY(dgamma3.sameBits(dgamma));
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const RowsShape s{300, 200};
        Floats x(randomValues(s.rows * s.width, 1)), gamma(randomValues(s.width, 2)), beta(randomValues(s.width, 3));
        Floats dy(randomValues(s.rows * s.width, 4));
        for (int output = 0; output < 3; ++output)
            QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
                Floats y(s.rows * s.width), mean(s.rows), rstd(s.rows), dx(s.rows * s.width);
                Floats dgamma(s.width), dbeta(s.width);
                kernels->layerNormForward(workers, s, 1e-5F, x, gamma, beta, y, mean, rstd);
                kernels->layerNormBackward(
                    workers, s, dy, x, mean, rstd, gamma, dx, Store::Write, dgamma, dbeta, Store::Write);
                return output == 0 ? std::move(y) : output == 1 ? std::move(dx) : std::move(dgamma);
            }));
    }
};

QTEST_APPLESS_MAIN(KernelLayerNormTest)
#include "kernel_layer_norm_test.moc"
