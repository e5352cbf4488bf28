// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/run/kernels/kernels.h"

/// What the tests of the CPU kernels share: poisoned buffers, teams of threads, and reference arithmetic in double that
/// is written from the formulas and shares no code with the kernels.
namespace kernel_testing {

using namespace remat::kernels;
using Index = std::int64_t;
using Doubles = std::vector<double>;

/// 64-byte aligned floats that begin as NaN, so that an element which a kernel forgets to write shows.
class Floats {
public:
    explicit Floats(Index count = 0) : m_count(count)
    {
        m_data.reset(static_cast<float*>(
            ::operator new (static_cast<std::size_t>(count + 16) * sizeof(float), std::align_val_t{64})));
        std::fill_n(m_data.get(), count, std::numeric_limits<float>::quiet_NaN());
    }
    explicit Floats(const Doubles& values) : Floats(static_cast<Index>(values.size()))
    {
        for (Index i = 0; i < m_count; ++i)
            m_data.get()[i] = static_cast<float>(values[static_cast<std::size_t>(i)]);
    }

    Index size() const { return m_count; }
    float* data() { return m_data.get(); }
    operator float*() { return m_data.get(); }
    Doubles doubles() const { return Doubles(m_data.get(), m_data.get() + m_count); }
    bool sameBits(const Floats& other) const
    {
        return m_count == other.m_count
            && std::memcmp(m_data.get(), other.m_data.get(), static_cast<std::size_t>(m_count) * sizeof(float)) == 0;
    }

private:
    struct Release {
        void operator()(float* p) const { ::operator delete (p, std::align_val_t{64}); }
    };
    Index m_count;
    std::unique_ptr<float, Release> m_data;
};

/// Aligned token ids or targets.
class Tokens {
public:
    explicit Tokens(const std::vector<std::int32_t>& ids) : m_bits(static_cast<Index>(ids.size())), m_ids(ids)
    {
        std::memcpy(m_bits.data(), ids.data(), ids.size() * sizeof(std::int32_t));
    }
    const std::int32_t* data() { return reinterpret_cast<const std::int32_t*>(m_bits.data()); }
    Index at(Index i) const { return m_ids[static_cast<std::size_t>(i)]; }

private:
    Floats m_bits;
    std::vector<std::int32_t> m_ids;
};

/// Values that a float holds exactly, so that reference and kernel see the same input.
inline Doubles randomValues(Index count, unsigned seed, double scale = 1.0)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    Doubles values(static_cast<std::size_t>(count));
    for (double& v : values)
        v = static_cast<double>(uniform(generator) * static_cast<float>(scale));
    return values;
}

inline Tokens randomTokens(Index count, Index vocabulary, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_int_distribution<std::int32_t> uniform(0, static_cast<std::int32_t>(vocabulary - 1));
    std::vector<std::int32_t> ids(static_cast<std::size_t>(count));
    for (std::int32_t& id : ids)
        id = uniform(generator);
    return Tokens(ids);
}

/// Threads with their scratch, which begins poisoned too.
class Team {
public:
    explicit Team(int threads) : m_pool(threads), m_scratch(threads * kScratchBytesPerWorker / 4) { }
    operator Workers() { return {m_pool, reinterpret_cast<std::byte*>(m_scratch.data())}; }

private:
    remat::ThreadPool m_pool;
    Floats m_scratch;
};

/// Largest |got - expected| relative to max(|expected|, floor); NaN counts as infinite, and so does a wrong size.
inline double relativeError(const Floats& got, const Doubles& expected, double floor)
{
    const Doubles values = got.doubles();
    if (values.size() != expected.size())
        return std::numeric_limits<double>::infinity();
    double worst = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error = std::abs(values[i] - expected[i]) / std::max(std::abs(expected[i]), floor);
        if (!(error <= worst))
            worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
    return worst;
}

