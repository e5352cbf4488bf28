// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: the C library's erfc and exp in double; slopes by central differences.
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;
using kernel_testing::activationSlope;
using kernel_testing::activationValue;
using kernel_testing::kActivations;

namespace {

// Bounds in ulps: half a one for rounding the result, and what float arithmetic adds.  GeluTanh's slope is the worst:
// near x = 5 it multiplies the rounding of s, 2^-24 with that of 1 + exp, by x 2u' = 34, which makes 17 ulps of 1.
// After a product with dy an ulp may be half as large a part of the value.
template <class T> constexpr double kFloatArithmetic = std::is_same_v<T, bf16> ? 34.0 / 0x1p16 : 34.0;
template <class T> constexpr double kBound = 0.5 + kFloatArithmetic<T>;
constexpr double kValueFloor = 1e-2, kSlopeFloor = 0.1;

/// From -8 to 8, away from zero, where relu has no slope.
template <class T> Doubles inputs(Index count)
{
    Doubles x = exactValues<T>(count, 1, 8.0);
    for (double& value : x)
        if (std::abs(value) < 1e-3)
            value = 0.5;
    return x;
}

} // namespace

class CudaElementwiseTest : public QObject {
    Q_OBJECT
private slots:
    void additionRoundsOnce()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes) {
                const Doubles a = exactValues<T>(count, 1), b = exactValues<T>(count, 2);
                Doubles expected = a;
                for (std::size_t i = 0; i < a.size(); ++i)
                    expected[i] += b[i];
                const Buffer<T> other(b), rounded(expected); // a sum of floats is exact in double
                Buffer<T> left(a), out(count), right(b);
                add<T>(count, left, other, out, nullptr);
                QVERIFY(out.sameBits(rounded));
                add<T>(count, left, right, right, nullptr);
                add<T>(count, left, other, left, nullptr);
                QVERIFY(left.sameBits(rounded) && right.sameBits(rounded));
            }
        });
    }

    void activationsMatchTheirFormulas()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes)
                for (const Activation activation : kActivations) {
                    const Doubles x = inputs<T>(count), dy = exactValues<T>(count, 2);
                    Doubles value = x, gradient = x;
                    for (std::size_t i = 0; i < x.size(); ++i) {
                        value[i] = activationValue(activation, x[i]);
                        gradient[i] = dy[i] * activationSlope(activation, x[i]);
                    }
                    const Buffer<T> input(x), outer(dy);
                    Buffer<T> y(count), dx(count);
                    activationForward<T>(activation, count, input, y, nullptr);
                    VERIFY_WITHIN(errorInUlps(y, value, kValueFloor), kBound<T>);
                    activationBackward<T>(activation, count, outer, input, dx, nullptr);
                    VERIFY_WITHIN(errorInUlps(dx, gradient, kSlopeFloor), kBound<T>);

                    Buffer<T> placeOfX(x), placeOfDy(dy), placeOfY(x);
                    activationBackward<T>(activation, count, outer, placeOfX, placeOfX, nullptr);
                    activationBackward<T>(activation, count, placeOfDy, input, placeOfDy, nullptr);
                    activationForward<T>(activation, count, placeOfY, placeOfY, nullptr);
                    QVERIFY(placeOfX.sameBits(dx) && placeOfDy.sameBits(dx) && placeOfY.sameBits(y));
                }
        });
    }

    void gatesMatchTheirFormulas()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes)
                for (const Activation activation : kActivations) {
                    const Doubles gate = inputs<T>(count), up = exactValues<T>(count, 2), dy = exactValues<T>(count, 3);
                    Doubles value = gate, ofGate = gate, ofUp = gate;
                    for (std::size_t i = 0; i < gate.size(); ++i) {
                        const double f = activationValue(activation, gate[i]);
                        value[i] = f * up[i];
                        ofGate[i] = dy[i] * up[i] * activationSlope(activation, gate[i]);
                        ofUp[i] = dy[i] * f;
                    }
                    const Buffer<T> gates(gate), ups(up), outer(dy);
                    Buffer<T> y(count), dgate(count), dup(count);
                    gatedForward<T>(activation, count, gates, ups, y, nullptr);
                    VERIFY_WITHIN(errorInUlps(y, value, kValueFloor), kBound<T>);
                    gatedBackward<T>(activation, count, outer, gates, ups, dgate, dup, nullptr);
                    VERIFY_WITHIN(errorInUlps(dgate, ofGate, kSlopeFloor), kBound<T>);
                    VERIFY_WITHIN(errorInUlps(dup, ofUp, kValueFloor), kBound<T>);
                }
        });
    }

    void notANumberSpreads()
    {
        // Dropped tensors are poisoned; a kernel that hid the poison would hide a forgotten recompute.
        forStorageTypes([](auto type) {
            using T = decltype(type);
            const Buffer<T> poison(37), ones(Doubles(37, 1.0));
            for (const Activation activation : {Activation::Gelu, Activation::GeluTanh, Activation::Silu}) {
                Buffer<T> y(Doubles(37, 0.0)), dx(Doubles(37, 0.0));
                activationForward<T>(activation, 37, poison, y, nullptr);
                activationBackward<T>(activation, 37, ones, poison, dx, nullptr);
                for (const double value : y.doubles())
                    QVERIFY(std::isnan(value));
                for (const double value : dx.doubles())
                    QVERIFY(std::isnan(value));
            }
        });
    }

    void bitsDoNotDependOnTheOrder()
    {
        const Index count = 5003;
        const Buffer<bf16> dy(randomValues(count, 1)), gate(randomValues(count, 2)), up(randomValues(count, 3));
        QVERIFY(sameBitsInEveryOrder([&] {
            Buffer<bf16> dgate(count), dup(count);
            gatedBackward<bf16>(Activation::Silu, count, dy, gate, up, dgate, dup, nullptr);
            add<bf16>(count, dgate, dup, dgate, nullptr);
            activationForward<bf16>(Activation::Gelu, count, dgate, dgate, nullptr);
            activationBackward<bf16>(Activation::GeluTanh, count, dgate, dup, dgate, nullptr);
            return dgate;
        }));
    }
};

QTEST_APPLESS_MAIN(CudaElementwiseTest)
#include "cuda_elementwise_test.moc"
