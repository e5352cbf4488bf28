// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>

#include "core/base/thread_pool.h"

namespace remat {

/// Calls piece(index) for every index in [0, count) on up to `threads` threads, 0 for as many as the machine has.
/// Pieces write disjoint results.  What a piece throws is thrown again (ThreadPool).
template <class Piece> void inParallel(std::int64_t count, int threads, const Piece& piece)
{
    const int most = threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    ThreadPool pool(static_cast<int>(std::clamp<std::int64_t>(count, 1, most)));
    pool.parallelFor(count, [&](std::int64_t index, int) { piece(index); });
}

} // namespace remat
