// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/message.h"
#include "core/base/units.h"
#include "core/run/run_report.h"

namespace remat {

inline constexpr std::string_view kRunFormat = "remat-run";
inline constexpr std::int64_t kRunVersion = 1;

/// The worker is there: {"event": "hello", "format": "remat-run", "version": 1, "pid": 4711, "machine": "cpu,
/// x86-64-v3, 2 threads", "processor": "...", "threads": 2, "job": "123"}
struct HelloEvent {
    std::int64_t version = kRunVersion;
    std::int64_t pid = 0;
    std::string machine, processor;
    std::int64_t threads = 0;
    std::string job; ///< the cluster's job, empty outside of one
};

/// A part of the run begins: "check" (does it fit this machine?), "memory", "timing", "gradients", "keep-all".
struct PhaseEvent {
    std::string name;
    std::int64_t pass = 1, passes = 1;
};

/// How far a phase is.
struct StepEvent {
    std::string pass;
    std::int64_t i = 0, n = 1; ///< step i of n, from 0
    double seconds = 0.0;      ///< since the pass began
    double fraction = 0.0;     ///< of the whole run, 0 to 1
    std::string at;            ///< the op that runs, "layer 3: ffn_up backward"
};

struct ResultEvent {
    RunReport report;
};

/// How a run fails, as text: it may come from another process or another machine.
struct RunFailure {
    std::string kind; ///< "bad-request", "bad-plan", "out-of-memory", "device", "stopped", "crash", "protocol"
    std::string code; ///< MessageCode::name: "run-over-budget"
    std::string where, message, remedy;
    int exitCode = static_cast<int>(ExitCode::DeviceError);
    std::optional<Bytes> requested, live;     ///< out of memory: asked for, and in use then
    std::optional<std::int64_t> largestBatch; ///< the greatest batch that would fit; 0: none does
    std::optional<Bytes> fittingBudget;       ///< a budget whose plan of the same batch would fit
    std::optional<Error> cause;               ///< what this program found itself, for the person's language; never sent
    std::string phase, op; ///< out of memory in a step: "backward", "layer 3: ffn_up"; no op in the "preparation"
};

/// A line that is no event: a login banner, a library's print.  Never an error.
struct LogEvent {
    std::string text;
};

using RunEvent = std::variant<LogEvent, HelloEvent, PhaseEvent, StepEvent, ResultEvent, RunFailure>;

/// One line of the protocol, without the line's end.
std::string toLine(const HelloEvent& event);
std::string toLine(const PhaseEvent& event);
std::string toLine(const StepEvent& event);
std::string toLine(const ResultEvent& event);
std::string toLine(const RunFailure& event);

/// Reads one line.  What is no JSON object, or one without a known "event", is a LogEvent; a known event with wrong
/// keys is a RunFailure of kind "protocol".
RunEvent parseRunEvent(std::string_view line);

/// An error as the worker reports it.
RunFailure failureOf(const Error& error);

} // namespace remat
