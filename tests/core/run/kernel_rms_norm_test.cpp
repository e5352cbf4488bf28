// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values come from the definition of RMS normalisation in double, gradients from its central differences.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

constexpr double kEpsilon = 1e-5;

struct Reference {
    Doubles y, rstd;
};

Reference rmsNorm(const RowsShape& s, const Doubles& x, const Doubles& gamma)
{
    Reference r{x, Doubles(static_cast<std::size_t>(s.rows))};
    const auto width = static_cast<std::size_t>(s.width);
    for (std::size_t row = 0; row < r.rstd.size(); ++row) {
        double meanSquare = 0.0;
        for (std::size_t i = 0; i < width; ++i)
            meanSquare += std::pow(x[row * width + i], 2) / static_cast<double>(width);
        r.rstd[row] = 1.0 / std::sqrt(meanSquare + kEpsilon);
        for (std::size_t i = 0; i < width; ++i)
            r.y[row * width + i] = x[row * width + i] * r.rstd[row] * gamma[i];
    }
    return r;
}

} // namespace

class KernelRmsNormTest : public QObject {
    Q_OBJECT
private slots:
    void forwardMatchesDefinition_data() { addInstructionSets(); }
    void forwardMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const RowsShape s : {RowsShape{1, 1}, {3, 2}, {31, 33}, {5, 768}, {2, 1031}}) {
            const Doubles x = randomValues(s.rows * s.width, 1, 3.0), gamma = randomValues(s.width, 2);
            const Reference expected = rmsNorm(s, x, gamma);
            Floats fx(x), fg(gamma), y(s.rows * s.width), rstd(s.rows);
            kernels->rmsNormForward(team, s, static_cast<float>(kEpsilon), fx, fg, y, rstd);
            QVERIFY(relativeError(y, expected.y, 1.0) < 1e-6);
            QVERIFY(relativeError(rstd, expected.rstd, 0.1) < 1e-6);
        }
    }

    void backwardMatchesDifferences_data() { addInstructionSets(); }
    void backwardMatchesDifferences()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(3);
        for (const RowsShape s : {RowsShape{1, 3}, {31, 33}, {131, 65}}) {
            const Doubles x = randomValues(s.rows * s.width, 1), gamma = randomValues(s.width, 2);
            const Doubles dy = randomValues(s.rows * s.width, 4);
            Floats fx(x), fg(gamma), fdy(dy), y(s.rows * s.width), rstd(s.rows), dx(s.rows * s.width), dgamma(s.width);
            kernels->rmsNormForward(team, s, static_cast<float>(kEpsilon), fx, fg, y, rstd);
            kernels->rmsNormBackward(team, s, fdy, fx, rstd, fg, dx, Store::Write, dgamma, Store::Write);
            const auto lossOfX = [&](const Doubles& v) { return dot(dy, rmsNorm(s, v, gamma).y); };
            const auto lossOfGamma = [&](const Doubles& v) { return dot(dy, rmsNorm(s, x, v).y); };
            QVERIFY(gradientError(dx, x, lossOfX) < 3e-5);
            QVERIFY(gradientError(dgamma, gamma, lossOfGamma, 1.0) < 1e-5);

            // Adding to what is there gives twice as much.
            Floats dx2(dx.doubles()), dgamma2(dgamma.doubles());
            kernels->rmsNormBackward(team, s, fdy, fx, rstd, fg, dx2, Store::Add, dgamma2, Store::Add);
            QVERIFY(relativeError(dx2, timesTwo(dx.doubles()), 1.0) < 1e-6);
            QVERIFY(relativeError(dgamma2, timesTwo(dgamma.doubles()), 1.0) < 1e-6);

            // In place of dy, the same bits.
            Floats place(dy), dgamma3(s.width);
            kernels->rmsNormBackward(team, s, place, fx, rstd, fg, place, Store::Write, dgamma3, Store::Write);
            QVERIFY(place.sameBits(dx));
            QVERIFY(dgamma3.sameBits(dgamma));
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const RowsShape s{300, 200};
        Floats x(randomValues(s.rows * s.width, 1)), gamma(randomValues(s.width, 2));
        Floats dy(randomValues(s.rows * s.width, 4));
        for (int output = 0; output < 3; ++output)
            QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
                Floats y(s.rows * s.width), rstd(s.rows), dx(s.rows * s.width), dgamma(s.width);
                kernels->rmsNormForward(workers, s, 1e-5F, x, gamma, y, rstd);
                kernels->rmsNormBackward(workers, s, dy, x, rstd, gamma, dx, Store::Write, dgamma, Store::Write);
                return output == 0 ? std::move(y) : output == 1 ? std::move(dx) : std::move(dgamma);
            }));
    }
};

QTEST_APPLESS_MAIN(KernelRmsNormTest)
#include "kernel_rms_norm_test.moc"
