// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/this_machine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <set>
#include <thread>

#include "core/base/files.h"
#include "core/base/plain_text.h"
#include "core/base/text.h"
#include "core/run/run_request.h"

namespace remat {

namespace {

/// Cores among the processors that this process may run on; hardware threads of one core count once.
int affineCores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return static_cast<int>(std::thread::hardware_concurrency());
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &set))
            continue;
        const std::string number = std::to_string(cpu);
        const std::string siblings
            = firstLineOf("/sys/devices/system/cpu/cpu" + number + "/topology/thread_siblings_list");
        cores.insert(siblings.empty() ? number : siblings);
    }
    return static_cast<int>(cores.size());
}

} // namespace

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return plainText(validUtf8(std::string_view(line).substr(colon + 2), 200));
    }
    return "unknown processor";
}

int coresOfQuota(std::string_view cpuMax)
{
    std::int64_t quota = 0, period = 0;
    const char* end = cpuMax.data() + cpuMax.size();
    const auto first = std::from_chars(cpuMax.data(), end, quota);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ')
        return 0;
    const auto second = std::from_chars(first.ptr + 1, end, period);
    if (second.ec != std::errc() || quota <= 0 || period <= 0)
        return 0;
    return static_cast<int>(std::min<std::int64_t>(kMostThreads, (quota + period - 1) / period));
}

int usableThreads()
{
    int cores = std::max(1, affineCores());
    if (const int quota = coresOfQuota(firstLineOf("/sys/fs/cgroup/cpu.max")); quota > 0)
        cores = std::min(cores, quota);
    return std::min(cores, static_cast<int>(kMostThreads));
}

std::string clusterJob()
{
    const char* job = std::getenv("SLURM_JOB_ID");
    return job ? validUtf8(job, 64) : "";
}

} // namespace remat
