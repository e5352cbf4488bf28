// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/process_memory.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace remat {
namespace {

/// The text of a file that the kernel makes on reading: it has no size beforehand.
std::optional<std::string> readKernelFile(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    std::string text;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::read(file, buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(count));
    ::close(file);
    if (count < 0)
        return std::nullopt;
    return text;
}

/// The whole number at the start of the text, after blanks; "max", the word for no limit, is none.
std::optional<std::int64_t> leadingNumber(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
        return std::nullopt;
    return value;
}

/// Calls visit(line) for every line of the text.
template <class Visit> void forLines(std::string_view text, const Visit& visit)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::optional<std::int64_t> numberOfFile(const std::string& path)
{
    const auto text = readKernelFile(path);
    return text ? leadingNumber(*text) : std::nullopt;
}

/// The value of a line "key 123" of memory.stat; 0 if absent.
std::int64_t statistic(const std::string& path, std::string_view key)
{
    std::int64_t value = 0;
    forLines(readKernelFile(path).value_or(""), [&](std::string_view line) {
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ')
            value = leadingNumber(line.substr(key.size())).value_or(0);
    });
    return value;
}

/// The files of one version of control groups.
struct GroupFiles {
    const char *limit, *usage, *inactiveCache, *activeCache, *kills;
};

constexpr GroupFiles kVersion1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file",
    "total_active_file", "/memory.oom_control"};
constexpr GroupFiles kVersion2{"/memory.max", "/memory.current", "inactive_file", "active_file", "/memory.events"};

// Version 1 writes "no limit" as the largest multiple of a page.
constexpr std::int64_t kNoLimit = std::int64_t{1} << 61;

std::optional<Bytes> smaller(std::optional<Bytes> a, std::optional<Bytes> b)
{
    if (!a || !b)
        return a ? a : b;
    return std::min(*a, *b);
}

/// The least room of a group and its ancestors up to the mount.  A group that the mount does not show (a container sees
/// its own group as the mount's root) is passed over.
std::optional<Bytes> roomOnPath(const std::string& mount, std::string group, const GroupFiles& files, FileCache counted)
{
    std::optional<Bytes> least;
    for (;;) {
        const std::string folder = mount + (group == "/" ? "" : group);
        const auto limit = numberOfFile(folder + files.limit);
        const auto usage = numberOfFile(folder + files.usage);
        if (limit && usage && *limit < kNoLimit) {
            std::int64_t cache = statistic(folder + "/memory.stat", files.inactiveCache);
            if (counted == FileCache::All)
                cache += statistic(folder + "/memory.stat", files.activeCache);
            least
                = smaller(least, Bytes{std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache))});
        }
        const std::size_t slash = group.rfind('/');
        if (slash == std::string::npos || group.size() <= 1)
            return least;
        group.resize(std::max<std::size_t>(slash, 1));
    }
}

/// Whether "memory" is one of the names between commas.
bool namesMemory(std::string_view controllers)
{
    while (!controllers.empty()) {
        const std::size_t end = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, end) == "memory")
            return true;
        controllers.remove_prefix(std::min(end + 1, controllers.size()));
    }
    return false;
}

constexpr const char* kGroupRoot = "/sys/fs/cgroup";

/// visit(mount, group, files) for every memory controller that `membership` names.
template <class Visit> void forMemoryGroups(const std::string& root, std::string_view membership, const Visit& visit)
{
    // Lines are "number:controllers:path"; version 2 has the number 0 and names no controllers.
    forLines(membership, [&](std::string_view line) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos)
            return;
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::string group(line.substr(second + 1));
        if (controllers.empty())
            visit(root, group, kVersion2);
        else if (namesMemory(controllers))
            visit(root + "/memory", group, kVersion1);
    });
}

} // namespace

std::optional<Bytes> kilobyteField(std::string_view text, std::string_view key)
{
    std::optional<Bytes> value;
    forLines(text, [&](std::string_view line) {
        if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':')
            return;
        if (const auto number = leadingNumber(line.substr(key.size() + 1)))
            value = Bytes{*number * 1024};
    });
    return value;
}

std::optional<ProcessMemory> readProcessMemory()
{
    const std::string text = readKernelFile("/proc/self/status").value_or("");
    const auto resident = kilobyteField(text, "VmRSS");
    const auto peak = kilobyteField(text, "VmHWM");
    if (!resident || !peak)
        return std::nullopt;
    return ProcessMemory{*resident, *peak};
}

bool resetPeakResident()
{
    const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool written = ::write(file, "5", 1) == 1;
    ::close(file);
    return written;
}

std::optional<Bytes> installedMemory()
{
    return kilobyteField(readKernelFile("/proc/meminfo").value_or(""), "MemTotal");
}

std::optional<Bytes> availableMemory()
{
    return kilobyteField(readKernelFile("/proc/meminfo").value_or(""), "MemAvailable");
}

std::optional<Bytes> controlGroupRoom(const std::string& root, std::string_view membership, FileCache cache)
{
    std::optional<Bytes> least;
    forMemoryGroups(root, membership, [&](const std::string& mount, const std::string& group, const GroupFiles& files) {
        least = smaller(least, roomOnPath(mount, group, files, cache));
    });
    return least;
}

std::optional<Bytes> controlGroupRoom(FileCache cache)
{
    return controlGroupRoom(kGroupRoot, readKernelFile("/proc/self/cgroup").value_or(""), cache);
}

std::int64_t controlGroupKills(const std::string& root, std::string_view membership)
{
    std::int64_t kills = 0;
    forMemoryGroups(root, membership, [&](const std::string& mount, const std::string& group, const GroupFiles& files) {
        // A container that sees its own group as the mount's root has no folder of the group's name.
        const std::string own = mount + (group == "/" ? "" : group) + files.kills;
        kills += statistic(readKernelFile(own) ? own : mount + files.kills, "oom_kill");
    });
    return kills;
}

std::int64_t memoryKills()
{
    return statistic("/proc/vmstat", "oom_kill")
        + controlGroupKills(kGroupRoot, readKernelFile("/proc/self/cgroup").value_or(""));
}

std::optional<Bytes> usableMemory()
{
    return smaller(availableMemory(), controlGroupRoom());
}

bool configureAllocator([[maybe_unused]] int arenas)
{
#if defined(__GLIBC__)
    constexpr int kThreshold = 128 * 1024; // setting it also stops glibc from raising it after a large free
    return ::mallopt(M_MMAP_THRESHOLD, kThreshold) == 1 && ::mallopt(M_TRIM_THRESHOLD, kThreshold) == 1
        && ::mallopt(M_ARENA_MAX, arenas) == 1;
#else
    return false;
#endif
}

} // namespace remat
