// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_events.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr MessageCode kBadEvent{"run-protocol", REMAT_TR("The worker said something that cannot be read: {0}"),
    REMAT_TR("Use the remat-worker of this version."), ExitCode::DeviceError};

std::string lineOf(const json& value)
{
    // Text from elsewhere may not be UTF-8; a protocol line always is.
    return jsonText(value);
}

std::string kindOf(const Error& error)
{
    if (error.code->name == "run-stopped")
        return "stopped";
    switch (error.exitCode()) {
    case ExitCode::Usage:
        return "bad-request";
    case ExitCode::OutOfMemory:
        return "out-of-memory";
    case ExitCode::DeviceError:
        return "device";
    default:
        return "bad-plan";
    }
}

HelloEvent readHello(const JsonCursor& at)
{
    HelloEvent hello;
    // A worker of another version is understood far enough to say so.
    if (at["format"].string() == kRunFormat)
        hello.version = at["version"].integer(0, kMaxQuantity);
    else
        hello.version = 0;
    hello.pid = at["pid"].integer(0, kMaxQuantity);
    hello.machine = at["machine"].string();
    hello.processor = at["processor"].string();
    hello.threads = at["threads"].integer(0, kMaxQuantity);
    hello.job = at["job"].string();
    return hello;
}

RunFailure readFailure(const JsonCursor& at)
{
    RunFailure failure{at["kind"].string(), at["code"].string(), at["where"].string(), at["message"].string(),
        at["remedy"].string(), static_cast<int>(at["exit"].integer(0, 255))};
    if (at.has("requested_bytes"))
        failure.requested = at["requested_bytes"].bytes();
    if (at.has("live_bytes"))
        failure.live = at["live_bytes"].bytes();
    if (at.has("phase"))
        failure.phase = at["phase"].string();
    if (at.has("op"))
        failure.op = at["op"].string();
    if (at.has("largest_batch"))
        failure.largestBatch = at["largest_batch"].integer(0, kMaxQuantity);
    if (at.has("fitting_budget_bytes"))
        failure.fittingBudget = at["fitting_budget_bytes"].bytes();
    return failure;
}

RunEvent readEvent(const std::string& name, const JsonCursor& at)
{
    if (name == "hello")
        return readHello(at);
    if (name == "phase")
        return PhaseEvent{
            at["name"].string(), at["pass"].integer(0, kMaxQuantity), at["passes"].integer(0, kMaxQuantity)};
    if (name == "step")
        return StepEvent{at["pass"].string(), at["i"].integer(0, kMaxQuantity), at["n"].integer(0, kMaxQuantity),
            at["seconds"].number(), at["fraction"].number(), at["at"].string()};
    if (name == "result")
        return ResultEvent{readRunReport(at["report"])};
    return readFailure(at);
}

} // namespace

std::string toLine(const HelloEvent& event)
{
    return lineOf({{"event", "hello"}, {"format", kRunFormat}, {"version", event.version}, {"pid", event.pid},
        {"machine", event.machine}, {"processor", event.processor}, {"threads", event.threads}, {"job", event.job}});
}

std::string toLine(const PhaseEvent& event)
{
    return lineOf({{"event", "phase"}, {"name", event.name}, {"pass", event.pass}, {"passes", event.passes}});
}

std::string toLine(const StepEvent& event)
{
    return lineOf({{"event", "step"}, {"pass", event.pass}, {"i", event.i}, {"n", event.n}, {"seconds", event.seconds},
        {"fraction", event.fraction}, {"at", event.at}});
}

std::string toLine(const ResultEvent& event)
{
    return lineOf({{"event", "result"}, {"report", toJson(event.report)}});
}

std::string toLine(const RunFailure& event)
{
    json line{{"event", "error"}, {"kind", event.kind}, {"code", event.code}, {"where", event.where},
        {"message", event.message}, {"remedy", event.remedy}, {"exit", event.exitCode}};
    if (event.requested)
        line["requested_bytes"] = event.requested->value;
    if (event.live)
        line["live_bytes"] = event.live->value;
    if (!event.phase.empty())
        line["phase"] = event.phase;
    if (!event.op.empty())
        line["op"] = event.op;
    if (event.largestBatch)
        line["largest_batch"] = *event.largestBatch;
    if (event.fittingBudget)
        line["fitting_budget_bytes"] = event.fittingBudget->value;
    return lineOf(line);
}

RunEvent parseRunEvent(std::string_view line)
{
    const std::size_t start = line.find_first_not_of(" \t\r");
    // Most banners are told apart without parsing.
    if (start == std::string_view::npos || line[start] != '{')
        return LogEvent{std::string(line)};
    const Result<json> document = parseJson(line, "remat-worker");
    if (!document || !document->contains("event") || !(*document)["event"].is_string())
        return LogEvent{std::string(line)};
    const auto name = (*document)["event"].get<std::string>();
    if (name != "hello" && name != "phase" && name != "step" && name != "result" && name != "error")
        return LogEvent{std::string(line)};
    const JsonCursor root(*document, "remat-worker");
    RunEvent event = readEvent(name, root);
    if (root.failed()) {
        RunFailure failure = failureOf(Error{&kBadEvent, root.error().where, {englishText(root.error())}});
        failure.kind = "protocol";
        return failure;
    }
    return event;
}

RunFailure failureOf(const Error& error)
{
    RunFailure failure;
    failure.kind = kindOf(error);
    failure.code = error.code->name;
    failure.where = error.where;
    failure.message = englishText(error);
    failure.remedy = englishRemedy(error);
    failure.exitCode = static_cast<int>(error.exitCode());
    failure.cause = error;
    return failure;
}

} // namespace remat
