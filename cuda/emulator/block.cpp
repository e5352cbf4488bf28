// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/block.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "cuda/emulator/simt.h"
#include "cuda/language/launch_error.h"

namespace remat::cuda {
namespace {

enum class State { Fresh, Ready, Waiting, Ended };

/// Thrown through the threads that a failed launch leaves behind.
struct Abandoned { };

thread_local BlockRunner* currentRunner = nullptr;

/// Stacks that no thread uses at the moment, kept from launch to launch: mapping a thousand of them takes longer than
/// most kernels here.
thread_local std::vector<std::unique_ptr<Fiber>> idleFibers;

std::string text(uint3 index)
{
    return '(' + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) + ')';
}

} // namespace

struct BlockRunner::Thread {
    uint3 index;
    std::unique_ptr<Fiber> fiber; // from its first turn to its end
    State state = State::Fresh;
    Meeting meeting{}; // while it waits, and what it brought and gets
    Result result = Result::None;
    std::uint64_t value = 0;
    int source = 0;
    std::uint64_t received = 0;
};

BlockRunner::BlockRunner(const char* kernel, dim3 grid, dim3 block, std::size_t dynamicSharedBytes, Function function,
    const void* context, ThreadOrder order, std::uint64_t seed)
    : m_kernel(kernel),
      m_gridSize(grid),
      m_blockSize(block),
      m_dynamicSharedBytes(dynamicSharedBytes),
      m_function(function),
      m_context(context),
      m_order(order),
      m_random(seed),
      m_threads(std::size_t{block.x} * block.y * block.z)
{
    std::size_t i = 0;
    for (unsigned z = 0; z < block.z; ++z)
        for (unsigned y = 0; y < block.y; ++y)
            for (unsigned x = 0; x < block.x; ++x)
                m_threads[i++].index = {x, y, z};
}

BlockRunner::~BlockRunner() = default;

BlockRunner& BlockRunner::current()
{
    return *currentRunner;
}

void BlockRunner::run(uint3 block)
{
    m_block = block;
    blockIdx = block;
    gridDim = m_gridSize;
    blockDim = m_blockSize;
    for (Thread& thread : m_threads)
        thread.state = State::Fresh;
    m_shared.reset(m_dynamicSharedBytes);

    BlockRunner* const outer = std::exchange(currentRunner, this);
    try {
        do
            runWarps();
        while (openBlockMeeting());
    } catch (...) {
        abandonThreads();
        currentRunner = outer;
        throw;
    }
    currentRunner = outer;
}

