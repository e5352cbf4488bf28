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

/// A process with pipes at its standard input and output; standard error is ours.  The destructor ends it.
class ChildProcess {
public:
    /// Errors: the program does not start (exit code 11).
    static Result<ChildProcess> start(const std::vector<std::string>& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) = delete;
    ~ChildProcess();

    int pid() const { return m_pid; }
    int outputDescriptor() const { return m_output; }

    /// Writes a line to its standard input, which stays open; false if the process does not read it.
    bool writeLine(const std::string& line);

    /// What was read: a line without its end; nothing yet (`line` empty); or the end of the output.
    struct Read {
        std::optional<std::string> line;
        bool atEnd = false;
    };
    /// Waits at most `wait` for a whole line.  Lines above 64 MiB are cut.
    Read readLine(std::chrono::milliseconds wait);

    /// SIGTERM; whoever does not end within two seconds is killed by wait().
    void askToStop();
    void kill();
    /// Waits for its end; after askToStop() at most two seconds before SIGKILL.
    WorkerExit wait();

private:
    ChildProcess() = default;
    int m_pid = -1;
    int m_input = -1, m_output = -1;
    std::string m_pending;
    std::optional<std::chrono::steady_clock::time_point> m_askedToStop;
    std::optional<WorkerExit> m_exit;
};

} // namespace remat
