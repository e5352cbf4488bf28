// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace remat::testing {

/// What a program and all that it started asked the kernel for, of what a confined program should not.
struct WatchedCalls {
    bool couldWatch = false;          ///< false: this kernel has no seccomp notifications
    int status = -1;                  ///< of waitpid()
    std::vector<std::string> written; ///< paths opened for writing, made, renamed, removed or changed
    int sockets = 0;                  ///< socket(), connect(), bind(), listen(), accept()
};

namespace watched {

/// Calls whose path argument (by its index) names something that changes.
struct PathCall {
    long number;
    int path;
};
inline constexpr std::array kChangingCalls{
#ifdef SYS_creat
    PathCall{SYS_creat, 0},
    PathCall{SYS_mkdir, 0},
    PathCall{SYS_rmdir, 0},
    PathCall{SYS_rename, 1},
    PathCall{SYS_unlink, 0},
    PathCall{SYS_link, 1},
    PathCall{SYS_symlink, 1},
    PathCall{SYS_chmod, 0},
    PathCall{SYS_chown, 0},
    PathCall{SYS_mknod, 0},
#endif
    PathCall{SYS_mkdirat, 1},
    PathCall{SYS_renameat2, 3},
    PathCall{SYS_renameat, 3},
    PathCall{SYS_unlinkat, 1},
    PathCall{SYS_linkat, 3},
    PathCall{SYS_symlinkat, 2},
    PathCall{SYS_fchmodat, 1},
    PathCall{SYS_fchownat, 1},
    PathCall{SYS_mknodat, 1},
    PathCall{SYS_truncate, 0},
};
inline constexpr std::array kSocketCalls{
    long{SYS_socket}, long{SYS_connect}, long{SYS_bind}, long{SYS_listen}, long{SYS_accept}, long{SYS_accept4}};

/// From here on the calls above and every open() are told to the listener; -1 where the kernel cannot.
inline int listen()
{
    std::vector<long> numbers(kSocketCalls.begin(), kSocketCalls.end());
    for (const PathCall& call : kChangingCalls)
        numbers.push_back(call.number);
    numbers.push_back(SYS_openat);
#ifdef SYS_open
    numbers.push_back(SYS_open);
#endif
#ifdef SYS_openat2
    numbers.push_back(SYS_openat2);
#endif
    std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const long number : numbers) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return static_cast<int>(
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

inline bool sendDescriptor(int socket, int descriptor)
{
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return ::sendmsg(socket, &message, 0) == 1;
}

inline int receiveDescriptor(int socket)
{
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    int descriptor = -1;
    if (::recvmsg(socket, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
        std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

inline std::string textAt(std::uint32_t pid, std::uint64_t address)
{
    std::string text;
    const int memory = ::open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    char c = 0;
    while (memory >= 0 && text.size() < 4096 && ::pread(memory, &c, 1, static_cast<off_t>(address + text.size())) == 1
        && c != 0)
        text += c;
    if (memory >= 0)
        ::close(memory);
    return text;
}

inline void judge(const seccomp_notif& call, WatchedCalls& found)
{
    const auto number = static_cast<long>(call.data.nr);
    const auto path = [&](int index) { found.written.push_back(textAt(call.pid, call.data.args[index])); };
    for (const long socketCall : kSocketCalls)
        found.sockets += number == socketCall ? 1 : 0;
    for (const PathCall& changing : kChangingCalls)
        if (number == changing.number)
            path(changing.path);
    constexpr std::uint64_t kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    if (number == SYS_openat && (call.data.args[2] & kWrites) != 0)
        path(1);
#ifdef SYS_open
    if (number == SYS_open && (call.data.args[1] & kWrites) != 0)
        path(0);
#endif
#ifdef SYS_openat2
    if (number == SYS_openat2) // its flags lie in memory; glibc never uses it
        path(1);
#endif
}

} // namespace watched

/// Runs a program in `folder` with the environment's HOME and XDG folders there too, `input` as its standard input,
/// and notes every call that opens a socket or changes a file, of it and of all that it starts.  Its output is lost.
inline WatchedCalls watchCalls(
    const std::vector<std::string>& command, const std::string& folder, const std::string& inputFile)
{
    WatchedCalls found;
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return found;
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        const int input = inputFile.empty() ? nothing : ::open(inputFile.c_str(), O_RDONLY | O_CLOEXEC);
        ::dup2(input, STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
        ::dup2(nothing, STDERR_FILENO);
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            ::setenv(name, folder.c_str(), 1);
        const int listener = ::chdir(folder.c_str()) == 0 ? watched::listen() : -1;
        if (listener < 0 || !watched::sendDescriptor(ends[1], listener))
            ::_exit(127);
        ::close(listener);
        ::execv(arguments[0], arguments.data());
        ::_exit(126);
    }
    ::close(ends[1]);
    const int listener = watched::receiveDescriptor(ends[0]);
    found.couldWatch = listener >= 0;
    while (listener >= 0) {
        pollfd wait{listener, POLLIN, 0};
        // The listener hangs up when the last process under the filter is gone.
        if (::poll(&wait, 1, 60'000) <= 0 || (wait.revents & POLLIN) == 0)
            break;
        seccomp_notif call{};
        if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
            continue;
        watched::judge(call, found);
        seccomp_notif_resp answer{};
        answer.id = call.id;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    ::close(listener);
    ::close(ends[0]);
    ::waitpid(child, &found.status, 0);
    return found;
}

} // namespace remat::testing
