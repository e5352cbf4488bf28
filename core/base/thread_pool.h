// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace remat {

/// A fixed team of threads that shares out numbered pieces of one job at a time.
///
/// The caller works too, as worker 0, so a pool of one thread starts none.  Pieces are handed out in order through a
/// counter; which worker gets which piece is left to chance, so a job must write disjoint results per index.  Then the
/// result has the same bits at every thread count.  A thread that the system has not scheduled by the time all pieces
/// are done is not waited for, so the pool does not stall when cores are shared.  No allocation after construction.
///
///   ThreadPool pool(2);
///   pool.parallelFor(rows, [&](std::int64_t row, int worker) { ... });
///
/// parallelFor may be called from one thread at a time and not from inside a piece.
class ThreadPool {
public:
    /// `threads` >= 1, the calling thread included.  Throws std::system_error where the system gives no thread.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return m_threadCount; }

    /// Runs piece(index, worker) for every index in [0, count), 0 <= worker < threads(); returns when all are done.
    /// What a piece throws (a planner's may find no memory) is thrown again then, of several the one of least index.
    template <class Piece> void parallelFor(std::int64_t count, const Piece& piece)
    {
        run(
            count,
            [](const void* context, std::int64_t index, int worker) {
                (*static_cast<const Piece*>(context))(index, worker);
            },
            &piece);
    }

private:
    using Function = void (*)(const void* context, std::int64_t index, int worker);

    void run(std::int64_t count, Function function, const void* context);
    void work(int worker);
    void drain(int worker);
    void end();

    const int m_threadCount;
    std::vector<std::thread> m_threads;

    std::mutex m_mutex;
    std::condition_variable m_jobPosted;
    std::condition_variable m_jobLeft;
    bool m_stopping = false; // the following four are guarded by m_mutex
    bool m_jobIsOpen = false;
    int m_sleepers = 0;
    int m_helpers = 0;            // threads inside the open job, the caller not counted
    std::exception_ptr m_failure; ///< of the open job; guarded by m_mutex, as is its piece
    std::int64_t m_failedIndex = 0;

    std::atomic<std::uint64_t> m_jobNumber{0};
    std::atomic<std::int64_t> m_nextIndex{0};
    std::int64_t m_count = 0; // written only while no helper is inside a job
    Function m_function = nullptr;
    const void* m_context = nullptr;
};

} // namespace remat
