// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_run.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/clock.h"

namespace remat {

namespace {

constexpr MessageCode kNoMemory{"sweep-out-of-memory", REMAT_TR("The system gave no memory for study {0}."),
    REMAT_TR("Run the same command again with fewer threads: it goes on where it was."), ExitCode::OutOfMemory};
constexpr MessageCode kNoThread{"sweep-no-thread", REMAT_TR("The system gave no thread: {0}."),
    REMAT_TR("Use fewer threads."), ExitCode::OutOfMemory};

constexpr Nanoseconds kSyncEvery{1'000'000'000};

Nanoseconds processTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return {static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec};
}

/// What the threads of a sweep share.
class Sweep {
public:
    using Answer = std::function<std::string(std::int64_t)>;
    using Progress = std::function<void(const SweepProgress&)>;

    Sweep(std::vector<std::int64_t> studies, SweepProgress begin, std::int64_t pointsOfStudy, const Answer& answer,
        SweepJournal& journal, const Progress& progress)
        : m_studies(std::move(studies)),
          m_pointsOfStudy(pointsOfStudy),
          m_answer(answer),
          m_onProgress(progress),
          m_start(steadyClock()),
          m_lastSync(m_start),
          m_journal(journal),
          m_progress(begin)
    { }

    void work()
    {
        while (!m_isOver) {
            const std::size_t next = m_next++;
            if (next >= m_studies.size())
                return;
            const std::int64_t study = m_studies[next];
            try {
                keep(study, m_answer(study));
            } catch (const std::bad_alloc&) {
                end(Error{&kNoMemory, "", {study}});
            }
        }
    }

    void end(Error error)
    {
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
        if (!m_problem)
            m_problem = std::move(error);
    }

    const std::optional<Error>& problem() const { return m_problem; }
    std::int64_t found() const { return m_progress.found; }

private:
    void keep(std::int64_t study, std::string rows)
    {
        const std::lock_guard lock(m_mutex);
        Result<void> kept = m_journal.append(study, std::move(rows));
        const Nanoseconds now = steadyClock();
        if (kept && now - m_lastSync >= kSyncEvery) {
            kept = m_journal.sync();
            m_lastSync = now;
        }
        if (!kept) {
            m_isOver = true;
            m_problem = m_problem ? m_problem : kept.error();
            return;
        }
        m_progress.done += m_pointsOfStudy;
        m_progress.found += m_pointsOfStudy;
        m_progress.elapsed = now - m_start;
        m_onProgress(m_progress);
    }

    const std::vector<std::int64_t> m_studies;
    const std::int64_t m_pointsOfStudy;
    const Answer& m_answer;
    const Progress& m_onProgress;
    const Nanoseconds m_start;
    std::atomic<std::size_t> m_next{0};
    std::atomic<bool> m_isOver{false};

    std::mutex m_mutex; ///< guards what follows
    Nanoseconds m_lastSync;
    SweepJournal& m_journal;
    SweepProgress m_progress;
    std::optional<Error> m_problem;
};

} // namespace

Result<SweepTally> runSweep(const std::vector<std::int64_t>& studies, std::int64_t pointsOfStudy, int threads,
    const std::function<std::string(std::int64_t)>& answer, SweepJournal& journal,
    const std::function<void(const SweepProgress&)>& progress)
{
    std::vector<std::int64_t> missing;
    std::copy_if(studies.begin(), studies.end(), std::back_inserter(missing),
        [&](std::int64_t study) { return !journal.rows()[static_cast<std::size_t>(study)]; });
    SweepProgress begin;
    begin.total = static_cast<std::int64_t>(studies.size()) * pointsOfStudy;
    begin.done = begin.total - static_cast<std::int64_t>(missing.size()) * pointsOfStudy;
    threads = static_cast<int>(std::clamp<std::size_t>(missing.size(), 1, static_cast<std::size_t>(threads)));

    const Nanoseconds wallBefore = steadyClock(), workBefore = processTime();
    Sweep sweep(std::move(missing), begin, pointsOfStudy, answer, journal, progress);
    {
        std::vector<std::jthread> team;
        try {
            for (int i = 1; i < threads; ++i)
                team.emplace_back([&sweep] { sweep.work(); });
            sweep.work();
        } catch (const std::system_error& problem) {
            sweep.end(Error{&kNoThread, "", {std::string(problem.what())}});
        }
    }
    if (sweep.problem())
        return *sweep.problem();
    if (auto synced = journal.sync(); !synced)
        return synced.error();
    SweepTally tally{sweep.found(), steadyClock() - wallBefore, 0.0};
    if (tally.wall > Nanoseconds{})
        tally.busy = ratio(processTime() - workBefore, threads * tally.wall);
    return tally;
}

std::vector<std::int64_t> studiesOfPart(std::int64_t studies, std::int64_t part, std::int64_t parts)
{
    std::vector<std::int64_t> list;
    for (std::int64_t study = part; study < studies; study += parts)
        list.push_back(study);
    return list;
}

} // namespace remat
