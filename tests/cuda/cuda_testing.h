// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "cuda/emulator/launch.h"
#include "cuda/kernels/kernels.h"
#include "cuda/language/storage.h"
#include "tests/core/run/kernel_testing.h"

/// What the tests of the device kernels share, beside the reference arithmetic of the CPU kernels' tests.
namespace cuda_testing {

using namespace remat::cuda;
using kernel_testing::Doubles;
using kernel_testing::randomValues;

/// 1 and the neighbours of a warp; one with a tail for every block; many blocks with a tail.
inline constexpr Index kSizes[] = {1, 31, 32, 33, 1000, 70001};

/// Device memory: a heap block of exactly count elements, so that the address sanitizer sees the first byte beyond.
/// Begins as NaN (negative as an integer), so that an element which a kernel forgets to write shows.
template <class T> class Buffer {
public:
    explicit Buffer(Index count)
        : m_count(static_cast<std::size_t>(count)),
          m_data(static_cast<T*>(::operator new (m_count * sizeof(T), std::align_val_t{64})))
    {
        std::memset(static_cast<void*>(m_data.get()), 0xff, m_count * sizeof(T));
    }
    /// The values rounded to T.
    explicit Buffer(const Doubles& values) : Buffer(static_cast<Index>(values.size()))
    {
        for (std::size_t i = 0; i < m_count; ++i)
            if constexpr (std::is_same_v<T, bf16>)
                m_data.get()[i] = toBf16(static_cast<float>(values[i]));
            else
                m_data.get()[i] = static_cast<T>(values[i]);
    }

    operator T*() { return m_data.get(); }
    operator const T*() const { return m_data.get(); }
    Index size() const { return static_cast<Index>(m_count); }
    Doubles doubles() const
    {
        Doubles values(m_count);
        for (std::size_t i = 0; i < m_count; ++i)
            if constexpr (std::is_same_v<T, bf16>)
                values[i] = static_cast<double>(toFloat(m_data.get()[i]));
            else
                values[i] = static_cast<double>(m_data.get()[i]);
        return values;
    }
    bool sameBits(const Buffer& other) const
    {
        return m_count == other.m_count && std::memcmp(m_data.get(), other.m_data.get(), m_count * sizeof(T)) == 0;
    }

private:
    struct Release {
        void operator()(T* p) const { ::operator delete (p, std::align_val_t{64}); }
    };
    std::size_t m_count;
    std::unique_ptr<T, Release> m_data;
};

/// Values that T holds exactly, so that reference and kernel see the same input.
template <class T> Doubles exactValues(Index count, unsigned seed, double scale = 1.0)
{
    return Buffer<T>(randomValues(count, seed, scale)).doubles();
}

/// The distance of neighbouring values of T at x: 24 bits of precision for float, 8 for bf16.
template <class T> double ulp(double x)
{
    return std::ldexp(1.0, std::ilogb(x) - (std::is_same_v<T, bf16> ? 7 : 23));
}

/// Largest |got - expected| in units of T's ulp at max(|expected|, floor); NaN and a wrong size count as infinite.
/// Rounding a result once costs half a unit: bounds in tests are 0.5 for it and what float arithmetic adds.
template <class T> double errorInUlps(const Buffer<T>& got, const Doubles& expected, double floor)
{
    const Doubles values = got.doubles();
    if (values.size() != expected.size())
        return std::numeric_limits<double>::infinity();
    double worst = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error = std::abs(values[i] - expected[i]) / ulp<T>(std::max(std::abs(expected[i]), floor));
        if (!(error <= worst))
            worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
    return worst;
}

/// Says how far off it was: VERIFY_WITHIN(errorInUlps(y, expected, 1e-3), 0.6).
#define VERIFY_WITHIN(error, bound)                                                                                    \
    do {                                                                                                               \
        const double measured = (error);                                                                               \
        QVERIFY2(measured <= (bound), qPrintable(QStringLiteral("%1 > %2").arg(measured).arg(bound)));                 \
    } while (false)

/// body(float{}), body(bf16{}): a test of both storage types.
template <class Body> void forStorageTypes(const Body& body)
{
    body(float{});
    body(bf16{});
}

/// Whether compute() -> Buffer gives the same bits in every order of threads and blocks.
template <class Compute> bool sameBitsInEveryOrder(const Compute& compute)
{
    const auto expected = compute();
    const auto agrees = [&](ThreadOrder order, std::uint64_t seed) {
        const UseThreadOrder use(order, seed);
        return compute().sameBits(expected);
    };
    return agrees(ThreadOrder::Reverse, 1) && agrees(ThreadOrder::Shuffled, 1) && agrees(ThreadOrder::Shuffled, 2);
}

} // namespace cuda_testing
