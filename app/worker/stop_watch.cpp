// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/stop_watch.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/base/message.h"

namespace remat::worker {

namespace {

/// For a run whose lease is over to end well.
constexpr int kGraceMilliseconds = 5000;

sigset_t stopSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

/// Whether standard input has ended; what still comes is thrown away.
bool inputHasEnded()
{
    std::array<char, 4096> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

} // namespace

void StopWatch::blockSignals()
{
    const sigset_t set = stopSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    // Whoever listened to us may be gone before we are.
    std::signal(SIGPIPE, SIG_IGN);
}

StopWatch::StopWatch(bool watchesInput, std::optional<std::chrono::seconds> lease)
    : m_end(::eventfd(0, EFD_CLOEXEC)),
      m_thread([this, watchesInput, lease] { watch(watchesInput, lease); })
{ }

StopWatch::~StopWatch()
{
    const std::uint64_t one = 1;
    // An eventfd takes eight bytes or fails for good; the thread then ends with the process.
    if (::write(m_end, &one, sizeof one) == static_cast<ssize_t>(sizeof one))
        m_thread.join();
    else
        m_thread.detach();
    ::close(m_end);
}

void StopWatch::watch(bool watchesInput, std::optional<std::chrono::seconds> lease)
{
    const sigset_t set = stopSignals();
    const int signals = ::signalfd(-1, &set, SFD_CLOEXEC);
    std::array<pollfd, 3> waits{
        {{m_end, POLLIN, 0}, {signals, POLLIN, 0}, {watchesInput ? STDIN_FILENO : -1, POLLIN, 0}}};
    const int patience = lease && watchesInput ? static_cast<int>(std::chrono::milliseconds{*lease}.count()) : -1;
    for (;;) {
        // Whatever comes, comes from who waits for the run: each wait is a new lease.
        const int ready = ::poll(waits.data(), waits.size(), patience);
        if (ready < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (waits[0].revents != 0)
            break;
        if (ready == 0)
            std::fprintf(stderr, "remat-worker: nobody has asked after this run for %d s; it ends\n", patience / 1000);
        if (ready == 0 || waits[1].revents != 0 || (waits[2].revents != 0 && inputHasEnded())) {
            m_source.request_stop();
            // With nobody there the output may be full, and whoever writes to it waits for ever.
            if (ready == 0 && ::poll(waits.data(), 1, kGraceMilliseconds) == 0)
                ::_exit(static_cast<int>(ExitCode::DeviceError));
            break;
        }
    }
    ::close(signals);
}

} // namespace remat::worker