/// Central differences of a loss in double at up to `samples` elements of x: pairs of index and derivative.
template <class Loss>
std::vector<std::pair<std::size_t, double>> differences(Doubles x, const Loss& loss, std::size_t samples = 150)
{
    std::vector<std::pair<std::size_t, double>> result;
    const std::size_t stride = std::max<std::size_t>(1, x.size() / samples);
    constexpr double h = 1e-5;
    for (std::size_t i = 0; i < x.size(); i += stride) {
        const double value = x[i];
        x[i] = value + h;
        const double above = loss(x);
        x[i] = value - h;
        const double below = loss(x);
        x[i] = value;
        result.emplace_back(i, (above - below) / (2.0 * h));
    }
    return result;
}

/// Largest |gradient - difference|, relative to max(|difference|, floor).
template <class Loss>
double gradientError(const Floats& gradient, const Doubles& x, const Loss& loss, double floor = 0.1)
{
    const Doubles values = gradient.doubles();
    if (values.size() != x.size())
        return std::numeric_limits<double>::infinity();
    double worst = 0.0;
    for (const auto& [i, expected] : differences(x, loss)) {
        const double error = std::abs(values[i] - expected) / std::max(std::abs(expected), floor);
        if (!(error <= worst))
            worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
    return worst;
}

inline double dot(const Doubles& a, const Doubles& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

inline Doubles timesTwo(Doubles values)
{
    for (double& v : values)
        v *= 2.0;
    return values;
}

/// Philox4x32-10 as the paper states it, one block at a time.
inline std::array<std::uint32_t, 4> referencePhilox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k)
{
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
            static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
        k = {k[0] + 0x9E3779B9U, k[1] + 0xBB67AE85U};
    }
    return c;
}

/// The random word of one element of a stream, as kernels.h defines it.
inline std::uint32_t referenceWord(const RandomStream& random, std::uint64_t element)
{
    const std::uint64_t block = element / 4;
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    return referencePhilox({low(block), high(block), low(random.stream), high(random.stream)},
        {low(random.seed), high(random.seed)})[element % 4];
}

/// 0 or 1 / (1 - p).
inline double referenceFactor(const Dropout& dropout, std::uint64_t element)
{
    const auto p = static_cast<double>(dropout.probability);
    return static_cast<double>(referenceWord(dropout.random, element)) < p * 4294967296.0 ? 0.0 : 1.0 / (1.0 - p);
}

/// f(x), by the C library in double.
inline double activationValue(Activation activation, double x)
{
    switch (activation) {
    case Activation::Gelu:
        return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case Activation::GeluTanh: {
        const double u = std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x);
        return x / (1.0 + std::exp(-2.0 * u)); // equals x (1 + tanh u) / 2 and keeps its digits
    }
    case Activation::Relu:
        return x > 0.0 ? x : 0.0;
    case Activation::Silu:
        return x / (1.0 + std::exp(-x));
    }
    return 0.0;
}

/// f'(x) as a central difference: right to about 1e-9.
inline double activationSlope(Activation activation, double x)
{
    constexpr double h = 1e-5;
    return (activationValue(activation, x + h) - activationValue(activation, x - h)) / (2.0 * h);
}

inline constexpr Activation kActivations[]
    = {Activation::Gelu, Activation::GeluTanh, Activation::Relu, Activation::Silu};

/// One row per instruction set that this processor runs, in a column "kernels".
inline void addInstructionSets()
{
    QTest::addColumn<const CpuKernels*>("kernels");
    for (const InstructionSet set : kInstructionSets)
        if (const CpuKernels* kernels = cpuKernels(set))
            QTest::newRow(kernels->name()) << kernels;
}

/// Whether compute(workers) -> Floats gives the same bits at 1, 2 and 3 threads and once more at 3.
template <class Compute> bool sameBitsAtEveryThreadCount(const Compute& compute)
{
    Team one(1), two(2), three(3);
    const Floats expected = compute(one);
    return compute(two).sameBits(expected) && compute(three).sameBits(expected) && compute(three).sameBits(expected);
}

} // namespace kernel_testing

Q_DECLARE_METATYPE(const remat::kernels::CpuKernels*)
