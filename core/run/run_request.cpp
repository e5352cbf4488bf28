// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_request.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cost/device_json.h"
#include "core/model/names.h"
#include "core/plan/plan_file.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "remat-run-request";
constexpr std::int64_t kVersion = 1;

constexpr MessageCode kNotRuntime{"run-needs-runtime-plan",
    REMAT_TR("This plan describes another program's training step (profile \"{0}\"); only plans of the runtime profile "
             "can be run."),
    REMAT_TR("Make the plan with --profile runtime.")};
constexpr MessageCode kNotFp32{"run-needs-fp32-plan",
    REMAT_TR("This plan stores numbers in {0}; the CPU machine computes in fp32 alone."),
    REMAT_TR("Run it on a GPU (--machine cuda), or make the plan with the precision fp32.")};
constexpr MessageCode kUnknownMachine{"request-unknown-machine", REMAT_TR("There is no machine \"{0}\"."),
    REMAT_TR("Use cpu, cuda or emulated."), ExitCode::Usage};

} // namespace

std::string requestLine(const RunRequest& request)
{
    return jsonText(
        {{"format", kFormat}, {"version", kVersion}, {"plan", toJson(request.plan)}, {"steps", request.steps},
            {"seed", request.seed}, {"threads", request.threads}, {"check_gradients", request.checksGradients},
            {"enforce_budget", request.enforcesBudget}, {"memory_limit_bytes", optionalJson(request.memoryLimit)},
            {"device", request.device ? toJson(*request.device) : json()},
            {"ends_with_stdin", request.endsWithStandardInput}, {"machine", toName(request.machine)}});
}

Result<void> checkRunnable(const Plan& plan, RunMachine machine)
{
    if (plan.setup().profile != Profile::Runtime)
        return Error{&kNotRuntime, "profile", {std::string(toName(plan.setup().profile))}};
    if (machine == RunMachine::Cpu && effectivePrecision(plan.setup()) != Precision::Fp32)
        return Error{&kNotFp32, "precision", {std::string(toName(storageOf(plan.setup())))}};
    return {};
}

Result<RunRequest> parseRunRequest(std::string_view line, const std::string& where)
{
    const auto asUsage = [](Error error) {
        error.exit = ExitCode::Usage;
        return error;
    };
    const Result<json> document = parseJson(line, where);
    if (!document)
        return asUsage(document.error());
    const JsonCursor root(*document, where);
    root.requireFormat(kFormat, kVersion);
    RunRequest request;
    request.steps = root["steps"].integer(1, kMostSteps);
    request.seed = static_cast<std::uint64_t>(root["seed"].integer(0, kMaxQuantity));
    request.threads = root["threads"].integer(0, kMostThreads);
    request.checksGradients = root["check_gradients"].boolean();
    request.enforcesBudget = root["enforce_budget"].boolean();
    if (!root["memory_limit_bytes"].isNull())
        request.memoryLimit = root["memory_limit_bytes"].bytes();
    if (!root["device"].isNull())
        request.device = readDevice(root["device"]);
    request.endsWithStandardInput = root["ends_with_stdin"].boolean();
    if (root.has("machine")) {
        const std::string name = root["machine"].string();
        if (const std::optional<RunMachine> machine = parseRunMachine(name))
            request.machine = *machine;
        else
            root["machine"].fail(kUnknownMachine, {shortened(name)});
    }
    const JsonCursor plan = root["plan"];
    if (root.failed())
        return asUsage(root.error());
    Result<Plan> parsed = parsePlan(jsonText(plan.raw()), where + ": plan");
    if (!parsed)
        return parsed.error();
    request.plan = *std::move(parsed);
    if (auto runnable = checkRunnable(request.plan, request.machine); !runnable)
        return runnable.error();
    return request;
}

} // namespace remat
