// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

namespace remat {

/// The kernel's own count of a process's resident memory (proc(5), /proc/self/status), the measure of law 8.
struct ProcessMemory {
    Bytes resident;     // VmRSS
    Bytes peakResident; // VmHWM: the greatest VmRSS since the start or the last resetPeakResident()
};

/// Empty where the system has no /proc.  The kernel may count up to 64 pages per thread late.
std::optional<ProcessMemory> readProcessMemory();

/// Sets VmHWM back to VmRSS by writing 5 to /proc/self/clear_refs; false if the system refuses.
bool resetPeakResident();

/// What is built into the machine (MemTotal of /proc/meminfo): unlike the next ones it stays the same.
std::optional<Bytes> installedMemory();

/// What the system can still give out without swapping (MemAvailable of /proc/meminfo).
std::optional<Bytes> availableMemory();

/// Which file cache counts as room, because the kernel drops it under pressure: what nobody used lately, as a careful
/// estimate, or all of it, beyond which an allocation is sure to be too much.
enum class FileCache { Inactive, All };

/// Room left under the tightest memory limit of this process's control group and its ancestors (cgroup v2: memory.max
/// and memory.current; v1: memory.limit_in_bytes and memory.usage_in_bytes).  Empty where there is no limit.
std::optional<Bytes> controlGroupRoom(FileCache cache = FileCache::Inactive);

/// How many processes the kernel has killed for want of memory: of this process's control group (v2: memory.events;
/// v1: memory.oom_control), plus of the machine (/proc/vmstat).  A count that rose while a process was killed says why.
std::int64_t memoryKills();

/// What a run may use: the smaller of available memory and the control group's room.
std::optional<Bytes> usableMemory();

/// Makes resident memory follow the blocks that a process holds: blocks from 128 KiB up are mappings of their own and
/// return to the system when freed, and all threads share that many arenas (each keeps what fragments it).  Call before
/// the first thread starts; it cannot be undone.  True where the C library can do so.
bool configureAllocator(int arenas);

/// Arenas of a program with a window: one of the thread that draws and one of the thread that plans.
inline constexpr int kWindowArenas = 2;

/// The value in bytes of a line "key:   123 kB" of a /proc file's text.
std::optional<Bytes> kilobyteField(std::string_view text, std::string_view key);

/// Room left under the limits of the groups that `membership` (the text of /proc/self/cgroup) names, below the file
/// system mounted at `root`: controlGroupRoom with its inputs given.
std::optional<Bytes> controlGroupRoom(
    const std::string& root, std::string_view membership, FileCache cache = FileCache::Inactive);

/// The control group's part of memoryKills(), likewise.
std::int64_t controlGroupKills(const std::string& root, std::string_view membership);

} // namespace remat
