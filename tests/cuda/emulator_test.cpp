// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected behaviour: the CUDA C++ Programming Guide (thread hierarchy, __syncthreads, warp votes and shuffles);
// expected values in closed form.
#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/language/launch_error.h"
#include "cuda/language/storage.h"

using namespace remat::cuda;

namespace {

constexpr unsigned kAll = 0xffffffffU;
constexpr ThreadOrder kOrders[] = {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Shuffled};

/// What the launch says is wrong; empty when nothing is.
QString complaint(const std::function<void()>& launch)
{
    try {
        launch();
    } catch (const LaunchError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void number_threads(int* out)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned at = block * blockDim.x * blockDim.y * blockDim.z + thread;
    out[at] += static_cast<int>(at) + 1;
}

void reverse_block(const float* in, float* out)
{
    REMAT_SHARED_ARRAY(float, tile, 96);
    REMAT_SHARED(float, second);
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    second[threadIdx.x] = tile[95 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = second[threadIdx.x] + 1000.0F * second[(threadIdx.x + 1) % 96];
}

void read_before_write(float* out)
{
    REMAT_SHARED_ARRAY(float, tile, 2);
    REMAT_SHARED_ARRAY(int, index, 1);
    out[blockIdx.x] = tile[1] + static_cast<float>(index[0]);
    tile[1] = 1.0F;
}

void shuffle(int* xorred, int* down, int* up, int* broadcast)
{
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int value = 100 * static_cast<int>(threadIdx.x / kWarp) + lane;
    xorred[threadIdx.x] = __shfl_xor_sync(kAll, value, 5);
    down[threadIdx.x] = __shfl_down_sync(kAll, value, 3);
    up[threadIdx.x] = __shfl_up_sync(kAll, value, 3);
    broadcast[threadIdx.x] = __shfl_sync(kAll, value, 33); // counts modulo 32
}

void halves_of_warp(double* out)
{
    const double value = 1.0 + threadIdx.x;
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __shfl_xor_sync(0x0000ffffU, value, 1);
    } else {
        __syncwarp(0xffff0000U);
        out[threadIdx.x] = __shfl_xor_sync(0xffff0000U, value, 1);
    }
}

void vote(unsigned* ballot, int* any, int* all)
{
    const int lane = static_cast<int>(threadIdx.x);
    const unsigned votes = __ballot_sync(kAll, lane % 3 == 0);
    const int some = __any_sync(kAll, lane == 7), none = __any_sync(kAll, lane == 32);
    const int every = __all_sync(kAll, lane < 32), most = __all_sync(kAll, lane != 31);
    ballot[lane] = votes;
    any[lane] = 10 * some + none;
    all[lane] = 10 * every + most;
}

/// A barrier is missing between the write and the read of another warp's element.
void forget_barrier(int* out)
{
    REMAT_SHARED_ARRAY(int, tile, 64);
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
}

void early_return(int threads, int* out)
{
    if (static_cast<int>(threadIdx.x) >= threads)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

void divergent_barrier()
{
    if (threadIdx.x < 32) {
        __syncthreads();
        return;
    }
    __syncthreads();
}

void barrier_against_shuffle(int* out)
{
    if (threadIdx.x == 5)
        __syncthreads();
    else
        out[threadIdx.x] = __shfl_xor_sync(kAll, 1, 1);
}

void shuffle_with(unsigned mask, int distance, int live, int* out)
{
    if (static_cast<int>(threadIdx.x) < live)
        out[threadIdx.x] = __shfl_xor_sync(mask, 1, distance);
}

void misaligned(const float* in, Quad* out)
{
    *out = loadQuad(in, 1, 5);
}

void throw_in_thread_3(int* out)
{
    if (threadIdx.x == 3)
        throw std::out_of_range("thread 3");
    __syncthreads();
    out[0] = 1;
}

void share_too_much(char* out)
{
    REMAT_SHARED_ARRAY(char, tile, (48 << 10) + 1);
    out[0] = tile[0];
}

} // namespace

class EmulatorTest : public QObject {
    Q_OBJECT
private slots:
    void everyThreadOfEveryBlockRunsOnce()
    {
        for (const ThreadOrder order : kOrders) {
            const UseThreadOrder use(order);
            constexpr std::size_t threads = std::size_t{3} * 2 * 2 * 5 * 7 * 3;
            std::vector<int> out(threads), expected(threads);
            std::iota(expected.begin(), expected.end(), 1);
            REMAT_LAUNCH(number_threads, (dim3{3, 2, 2}), (dim3{5, 7, 3}), 0, nullptr)(out.data());
            QCOMPARE(out, expected);
        }
    }

    void barriersPassSharedMemoryOn()
    {
        for (const ThreadOrder order : kOrders) {
            const UseThreadOrder use(order);
            std::vector<float> in(96), out(96), expected(96);
            std::iota(in.begin(), in.end(), 0.0F);
            for (std::size_t i = 0; i < 96; ++i)
                expected[i] = static_cast<float>(95 - i + 1000 * (95 - (i + 1) % 96));
            REMAT_LAUNCH(reverse_block, dim3{1}, dim3{96}, 96 * sizeof(float), nullptr)(in.data(), out.data());
            QCOMPARE(out, expected);
        }
    }

    void sharedMemoryIsPoisonedInEveryBlock()
    {
        std::vector<float> out(3);
        REMAT_LAUNCH(read_before_write, dim3{3}, dim3{1}, 0, nullptr)(out.data());
        for (const float value : out)
            QVERIFY(std::isnan(value));
    }

    void shufflesMoveValuesBetweenLanes()
    {
        for (const ThreadOrder order : kOrders) {
            const UseThreadOrder use(order);
            std::vector<int> xorred(64), down(64), up(64), broadcast(64);
            REMAT_LAUNCH(shuffle, dim3{1}, dim3{64}, 0, nullptr)
            (xorred.data(), down.data(), up.data(), broadcast.data());
            for (int i = 0; i < 64; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const int warp = i / 32, lane = i % 32;
                QCOMPARE(xorred[at], 100 * warp + (lane ^ 5));
                QCOMPARE(down[at], 100 * warp + (lane + 3 < 32 ? lane + 3 : lane));
                QCOMPARE(up[at], 100 * warp + (lane >= 3 ? lane - 3 : lane));
                QCOMPARE(broadcast[at], 100 * warp + 1);
            }
        }
    }

    void halvesOfAWarpMeetApart()
    {
        for (const ThreadOrder order : kOrders) {
            const UseThreadOrder use(order);
            std::vector<double> out(32);
            REMAT_LAUNCH(halves_of_warp, dim3{1}, dim3{32}, 0, nullptr)(out.data());
            for (std::size_t i = 0; i < 32; ++i)
                QCOMPARE(out[i], 1.0 + static_cast<double>(i ^ 1U));
        }
    }

    void votesCountAllLanes()
    {
        std::vector<unsigned> ballot(32);
        std::vector<int> any(32), all(32);
        REMAT_LAUNCH(vote, dim3{1}, dim3{32}, 0, nullptr)(ballot.data(), any.data(), all.data());
        QCOMPARE(ballot, std::vector<unsigned>(32, 0x49249249U)); // bits 0, 3, ..., 30
        QCOMPARE(any, std::vector<int>(32, 10));
        QCOMPARE(all, std::vector<int>(32, 10));
    }

    void aMissingBarrierShows()
    {
        // Whichever warp goes first reads what the other has not written: -1 is poison.
        const std::vector<int> firstHalf(32, -1);
        for (const ThreadOrder order : {ThreadOrder::Forward, ThreadOrder::Reverse}) {
            const UseThreadOrder use(order);
            std::vector<int> out(64);
            REMAT_LAUNCH(forget_barrier, dim3{1}, dim3{64}, 0, nullptr)(out.data());
            const auto stale = out.begin() + (order == ThreadOrder::Forward ? 0 : 32);
            QCOMPARE(std::vector<int>(stale, stale + 32), firstHalf);
        }
    }

    void threadsThatReturnedCountAtTheBlocksBarrier()
    {
        std::vector<int> out(64), expected(64);
        std::fill_n(expected.begin(), 40, 1);
        REMAT_LAUNCH(early_return, dim3{1}, dim3{64}, 0, nullptr)(40, out.data());
        QCOMPARE(out, expected);
    }

    void divergentBarriersAreReported()
    {
        const QString places = complaint([] { REMAT_LAUNCH(divergent_barrier, dim3{2}, dim3{64}, 0, nullptr)(); });
        QVERIFY2(places.contains("kernel divergent_barrier, block (0, 0, 0)"), qPrintable(places));
        QVERIFY2(places.contains("32 from (0, 0, 0) on wait at __syncthreads"), qPrintable(places));
        QVERIFY2(places.contains("32 from (32, 0, 0) on wait at __syncthreads"), qPrintable(places));

        std::vector<int> out(32);
        const QString mixed = complaint([&] {
            REMAT_LAUNCH(barrier_against_shuffle, dim3{1}, dim3{32}, 0, nullptr)
            (out.data());
        });
        QVERIFY2(mixed.contains("1 from (5, 0, 0) on wait at __syncthreads"), qPrintable(mixed));
        QVERIFY2(
            mixed.contains("31 from (0, 0, 0) on wait at __shfl_xor_sync with mask 0xffffffff"), qPrintable(mixed));
    }

    void mistakenMasksAreReported()
    {
        std::vector<int> out(32);
        const auto shuffle = [&](unsigned mask, int distance, int live, unsigned threads) {
            return complaint([&] {
                REMAT_LAUNCH(shuffle_with, dim3{1}, dim3{threads}, 0, nullptr)(mask, distance, live, out.data());
            });
        };
        QCOMPARE(shuffle(kAll, 1, 32, 32), QString());
        QCOMPARE(shuffle(0x000fffffU, 1, 20, 32), QString());
        QVERIFY(shuffle(kAll, 1, 20, 32).contains("has ended"));
        QVERIFY(shuffle(kAll, 1, 20, 20).contains("the block does not have"));
        QVERIFY(shuffle(0x0000ffffU, 1, 20, 32).contains("is not in the mask"));
        QVERIFY(shuffle(0x000fffffU, 16, 20, 32).contains("asks lane 20, which is not in the mask"));
    }

    void misalignedVectorsAreReported()
    {
        alignas(16) const float in[5] = {};
        Quad out{};
        QVERIFY(complaint([&] {
            REMAT_LAUNCH(misaligned, dim3{1}, dim3{1}, 0, nullptr)(in, &out);
        }).contains("16 bytes at once"));
    }

    void launchesBeyondTheLimitsAreRefused()
    {
        int out = 0;
        const auto launch = [&](dim3 grid, dim3 block, std::size_t shared) {
            return complaint([&] { REMAT_LAUNCH(early_return, grid, block, shared, nullptr)(0, &out); });
        };
        QCOMPARE(launch({1}, {32, 32}, 48 << 10), QString());
        QVERIFY(launch({1}, {32, 33}, 0).contains("1024 threads"));
        QVERIFY(launch({0}, {1}, 0).contains("at least one block"));
        QVERIFY(launch({1}, {0}, 0).contains("at least one thread"));
        QVERIFY(launch({1}, {1, 1, 65}, 0).contains("64 threads deep"));
        QVERIFY(launch({1, 65536}, {1}, 0).contains("65535 blocks"));
        QVERIFY(launch({1}, {1}, (48 << 10) + 1).contains("48 KiB"));
        char byte = 0;
        QVERIFY(complaint([&] {
            REMAT_LAUNCH(share_too_much, dim3{1}, dim3{1}, 0, nullptr)(&byte);
        }).contains("shared memory"));
    }

    void aFailedLaunchLeavesTheEmulatorUsable()
    {
        int out = 0;
        for (const ThreadOrder order : kOrders) {
            const UseThreadOrder use(order);
            QVERIFY_THROWS_EXCEPTION(
                std::out_of_range, REMAT_LAUNCH(throw_in_thread_3, dim3{1}, dim3{64}, 0, nullptr)(&out));
            QCOMPARE(out, 0);
        }
        everyThreadOfEveryBlockRunsOnce();
        barriersPassSharedMemoryOn();
    }
};

QTEST_APPLESS_MAIN(EmulatorTest)
#include "emulator_test.moc"
