// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: products of complex numbers e^(i angle) in double, by equation 34 of Su et al. 2021 (RoFormer) with
// the pairs (i, i + D/2) of transformers' rotate_half.
#include <complex>

#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

std::size_t at(Index i)
{
    return static_cast<std::size_t>(i);
}

Doubles turned(const RotaryShape& s, double direction, const Doubles& in)
{
    Doubles out = in;
    const Index half = s.headSize / 2;
    for (Index row = 0; row < s.batch * s.sequence; ++row)
        for (Index head = 0; head < s.turned; ++head)
            for (Index i = 0; i < half; ++i) {
                const Index first = (row * s.heads + head) * s.headSize + i;
                const double frequency
                    = 1.0 / std::pow(s.base, static_cast<double>(2 * i) / static_cast<double>(s.headSize));
                const double angle = direction * static_cast<double>(row % s.sequence) * frequency;
                const std::complex<double> z
                    = std::complex(in[at(first)], in[at(first + half)]) * std::polar(1.0, angle);
                out[at(first)] = z.real();
                out[at(first + half)] = z.imag();
            }
    return out;
}

// Odd halves, more pairs than are computed at a time, one position, several pieces of positions, everything turned.
constexpr RotaryShape kShapes[] = {{1, 1, 1, 1, 2, 10000.0}, {2, 33, 4, 3, 6, 10000.0}, {1, 17, 3, 2, 130, 500000.0},
    {2, 5, 2, 1, 1034, 100.0}, {1, 2000, 2, 2, 4, 10000.0}};

} // namespace

class KernelRotaryTest : public QObject {
    Q_OBJECT
private slots:
    void turnsMatchTheDefinition_data() { addInstructionSets(); }
    void turnsMatchTheDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const RotaryShape& s : kShapes) {
            const Index count = s.batch * s.sequence * s.heads * s.headSize;
            const Doubles in = randomValues(count, 1);
            Floats fin(in), forth(count), back(count);
            kernels->rotary(team, s, Turn::Forth, fin, forth);
            QVERIFY(relativeError(forth, turned(s, 1.0, in), 1.0) < 3e-7);
            kernels->rotary(team, s, Turn::Back, fin, back);
            QVERIFY(relativeError(back, turned(s, -1.0, in), 1.0) < 3e-7);
            // What is not turned is copied to the bit.
            for (Index row = 0; row < s.batch * s.sequence; ++row)
                for (Index i = s.turned * s.headSize; i < s.heads * s.headSize; ++i)
                    QCOMPARE(forth.data()[row * s.heads * s.headSize + i], fin.data()[row * s.heads * s.headSize + i]);
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const RotaryShape s{2, 200, 3, 2, 30, 10000.0};
        Floats in(randomValues(400 * 90, 1));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats out(400 * 90);
            kernels->rotary(workers, s, Turn::Forth, in, out);
            return out;
        }));
    }
};

QTEST_APPLESS_MAIN(KernelRotaryTest)
#include "kernel_rotary_test.moc"
