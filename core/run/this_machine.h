// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace remat {

/// The processor's name from /proc/cpuinfo ("AMD EPYC 7B13"); "unknown processor" where there is none.
std::string processorName();

/// The threads that a run uses unless told otherwise: cores that this process may run on (its affinity), siblings of
/// one core counted once, not more than the control group's share of processor time, at most kMostThreads.
int usableThreads();

/// The cluster's job that this process belongs to (SLURM_JOB_ID), empty outside of one.
std::string clusterJob();

/// The whole cores in the text of cgroup v2's cpu.max ("150000 100000" -> 2); 0 where it sets no limit.
int coresOfQuota(std::string_view cpuMax);

} // namespace remat
