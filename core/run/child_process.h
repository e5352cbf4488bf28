// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/run_conversation.h"

namespace remat {

/// A process with our lines at its standard input and its lines read from its standard output; standard error is ours,
/// or read too.  The destructor ends it.  Not thread safe.
class ChildProcess {
public:
    /// Starts command[0], looked up in PATH unless it has a slash.  Errors: it does not start (exit code 11).
    static Result<ChildProcess> start(const std::vector<std::string>& command, bool readsErrors = false);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) = delete;
    ~ChildProcess();

    int pid() const { return m_pid; }

    /// Queues a line for its standard input, which stays open; readLine() sends it as the process takes it.
    void writeLine(const std::string& line) { m_outgoing += line + "\n"; }

    /// What was read: a line without its end; nothing yet (`line` empty); or the end of all output.
    struct Read {
        std::optional<std::string> line;
        bool atEnd = false;
        bool isError = false; ///< of standard error
    };
    /// Waits at most `wait` for a whole line.  A line above kMaxFileBytes ends the output.
    Read readLine(std::chrono::milliseconds wait);

    /// SIGTERM, and SIGKILL when readLine() or finish() finds it alive two seconds later.
    void askToStop();
    /// Waits for its end.
    WorkerExit finish();

private:
    /// What comes from one of its pipes.
    struct Stream {
        std::optional<std::string> takeLine();
        void receive();

        int descriptor = -1;
        std::string incoming;
        bool isAtEnd = true;
    };

    ChildProcess() = default;
    void closePipes();
    void sendQueued();
    void killIfOverdue();
    bool hasEnded();

    int m_pid = -1;
    int m_input = -1;
    std::string m_outgoing;
    Stream m_output, m_errors;
    std::optional<std::chrono::steady_clock::time_point> m_killAt;
    std::optional<WorkerExit> m_exit;
};

} // namespace remat
