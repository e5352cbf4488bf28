// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stop_signals.h"

namespace remat::cli {

namespace {

constexpr timespec kPause{0, 100'000'000};

} // namespace

StopSignals::StopSignals()
{
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&m_signals, signal);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_thread = std::jthread([this](const std::stop_token& end) {
        while (!end.stop_requested())
            if (::sigtimedwait(&m_signals, nullptr, &kPause) > 0)
                m_source.request_stop();
    });
}

StopSignals::~StopSignals()
{
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace remat::cli
