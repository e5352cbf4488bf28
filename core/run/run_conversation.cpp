// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_conversation.h"

#include <array>
#include <csignal>

#include "core/base/text.h"
#include "core/run/executor.h"

namespace remat {

namespace {

constexpr MessageCode kOtherVersion{"worker-version",
    REMAT_TR("The worker speaks version {0} of the run protocol; this program speaks version {1}."),
    REMAT_TR("Install the remat-worker of this version."), ExitCode::DeviceError};
constexpr MessageCode kSilent{"worker-silent", REMAT_TR("The worker did not start: exit code {0}."),
    REMAT_TR("Check that remat-worker runs there: remat-worker --self-test."), ExitCode::DeviceError};
constexpr MessageCode kCrashed{"worker-crashed",
    REMAT_TR("The worker ended without a result: {0}. The last it said: {1}."),
    REMAT_TR("Run remat-worker --self-test; if it passes, please report this."), ExitCode::DeviceError};
constexpr MessageCode kKilled{"worker-killed", REMAT_TR("The worker was killed: {0}. The last it said: {1}."),
    REMAT_TR("The system kills programs when memory runs out: close others, or lower the batch."),
    ExitCode::DeviceError};

/// Shells, ssh and cluster tools say 128 + n for a process that signal n ended.
constexpr int kSignalExit = 128;
constexpr std::size_t kQuoted = 200;

std::string signalName(int signal)
{
    struct Name {
        int number;
        const char* name;
    };
    static constexpr std::array<Name, 8> kNames{{{SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"},
        {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}}};
    for (const Name& known : kNames)
        if (known.number == signal)
            return "signal " + std::to_string(signal) + " (" + known.name + ")";
    return "signal " + std::to_string(signal);
}

/// What a person wants to read of an event, if it says where the run was.
std::string wordsOf(const RunEvent& event)
{
    if (const auto* phase = std::get_if<PhaseEvent>(&event))
        return "phase " + phase->name;
    if (const auto* step = std::get_if<StepEvent>(&event))
        return step->at.empty() ? "phase " + step->pass : step->pass + ", " + step->at;
    if (const auto* log = std::get_if<LogEvent>(&event))
        return log->text;
    return {};
}

} // namespace

RunEvent RunConversation::hear(std::string_view line)
{
    RunEvent event = parseRunEvent(line);
    if (const auto* hello = std::get_if<HelloEvent>(&event)) {
        m_hello = *hello;
        if (hello->version != kRunVersion) {
            RunFailure failure = failureOf(Error{&kOtherVersion, "", {hello->version, kRunVersion}});
            failure.kind = "protocol";
            event = failure;
        }
    }
    if (const auto* result = std::get_if<ResultEvent>(&event))
        m_report = result->report;
    // The first failure is the cause; later ones follow from it.
    if (const auto* failure = std::get_if<RunFailure>(&event); failure && !m_failure)
        m_failure = *failure;
    if (const std::string words = wordsOf(event); !words.empty())
        m_lastWords = shortened(words, kQuoted);
    return event;
}

RunEvent RunConversation::hearError(std::string_view line)
{
    // Later a worker says itself where it is.
    if (!m_hello)
        m_lastWords = shortened(line, kQuoted);
    return LogEvent{std::string(line)};
}

RunOutcome RunConversation::finish(WorkerExit exit, bool wasStopped) const
{
    if (m_failure)
        return {std::nullopt, m_failure};
    if (m_report)
        return {m_report, std::nullopt};
    if (wasStopped)
        return {std::nullopt, failureOf(Error{&kRunStopped, "", {}})};
    const int signal = exit.signal != 0 ? exit.signal : exit.code > kSignalExit ? exit.code - kSignalExit : 0;
    if (!m_hello && signal == 0)
        return {std::nullopt, failureOf(Error{&kSilent, "", {std::int64_t{exit.code}}})};
    const std::string how = signal != 0 ? signalName(signal) : "exit code " + std::to_string(exit.code);
    RunFailure failure = failureOf(
        Error{signal == SIGKILL ? &kKilled : &kCrashed, "", {how, m_lastWords.empty() ? "-" : m_lastWords}});
    failure.kind = "crash";
    return {std::nullopt, failure};
}

} // namespace remat
