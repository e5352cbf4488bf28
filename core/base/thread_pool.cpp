// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/thread_pool.h"

#include <cassert>
#include <utility>

namespace remat {
namespace {

// A training step posts several hundred short jobs; looking out for the next one for some 20 us costs less than
// sleeping.
constexpr int kSpins = 2000;

void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

ThreadPool::ThreadPool(int threads) : m_threadCount(threads)
{
    assert(threads >= 1);
    m_threads.reserve(static_cast<std::size_t>(threads - 1));
    try {
        for (int worker = 1; worker < threads; ++worker)
            m_threads.emplace_back([this, worker] { work(worker); });
    } catch (...) {
        end();
        throw;
    }
}

ThreadPool::~ThreadPool()
{
    end();
}

void ThreadPool::end()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        ++m_jobNumber;
    }
    m_jobPosted.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void ThreadPool::run(std::int64_t count, Function function, const void* context)
{
    if (m_threadCount == 1 || count <= 1) {
        for (std::int64_t index = 0; index < count; ++index)
            function(context, index, 0);
        return;
    }
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        m_count = count;
        m_function = function;
        m_context = context;
        m_nextIndex.store(0, std::memory_order_relaxed);
        m_jobIsOpen = true;
        m_jobNumber.fetch_add(1, std::memory_order_release);
        wake = m_sleepers > 0;
    }
    if (wake)
        m_jobPosted.notify_all();
    drain(0);
    std::unique_lock lock(m_mutex);
    m_jobIsOpen = false;
    m_jobLeft.wait(lock, [this] { return m_helpers == 0; });
    if (m_failure)
        std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void ThreadPool::drain(int worker)
{
    for (;;) {
        const std::int64_t index = m_nextIndex.fetch_add(1, std::memory_order_relaxed);
        if (index >= m_count)
            return;
        try {
            m_function(m_context, index, worker);
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            if (!m_failure || index < m_failedIndex) {
                m_failure = std::current_exception();
                m_failedIndex = index;
            }
        }
    }
}

void ThreadPool::work(int worker)
{
    std::uint64_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < kSpins && m_jobNumber.load(std::memory_order_acquire) == seen; ++spin)
            pause();
        std::unique_lock lock(m_mutex);
        ++m_sleepers;
        m_jobPosted.wait(lock, [&] { return m_jobNumber.load(std::memory_order_relaxed) != seen; });
        --m_sleepers;
        seen = m_jobNumber.load(std::memory_order_relaxed);
        if (m_stopping)
            return;
        if (!m_jobIsOpen)
            continue;
        ++m_helpers;
        lock.unlock();
        drain(worker);
        lock.lock();
        if (--m_helpers == 0)
            m_jobLeft.notify_one();
    }
}

} // namespace remat
