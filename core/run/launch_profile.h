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

/// The names that findLaunchProfile() takes, in order; files that are broken keep theirs, so that choosing one says
/// what is wrong with it.
std::vector<std::string> launchProfileNames(const std::string& configurationFolder);

/// What parseLaunchProfile() reads back; the name is the file's.
std::string launchFileText(const LaunchProfile& profile);

/// The job of which Slurm says that it waits ("srun: job 4711 queued and waiting for resources"); empty: other words.
std::string queuedJobIn(std::string_view words);

/// The worker there, holding a lease, since the end of what starts it here may not reach it.
WorkerLaunch launchOf(const LaunchProfile& profile);

} // namespace remat
