// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/files.h"

namespace remat {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr MessageCode kCannotStart{"process-cannot-start", REMAT_TR("The program \"{0}\" cannot be started: {1}."),
    REMAT_TR("Check that it is installed and may be executed."), ExitCode::DeviceError};

constexpr milliseconds kGrace{2000};
constexpr milliseconds kPoll{20};

Error cannotStart(const std::string& program, int problem)
{
    return Error{&kCannotStart, "", {program, std::string(std::strerror(problem))}};
}

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, bool readsErrors)
{
    // Standard input is a socket, so that writing to a process that is gone is an error and not a SIGPIPE.
    std::array<int, 2> input{-1, -1}, output{-1, -1}, errors{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0
        || ::pipe2(output.data(), O_CLOEXEC) != 0 || (readsErrors && ::pipe2(errors.data(), O_CLOEXEC) != 0)) {
        const int problem = errno;
        for (const int descriptor : {input[0], input[1], output[0], output[1]})
            if (descriptor >= 0)
                ::close(descriptor);
        return cannotStart(command.front(), problem);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    if (readsErrors)
        posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    // The child starts with no signal blocked, whatever our threads block.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ChildProcess child;
    const int problem = ::posix_spawnp(&child.m_pid, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(input[1]);
    ::close(output[1]);
    child.m_input = input[0];
    child.m_output = {output[0], {}, false};
    if (readsErrors) {
        ::close(errors[1]);
        child.m_errors = {errors[0], {}, false};
    }
    if (problem != 0) {
        child.m_pid = -1;
        return cannotStart(command.front(), problem);
    }
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_input(std::exchange(other.m_input, -1)),
      m_outgoing(std::move(other.m_outgoing)),
      m_output(std::exchange(other.m_output, {})),
      m_errors(std::exchange(other.m_errors, {})),
      m_killAt(other.m_killAt),
      m_exit(other.m_exit)
{ }

ChildProcess::~ChildProcess()
{
    if (m_pid > 0 && !m_exit) {
        ::kill(m_pid, SIGKILL);
        finish();
    }
    closePipes();
}

void ChildProcess::closePipes()
{
    for (int* descriptor : {&m_input, &m_output.descriptor, &m_errors.descriptor}) {
        if (*descriptor >= 0)
            ::close(*descriptor);
        *descriptor = -1;
    }
}

void ChildProcess::sendQueued()
{
    const ssize_t sent = ::send(m_input, m_outgoing.data(), m_outgoing.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        m_outgoing.erase(0, static_cast<std::size_t>(sent));
    else if (sent < 0 && errno != EAGAIN && errno != EINTR)
        m_outgoing.clear(); // It reads no more; what it says or how it ends tells why.
}

void ChildProcess::Stream::receive()
{
    std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count > 0)
        incoming.append(buffer.data(), static_cast<std::size_t>(count));
    isAtEnd = (count <= 0 && !(count < 0 && errno == EINTR))
        || incoming.size() > static_cast<std::size_t>(kMaxFileBytes.value);
}

std::optional<std::string> ChildProcess::Stream::takeLine()
{
    const std::size_t end = incoming.find('\n');
    if (end == std::string::npos) {
        // A last line without its end is the most that a killed process said.
        if (isAtEnd && !incoming.empty())
            return std::exchange(incoming, {});
        return std::nullopt;
    }
    std::string line = incoming.substr(0, end);
    incoming.erase(0, end + 1);
    return line;
}

void ChildProcess::killIfOverdue()
{
    if (m_killAt && steady_clock::now() >= *m_killAt)
        ::kill(m_pid, SIGKILL);
}

ChildProcess::Read ChildProcess::readLine(milliseconds wait)
{
    const auto deadline = steady_clock::now() + wait;
    for (;;) {
        for (Stream* stream : {&m_output, &m_errors})
            if (auto line = stream->takeLine())
                return {std::move(line), false, stream == &m_errors};
        if (m_output.isAtEnd && m_errors.isAtEnd)
            return {std::nullopt, true};
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
        if (left < milliseconds{0})
            return {};
        killIfOverdue();
        // A grandchild may hold the pipes open after the process is gone.
        const bool ended = hasEnded();
        std::array<pollfd, 3> waits{{{m_output.isAtEnd ? -1 : m_output.descriptor, POLLIN, 0},
            {m_errors.isAtEnd ? -1 : m_errors.descriptor, POLLIN, 0}, {m_outgoing.empty() ? -1 : m_input, POLLOUT, 0}}};
        const int ready = ::poll(
            waits.data(), waits.size(), ended ? 0 : static_cast<int>(std::min(left, milliseconds{100}).count()));
        if (ready > 0 && waits[2].revents != 0)
            sendQueued();
        bool isQuiet = true;
        for (const auto& [stream, at] : {std::pair(&m_output, &waits[0]), std::pair(&m_errors, &waits[1])})
            if (ready > 0 && at->revents != 0) {
                stream->receive();
                isQuiet = false;
            }
        if (ended && isQuiet)
            m_output.isAtEnd = m_errors.isAtEnd = true;
    }
}

void ChildProcess::askToStop()
{
    if (m_killAt || hasEnded())
        return;
    ::kill(m_pid, SIGTERM);
    m_killAt = steady_clock::now() + kGrace;
}

bool ChildProcess::hasEnded()
{
    int status = 0;
    const pid_t ended = m_exit ? 0 : ::waitpid(m_pid, &status, WNOHANG);
    // Where SIGCHLD is ignored, which a program may inherit, the system collects it and tells nobody how it ended.
    if (ended < 0 && errno == ECHILD)
        m_exit = WorkerExit{};
    if (ended == m_pid)
        m_exit = WIFSIGNALED(status) ? WorkerExit{0, WTERMSIG(status)} : WorkerExit{WEXITSTATUS(status), 0};
    return m_exit.has_value();
}

WorkerExit ChildProcess::finish()
{
    while (!hasEnded()) {
        killIfOverdue();
        std::this_thread::sleep_for(kPoll);
    }
    return *m_exit;
}

} // namespace remat
