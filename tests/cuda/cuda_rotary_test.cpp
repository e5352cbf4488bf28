// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: products of complex numbers e^(i angle) in double, by equation 34 of Su et al. 2021 (RoFormer) with
// the pairs (i, i + D/2) of transformers' rotate_half.
#include <complex>

#include "tests/cuda/rows_testing.h"

using namespace cuda_testing;

namespace {

Index countOf(const RotaryShape& s)
{
    return s.batch * s.sequence * s.heads * s.headSize;
}

Doubles turned(const RotaryShape& s, double direction, const Doubles& in)
{
    Doubles out = in;
    const Index half = s.headSize / 2;
    for (Index row = 0; row < s.batch * s.sequence; ++row)
        for (Index head = 0; head < s.turned; ++head)
            for (Index i = 0; i < half; ++i) {
                const auto first = static_cast<std::size_t>((row * s.heads + head) * s.headSize + i);
                const std::size_t second = first + static_cast<std::size_t>(half);
                const double frequency
                    = 1.0 / std::pow(s.base, static_cast<double>(2 * i) / static_cast<double>(s.headSize));
                const double angle = direction * static_cast<double>(row % s.sequence) * frequency;
                const std::complex<double> z = std::complex(in[first], in[second]) * std::polar(1.0, angle);
                out[first] = z.real();
                out[second] = z.imag();
            }
    return out;
}

// One pair; heads whose halves are odd, less than a quad, aligned and not; sequences around a warp; positions whose
// angles a float would not hold; nothing turned.
constexpr RotaryShape kShapes[] = {{1, 1, 1, 1, 2, 10000.0}, {2, 31, 4, 3, 6, 10000.0}, {1, 32, 3, 2, 130, 500000.0},
    {3, 33, 3, 2, 64, 10000.0}, {1, 1000, 2, 1, 14, 100.0}, {1, 70001, 1, 1, 2, 10000.0}, {2, 5, 2, 0, 8, 10000.0}};

/// Products of numbers up to 1 with rounded cosine and sine: four half ulps of 1/2, and the sum's of up to 1.4.
constexpr double kFloatUlps = 1.5;

} // namespace

class CudaRotaryTest : public QObject {
    Q_OBJECT
private slots:
    void turnsMatchTheDefinition()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RotaryShape& s : kShapes) {
                const Doubles in = exactValues<T>(countOf(s), 1);
                const Buffer<T> values(in);
                Buffer<T> forth(countOf(s)), back(countOf(s));
                rotary<T>(s, Turn::Forth, values, forth, nullptr);
                VERIFY_WITHIN(errorInUlps(forth, turned(s, 1.0, in), 1.0), roundedFrom<T>(kFloatUlps));
                rotary<T>(s, Turn::Back, values, back, nullptr);
                VERIFY_WITHIN(errorInUlps(back, turned(s, -1.0, in), 1.0), roundedFrom<T>(kFloatUlps));
                // What is not turned is copied to the bit.
                const Doubles out = forth.doubles();
                for (std::size_t i = 0; i < out.size(); ++i)
                    if (static_cast<Index>(i) / s.headSize % s.heads >= s.turned)
                        QCOMPARE(out[i], in[i]);
            }
        });
    }

    /// The definition is linear, so that the gradient of dot(dy, forth(x)) is known exactly: the transposed turn.
    void backIsTheGradientOfForth()
    {
        const RotaryShape s{2, 9, 3, 2, 10, 100.0};
        const Doubles x = exactValues<float>(countOf(s), 1), dy = exactValues<float>(countOf(s), 2);
        Buffer<float> dx(countOf(s));
        rotary<float>(s, Turn::Back, Buffer<float>(dy), dx, nullptr);
        const Doubles gradient = dx.doubles();
        for (const auto& [i, difference] : differences(
                 x, [&](const Doubles& v) { return dot(dy, turned(s, 1.0, v)); }, x.size()))
            VERIFY_WITHIN(std::abs(gradient[i] - difference), 1e-6);
    }

    void bitsDoNotDependOnTheOrder()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            const RotaryShape s{2, 200, 3, 2, 30, 10000.0};
            const Buffer<T> in(exactValues<T>(countOf(s), 1));
            QVERIFY(sameBitsInEveryOrder([&] {
                Buffer<T> out(countOf(s));
                rotary<T>(s, Turn::Forth, in, out, nullptr);
                return out;
            }));
        });
    }
};

QTEST_APPLESS_MAIN(CudaRotaryTest)
#include "cuda_rotary_test.moc"