/// All warps go on until each of their threads waits for the block or has ended.
void BlockRunner::runWarps()
{
    std::vector<std::size_t> warps = ordered((m_threads.size() + kWarp - 1) / kWarp);
    while (!warps.empty()) {
        const std::size_t at = m_order == ThreadOrder::Shuffled ? m_random() % warps.size() : 0;
        if (!stepWarp(warps[at]))
            warps.erase(warps.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// One turn for every thread of the warp that can run; false when none could and no meeting opened.
bool BlockRunner::stepWarp(std::size_t warp)
{
    const std::size_t first = warp * kWarp;
    bool moved = false;
    for (const std::size_t lane : ordered(std::min<std::size_t>(kWarp, m_threads.size() - first))) {
        Thread& thread = m_threads[first + lane];
        if (thread.state == State::Fresh || thread.state == State::Ready) {
            resume(thread);
            moved = true;
        }
    }
    return openWarpMeetings(warp) || moved;
}

void BlockRunner::resume(Thread& thread)
{
    m_running = &thread;
    threadIdx = thread.index;
    if (thread.state == State::Fresh) {
        if (idleFibers.empty())
            idleFibers.push_back(std::make_unique<Fiber>());
        thread.fiber = std::move(idleFibers.back());
        idleFibers.pop_back();
        thread.state = State::Ready;
        const auto function = [](void* runner) {
            auto* self = static_cast<BlockRunner*>(runner);
            self->runThread(*self->m_running);
        };
        thread.fiber->start(function, this);
    } else {
        thread.fiber->resume();
    }
    if (thread.state == State::Ended)
        idleFibers.push_back(std::move(thread.fiber));
    if (m_error && !m_isAbandoning)
        std::rethrow_exception(std::exchange(m_error, nullptr));
}

void BlockRunner::runThread(Thread& thread) noexcept
{
    try {
        m_function(m_context);
    } catch (const Abandoned&) { // nothing is left to do
    } catch (...) {
        m_error = std::current_exception();
    }
    thread.state = State::Ended;
}

void BlockRunner::wait(const Meeting& meeting, Result result, std::uint64_t value, int source)
{
    Thread& self = *m_running;
    self.meeting = meeting;
    self.result = result;
    self.value = value;
    self.source = source;
    self.state = State::Waiting;
    self.fiber->pause();
    if (m_isAbandoning)
        throw Abandoned{};
}

void BlockRunner::meet(const Meeting& meeting)
{
    wait(meeting, Result::None, 0, 0);
}

std::uint64_t BlockRunner::exchange(const Meeting& meeting, std::uint64_t value, int source)
{
    if ((meeting.lanes >> lane() & 1U) == 0)
        fail("thread " + text(threadIdx) + " is not in the mask of its " + text(meeting));
    if ((meeting.lanes >> source & 1U) == 0)
        fail("thread " + text(threadIdx) + " asks lane " + std::to_string(source) + ", which is not in the mask of its "
            + text(meeting));
    wait(meeting, Result::LaneValue, value, source);
    return m_running->received;
}

std::uint32_t BlockRunner::vote(const Meeting& meeting, bool vote)
{
    if ((meeting.lanes >> lane() & 1U) == 0)
        fail("thread " + text(threadIdx) + " is not in the mask of its " + text(meeting));
    wait(meeting, Result::Votes, vote ? 1 : 0, 0);
    return static_cast<std::uint32_t>(m_running->received);
}

int BlockRunner::lane() const
{
    return static_cast<int>((m_running - m_threads.data()) % kWarp);
}

/// Whether every lane of a waiting thread's meeting has arrived; a lane that never can is an error.
bool BlockRunner::isComplete(const Thread& thread, std::size_t firstOfWarp) const
{
    bool complete = true;
    for (std::size_t lane = 0; lane < kWarp; ++lane) {
        if ((thread.meeting.lanes >> lane & 1U) == 0)
            continue;
        const auto refuse = [&](const char* reason) {
            fail("thread " + text(thread.index) + " waits at " + text(thread.meeting) + " for lane "
                + std::to_string(lane) + ", which " + reason);
        };
        if (firstOfWarp + lane >= m_threads.size())
            refuse("the block does not have");
        const Thread& partner = m_threads[firstOfWarp + lane];
        if (partner.state == State::Ended)
            refuse("has ended");
        complete = complete && partner.state == State::Waiting && isSame(partner.meeting, thread.meeting);
    }
    return complete;
}

bool BlockRunner::openWarpMeetings(std::size_t warp)
{
    const std::size_t first = warp * kWarp;
    const std::size_t lanes = std::min<std::size_t>(kWarp, m_threads.size() - first);
    bool opened = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Thread& thread = m_threads[first + lane];
        if (thread.state != State::Waiting || thread.meeting.lanes == 0 || !isComplete(thread, first))
            continue;
        const std::uint32_t mask = thread.meeting.lanes;
        std::uint64_t votes = 0;
        for (std::size_t i = 0; i < lanes; ++i)
            votes |= (m_threads[first + i].value & mask >> i & 1U) << i;
        for (std::size_t i = 0; i < lanes; ++i) {
            if ((mask >> i & 1U) == 0)
                continue;
            Thread& partner = m_threads[first + i];
            partner.received = partner.result == Result::Votes
                ? votes
                : m_threads[first + static_cast<std::size_t>(partner.source)].value;
            partner.state = State::Ready;
        }
        opened = true;
    }
    return opened;
}

/// Opens the block's barrier; false when every thread has ended.
bool BlockRunner::openBlockMeeting()
{
    const Thread* first = nullptr;
    for (const Thread& thread : m_threads) {
        if (thread.state == State::Ended)
            continue;
        if (first == nullptr)
            first = &thread;
        if (thread.meeting.lanes != 0 || !isSame(thread.meeting, first->meeting))
            fail("threads wait for each other at different places: " + whoWaitsWhere());
    }
    for (Thread& thread : m_threads)
        if (thread.state == State::Waiting)
            thread.state = State::Ready;
    return first != nullptr;
}

std::vector<std::size_t> BlockRunner::ordered(std::size_t count)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (m_order == ThreadOrder::Reverse)
        std::reverse(order.begin(), order.end());
    if (m_order == ThreadOrder::Shuffled)
        std::shuffle(order.begin(), order.end(), m_random);
    return order;
}

/// Unwinds the threads that still wait, so that their stacks can be used again.
void BlockRunner::abandonThreads()
{
    m_isAbandoning = true;
    for (Thread& thread : m_threads)
        if (thread.fiber)
            resume(thread);
    m_isAbandoning = false;
    m_error = nullptr;
}

void* BlockRunner::dynamicShared()
{
    if (m_dynamicSharedBytes == 0)
        fail("it uses dynamic shared memory, but was launched with none");
    return m_shared.dynamic();
}

void* BlockRunner::sharedArray(const void* key, std::size_t bytes, std::size_t alignment)
{
    void* const memory = m_shared.array(key, bytes, alignment);
    if (memory == nullptr)
        fail("it uses more than " + std::to_string(kMaxSharedBytes) + " bytes of shared memory");
    return memory;
}

void BlockRunner::checkAligned(const void* p, std::size_t alignment) const
{
    if (reinterpret_cast<std::uintptr_t>(p) % alignment != 0)
        fail("thread " + text(threadIdx) + " reads or writes " + std::to_string(alignment)
            + " bytes at once at an address that is no multiple of that");
}

std::string BlockRunner::whoWaitsWhere() const
{
    std::map<std::string, std::pair<int, std::string>> waiting; // place -> how many threads, the first of them
    for (const Thread& thread : m_threads) {
        auto& [count, first] = waiting[thread.state == State::Ended ? "have ended" : "wait at " + text(thread.meeting)];
        if (count++ == 0)
            first = text(thread.index);
    }
    std::string all;
    for (const auto& [place, who] : waiting)
        all += (all.empty() ? "" : "; ") + std::to_string(who.first) + " from " + who.second + " on " + place;
    return all;
}

void BlockRunner::fail(const std::string& what) const
{
    throw LaunchError(std::string("kernel ") + m_kernel + ", block " + text(m_block) + ": " + what);
}

} // namespace remat::cuda
