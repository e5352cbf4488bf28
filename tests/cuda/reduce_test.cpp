// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: sums in double and std::max.
#include <numeric>

#include "cuda/language/reduce.h"
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;

namespace {

template <class Operation> __global__ void reduce_warps(const float* in, float* out)
{
    out[threadIdx.x] = overWarp<Operation>(in[threadIdx.x]);
}

/// Twice in a row, the second time twice the values, so that a missing barrier between the two shows.
template <class Operation, int Threads> __global__ void reduce_block(const float* in, float* out)
{
    out[threadIdx.x] = overBlock<Operation, Threads>(in[threadIdx.x]);
    out[threadIdx.x + Threads] = overBlock<Operation, Threads>(2.0F * in[threadIdx.x]) / 2.0F;
}

template <class Operation, int Threads> Buffer<float> reduced(const Buffer<float>& in)
{
    Buffer<float> out(Index{2} * Threads);
    REMAT_LAUNCH((reduce_block<Operation, Threads>), dim3{1}, dim3{Threads}, 0, nullptr)(in, out);
    return out;
}

/// Of at most 1024 numbers below 1: a tree of ten levels, each of which rounds once.
constexpr double kSumError = 1024 * 10 * 0x1p-24;

template <int Threads> void verifyBlocksOf()
{
    const Doubles values = exactValues<float>(Threads, 7);
    const Buffer<float> in(values);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    for (const double got : reduced<Sum, Threads>(in).doubles())
        VERIFY_WITHIN(std::abs(got - sum), kSumError);
    const Doubles largest(std::size_t{2} * Threads, *std::max_element(values.begin(), values.end()));
    QCOMPARE((reduced<Maximum, Threads>(in).doubles()), largest);
    QVERIFY(sameBitsInEveryOrder([&] { return reduced<Sum, Threads>(in); }));
}

} // namespace

class ReduceTest : public QObject {
    Q_OBJECT
private slots:
    void warpsReduceApart()
    {
        const Doubles values = exactValues<float>(64, 3);
        const Buffer<float> in(values);
        Buffer<float> sums(64), maxima(64);
        REMAT_LAUNCH(reduce_warps<Sum>, dim3{1}, dim3{64}, 0, nullptr)(in, sums);
        REMAT_LAUNCH(reduce_warps<Maximum>, dim3{1}, dim3{64}, 0, nullptr)(in, maxima);
        for (std::size_t i = 0; i < 64; ++i) {
            const auto first = values.begin() + (i < 32 ? 0 : 32);
            VERIFY_WITHIN(std::abs(sums.doubles()[i] - std::accumulate(first, first + 32, 0.0)), kSumError);
            QCOMPARE(maxima.doubles()[i], *std::max_element(first, first + 32));
        }
    }

    void blocksOfEverySizeReduce()
    {
        verifyBlocksOf<32>();
        verifyBlocksOf<64>();
        verifyBlocksOf<96>();
        verifyBlocksOf<256>();
        verifyBlocksOf<1024>();
    }

    void notANumberIsTheMaximum()
    {
        for (std::size_t poisoned = 0; poisoned < 64; ++poisoned) {
            Doubles values(64, 1.0);
            values[poisoned] = std::numeric_limits<double>::quiet_NaN();
            for (const double got : reduced<Maximum, 64>(Buffer<float>(values)).doubles())
                QVERIFY(std::isnan(got));
        }
        const double lowest = -std::numeric_limits<double>::infinity();
        QCOMPARE((reduced<Maximum, 64>(Buffer<float>(Doubles(64, lowest))).doubles()), Doubles(128, lowest));
    }
};

QTEST_APPLESS_MAIN(ReduceTest)
#include "reduce_test.moc"
