// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

namespace remat::worker {

/// Turns SIGTERM, SIGINT, SIGHUP and, where asked for, the end of standard input into a stop request; with a lease also
/// a standard input that says nothing for so long.
///
/// Signals are blocked and read by a thread of its own, so that no code runs inside a handler.
class StopWatch {
public:
    /// Blocks the signals; call it before the first thread starts.
    static void blockSignals();

    explicit StopWatch(bool watchesInput, std::optional<std::chrono::seconds> lease = {});
    ~StopWatch();
    StopWatch(const StopWatch&) = delete;
    StopWatch& operator=(const StopWatch&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    void watch(bool watchesInput, std::optional<std::chrono::seconds> lease);

    std::stop_source m_source;
    int m_end = -1; ///< an event that ends the thread
    std::thread m_thread;
};

} // namespace remat::worker
