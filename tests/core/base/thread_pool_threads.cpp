// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The team of threads under the thread sanitizer: many short jobs, whose pieces write memory that the next job reads.
#include <cstdio>
#include <numeric>
#include <vector>

#include "core/base/thread_pool.h"

int main()
{
    constexpr std::int64_t kPieces = 37;
    constexpr int kJobs = 3000;
    bool passed = true;
    for (const int threads : {1, 2, 4}) {
        remat::ThreadPool pool(threads);
        std::vector<std::int64_t> values(kPieces), shifted(kPieces);
        std::vector<std::int64_t> byWorker(static_cast<std::size_t>(threads));
        for (int job = 0; job < kJobs; ++job) {
            pool.parallelFor(kPieces, [&](std::int64_t i, int worker) {
                values[static_cast<std::size_t>(i)] += i;
                ++byWorker[static_cast<std::size_t>(worker)];
            });
            // Reads what another thread wrote in the job before.
            pool.parallelFor(kPieces, [&](std::int64_t i, int) {
                shifted[static_cast<std::size_t>(i)] = values[static_cast<std::size_t>((i + 1) % kPieces)];
            });
        }
        for (std::int64_t i = 0; i < kPieces; ++i) {
            passed = passed && values[static_cast<std::size_t>(i)] == kJobs * i
                && shifted[static_cast<std::size_t>(i)] == kJobs * ((i + 1) % kPieces);
        }
        passed = passed && std::accumulate(byWorker.begin(), byWorker.end(), std::int64_t{0}) == kJobs * kPieces;
    }
    std::printf("thread_pool_threads: %s\n", passed ? "passed" : "FAILED");
    return passed ? 0 : 1;
}
