// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "core/base/units.h"

namespace remat {

/// Notes moments in a machine's own time: a CPU's clock is read when it is asked, a GPU notes the moment when the work
/// asked for so far is done.
class Stopwatch {
public:
    virtual ~Stopwatch() = default;
    virtual void stamp() = 0;
    /// The moments noted since the last call, in order, on any one clock; waits for the work before them.
    virtual std::vector<Nanoseconds> take() = 0;
};

/// Of a machine whose work is done when a call returns.
class HostStopwatch : public Stopwatch {
public:
    explicit HostStopwatch(std::function<Nanoseconds()> clock) : m_clock(std::move(clock)) { }
    void stamp() override { m_moments.push_back(m_clock()); }
    std::vector<Nanoseconds> take() override { return std::exchange(m_moments, {}); }

private:
    std::function<Nanoseconds()> m_clock;
    std::vector<Nanoseconds> m_moments;
};

} // namespace remat
