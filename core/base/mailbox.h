// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>
#include <optional>
#include <utility>

namespace remat {

/// Hands the newest value from one thread to another: posting replaces what was not yet taken.
///
/// The only thing that crosses between a worker thread and the window.  Whoever posts rings the receiver by other means
/// (a queued call without payload), so a thread sanitizer sees every shared byte behind this one mutex.
template <class T> class Mailbox {
public:
    /// Puts a value; returns true when an older one that nobody had taken was replaced.
    bool post(T value)
    {
        const std::lock_guard lock(m_mutex);
        const bool replaced = m_value.has_value();
        m_value.emplace(std::move(value));
        return replaced;
    }

    /// Takes the newest value, if there is one.
    std::optional<T> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_value, std::nullopt);
    }

private:
    std::mutex m_mutex;
    std::optional<T> m_value;
};

} // namespace remat
