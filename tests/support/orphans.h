// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>

namespace remat::testing {

/// Processes whose parent dies become ours from now on, so that noneIsLeft() sees them.
inline bool adoptOrphans()
{
    return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/// Collects every process below this one as it ends; false if one still runs after `patience`.
inline bool noneIsLeft(std::chrono::seconds patience = std::chrono::seconds{20})
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < deadline) {
        const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
        if (ended < 0)
            return true; // there are none
        if (ended == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    return false;
}

} // namespace remat::testing
