// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: the C library's erfc, tanh and exp in double.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

/// Every 1/64 from -20 to 20 (1/64 off zero, where relu has no slope), and a count with a tail.
Doubles grid()
{
    Doubles x;
    for (int i = -1280; i <= 1282; ++i)
        if (i != 0)
            x.push_back(i / 64.0);
    x.push_back(0.3);
    return Floats(x).doubles();
}

} // namespace

class KernelElementwiseTest : public QObject {
    Q_OBJECT
private slots:
    void activationsMatchTheirFormulas_data() { addInstructionSets(); }
    void activationsMatchTheirFormulas()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(1);
        const Doubles x = grid();
        const auto count = static_cast<Index>(x.size());
        const Doubles dy = randomValues(count, 1);
        for (const Activation activation : kActivations) {
            Floats fx(x), fdy(dy), y(count), dx(count);
            Doubles expected = x, gradient = x;
            for (std::size_t i = 0; i < x.size(); ++i) {
                expected[i] = activationValue(activation, x[i]);
                gradient[i] = dy[i] * activationSlope(activation, x[i]);
            }
            kernels->activationForward(team, activation, count, fx, y);
            // Relative to the value down to 1e-5: the far negative tail keeps its leading digits.
            QVERIFY2(
                relativeError(y, expected, 1e-5) < 2e-6, qPrintable(QString::number(relativeError(y, expected, 1e-5))));
            kernels->activationBackward(team, activation, count, fdy, fx, dx);
            QVERIFY2(
                relativeError(dx, gradient, 0.1) < 3e-6, qPrintable(QString::number(relativeError(dx, gradient, 0.1))));

            Floats inPlaceOfX(x), inPlaceOfDy(dy);
            kernels->activationBackward(team, activation, count, fdy, inPlaceOfX, inPlaceOfX);
            kernels->activationBackward(team, activation, count, inPlaceOfDy, fx, inPlaceOfDy);
            QVERIFY(inPlaceOfX.sameBits(dx));
            QVERIFY(inPlaceOfDy.sameBits(dx));
        }
    }

    void gatesMatchTheirFormulas_data() { addInstructionSets(); }
    void gatesMatchTheirFormulas()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        const Doubles gate = grid();
        const auto count = static_cast<Index>(gate.size());
        const Doubles up = randomValues(count, 1, 3.0), dy = randomValues(count, 2);
        for (const Activation activation : kActivations) {
            Floats fgate(gate), fup(up), fdy(dy), y(count), dgate(count), dup(count);
            Doubles expected = gate, expectedGate = gate, expectedUp = gate;
            for (std::size_t i = 0; i < gate.size(); ++i) {
                expected[i] = activationValue(activation, gate[i]) * up[i];
                expectedGate[i] = dy[i] * up[i] * activationSlope(activation, gate[i]);
                expectedUp[i] = dy[i] * activationValue(activation, gate[i]);
            }
            kernels->gatedForward(team, activation, count, fgate, fup, y);
            QVERIFY(relativeError(y, expected, 1e-4) < 2e-6);
            kernels->gatedBackward(team, activation, count, fdy, fgate, fup, dgate, dup);
            QVERIFY(relativeError(dgate, expectedGate, 0.1) < 5e-6);
            QVERIFY(relativeError(dup, expectedUp, 1e-4) < 2e-6);
        }
    }

    void notANumberSpreads_data() { addInstructionSets(); }
    void notANumberSpreads()
    {
        // Law 4 poisons dropped tensors with NaN; a kernel that hid it would hide a forgotten recompute.
        QFETCH(const CpuKernels*, kernels);
        Team team(1);
        for (const Activation activation : {Activation::Gelu, Activation::GeluTanh, Activation::Silu}) {
            Floats x(19), y(19);
            kernels->activationForward(team, activation, 19, x, y);
            for (const double v : y.doubles())
                QVERIFY(std::isnan(v));
        }
        Floats logits(19), lse(1), loss(1);
        Tokens target({3});
        kernels->crossEntropyForward(team, {1, 19}, logits, target.data(), lse, loss);
        QVERIFY(std::isnan(loss.doubles()[0]));
    }

    void additionAddsAndFillFills_data() { addInstructionSets(); }
    void additionAddsAndFillFills()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const Index count : {Index{1}, Index{31}, Index{33}, Index{40001}}) {
            const Doubles a = randomValues(count, 1), b = randomValues(count, 2);
            Doubles expected = a;
            for (std::size_t i = 0; i < a.size(); ++i)
                expected[i] = static_cast<double>(static_cast<float>(a[i]) + static_cast<float>(b[i]));
            Floats fa(a), fb(b), out(count);
            kernels->add(team, count, fa, fb, out);
            QCOMPARE(out.doubles(), expected);
            kernels->add(team, count, fa, fb, fa);
            QCOMPARE(fa.doubles(), expected);
            kernels->fill(team, count, -2.5F, out);
            QCOMPARE(out.doubles(), Doubles(static_cast<std::size_t>(count), -2.5));
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const Index count = 70001;
        Floats x(randomValues(count, 1, 4.0)), dy(randomValues(count, 2));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats dx(count);
            kernels->activationBackward(workers, Activation::Gelu, count, dy, x, dx);
            return dx;
        }));
    }
};

QTEST_APPLESS_MAIN(KernelElementwiseTest)
#include "kernel_elementwise_test.moc"
