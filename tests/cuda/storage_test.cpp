// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected rounding: IEEE 754's nearest, ties to even, as std::nearbyint does it on the scaled value.
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;

namespace {

/// x rounded to 8 bits, in double: below 2^-126 the grid stays as coarse as there, from 2^128 on all is infinite.
double rounded(double x)
{
    if (x == 0.0 || std::isinf(x))
        return x;
    const int exponent = std::max(std::ilogb(x), -126) - 7;
    const double value = std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
    return std::abs(value) < 0x1p128 ? value : std::copysign(std::numeric_limits<double>::infinity(), x);
}

template <class T> __global__ void copy_quads(Index count, const T* in, T* out)
{
    const Index first = static_cast<Index>(threadIdx.x) * kQuad;
    storeQuad(out, first, count, loadQuad(in, first, count));
}

} // namespace

class StorageTest : public QObject {
    Q_OBJECT
private slots:
    void everyBf16SurvivesTheWayToFloatAndBack()
    {
        for (unsigned bits = 0; bits < 0x10000U; ++bits) {
            const bf16 value{static_cast<std::uint16_t>(bits)};
            const bool isNan = (bits & 0x7fffU) > 0x7f80U;
            QCOMPARE(unsigned{toBf16(toFloat(value)).bits}, isNan ? 0x7fffU : bits);
            QCOMPARE(std::isnan(toFloat(value)), isNan);
        }
    }

    void floatsRoundToTheNearestBf16()
    {
        // Around every bf16: just above it, just below, at and just above the middle to its neighbour.
        for (std::uint32_t upper = 0; upper < 0x10000U; ++upper)
            for (const std::uint32_t lower : {0x0001U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
                const float x = __uint_as_float(upper << 16 | lower);
                if (!std::isnan(x))
                    QCOMPARE(static_cast<double>(toFloat(toBf16(x))), rounded(static_cast<double>(x)));
            }
    }

    void quadsStopAtTheEnd()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (Index count = 1; count <= 131; ++count) {
                const Doubles values = exactValues<T>(count, 1);
                const Buffer<T> in(values);
                Buffer<T> out(count); // the address sanitizer watches its end
                REMAT_LAUNCH(copy_quads<T>, dim3{1}, dim3{64}, 0, nullptr)(count, in, out);
                QCOMPARE(out.doubles(), values);
            }
        });
    }
};

QTEST_APPLESS_MAIN(StorageTest)
#include "storage_test.moc"
