// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <stop_token>
#include <thread>

namespace remat::cli {

/// While it lives, Ctrl+C, SIGTERM and SIGHUP become a stop request instead of the end of the program, so that a job on
/// a cluster can be ended before it.  Make it before other threads start.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    sigset_t m_signals{}, m_before{};
    std::stop_source m_source;
    std::jthread m_thread;
};

} // namespace remat::cli
