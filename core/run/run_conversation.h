// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/run/run_events.h"

namespace remat {

/// How the worker's process ended.
struct WorkerExit {
    int code = 0;
    int signal = 0; ///< 0: it ended by itself
};

/// How a run ended: exactly one of the two.
struct RunOutcome {
    std::optional<RunReport> report;
    std::optional<RunFailure> failure;
};

/// What a client hears of one worker, whatever carries the lines (a pipe, QProcess, ssh).
///
///   RunConversation talk;
///   for each line: show(talk.hear(line));
///   RunOutcome outcome = talk.finish({code, signal});
class RunConversation {
public:
    /// The event of a line; a hello of another version is a RunFailure.
    RunEvent hear(std::string_view line);
    /// A line of standard error, which never is an event.
    RunEvent hearError(std::string_view line);

    const std::optional<HelloEvent>& hello() const { return m_hello; }
    /// Where the run was when it last said so, "memory, layer 3: ffn_up forward".
    const std::string& lastWords() const { return m_lastWords; }

    /// The outcome once the process is gone.  A worker that ended without result or error crashed: the failure says by
    /// what signal, and quotes the last thing that it said.  `wasStopped`: we asked it to end.
    RunOutcome finish(WorkerExit exit, bool wasStopped = false) const;

private:
    std::optional<HelloEvent> m_hello;
    std::optional<RunReport> m_report;
    std::optional<RunFailure> m_failure;
    std::string m_lastWords;
};

} // namespace remat
