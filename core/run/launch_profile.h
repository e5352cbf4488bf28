// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/worker_client.h"

namespace remat {

inline constexpr std::string_view kLaunchFormat = "remat-launch";
inline constexpr std::int64_t kLaunchVersion = 1;

/// How a worker is started somewhere else: launch/NAME.json in the person's configuration folder, and nowhere else; no
/// plan, document or lesson can name a program.
///
///   {"format": "remat-launch", "version": 1, "prefix": ["srun", "--gres=gpu:1", "--time=10"],
///    "worker": "/shared/bin/remat-worker", "stop": ["scancel", "{job}"]}
///
/// `prefix` and `stop` are argument lists: no shell of this machine reads them.
struct LaunchProfile {
    std::string name;
    std::vector<std::string> prefix;
    std::string worker = "remat-worker"; ///< the program there
    std::vector<std::string> stop;       ///< ends a run well; "{job}" stands for the cluster's job
};

Result<LaunchProfile> parseLaunchProfile(std::string_view text, const std::string& where);

/// The profile of that name.  Errors: no such file, or a name that is none (exit code 2); a mistake in it (3).
Result<LaunchProfile> findLaunchProfile(const std::string& name, const std::string& configurationFolder);

/// The worker there, holding a lease, since the end of what starts it here may not reach it.
WorkerLaunch launchOf(const LaunchProfile& profile);

} // namespace remat
