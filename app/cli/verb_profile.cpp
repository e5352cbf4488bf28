// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/real_run.h"
#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/this_cpu.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/cost/device_traits.h"
#include "core/cost/roofline.h"
#include "core/export/table.h"
#include "core/model/names.h"
#include "core/run/cpu_profile.h"
#include "core/run/local_plan.h"
#include "core/run/process_memory.h"
#include "core/run/worker_client.h"

namespace remat::cli {

namespace {

constexpr MessageCode kNotThisMachine{"profile-of-other-device",
    REMAT_TR("The ops run on the machine {1}, but the device is {0}."), REMAT_TR("Leave out --device."),
    ExitCode::Usage};
constexpr MessageCode kNotRun{"profile-of-other-profile",
    REMAT_TR("Only the steps of the profile runtime are really run, not those of {0}."),
    REMAT_TR("Use --profile runtime, or leave it out."), ExitCode::Usage};
constexpr MessageCode kNoTimes{"profile-without-times", REMAT_TR("The worker does not tell what the ops took."),
    REMAT_TR("Use the remat-worker of this version."), ExitCode::DeviceError};

/// What is known of the machine before its ops are timed: of this CPU a general measurement, of a GPU its memory.
/// Errors: no GPU can be used (exit code 11).
Result<CpuMeasurement> baseOf(const RunRequest& request, const Environment& environment)
{
    if (request.machine == RunMachine::Cpu)
        return measurementOfThisCpu(environment, static_cast<int>(threadsOf(request)));
    CpuMeasurement base;
    base.device = toName(request.machine);
    base.threads = 0;
    base.memory = installedMemory().value_or(Bytes{1});
    if (request.machine == RunMachine::Cuda) {
        const Result<GpuAnswer> gpus = askWorkerForGpus({workerPathBesideThisProgram()});
        const Result<GpuFound> gpu = gpus ? usableGpu(*gpus) : Result<GpuFound>(gpus.error());
        if (!gpu)
            return gpu.error();
        base.memory = gpu->memory;
    }
    return base;
}

/// A run's refusal speaks of plans and budgets; what keeps everything has neither.
RunFailure ownRemedy(RunFailure failure)
{
    if (failure.exitCode == static_cast<int>(ExitCode::OutOfMemory)) {
        const std::int64_t batch = failure.largestBatch.value_or(0);
        failure.remedy = batch > 0
            ? "Profile a batch of " + std::to_string(batch)
                + ", which fits with everything kept; ops of other sizes are timed after it."
            : "Profile a shorter sequence or fewer layers; ops of other sizes are timed after them.";
        failure.fittingBudget.reset();
    }
    return failure;
}

/// "186 GFLOP/s", or "12.3 GB/s" of ops that are not products; nothing where there was no work or no time.
std::string rate(Flops flops, Bytes bytes, Nanoseconds time)
{
    if (time.value <= 0 || (flops.value == 0 && bytes.value == 0))
        return "";
    const auto perSecond = [&](std::int64_t work) {
        return static_cast<std::int64_t>(static_cast<double>(work) * 1e9 / static_cast<double>(time.value));
    };
    return flops.value > 0 ? formatFlops({perSecond(flops.value)}) + "/s"
                           : formatBytes({perSecond(bytes.value)}, ByteUnits::Decimal) + "/s";
}

std::string percent(double share)
{
    return formatThreeDigits(share * 100) + " %";
}

std::int64_t stagesOf(const StepTape& tape, int kind)
{
    return std::count_if(
        tape.stages.begin(), tape.stages.end(), [kind](const StageInstance& stage) { return stage.kind == kind; });
}

/// Every op with its times, how fast that is, and what it takes of the measured step in all stages of its kind.
Table opTable(const RunReport& report)
{
    Table table{{"op", "class", "forward", "backward", "rate", "of step"}, {}};
    const StepTape tape
        = buildStepTape(report.shape, report.setup, machineTraits(sizesOf(report.machineKind, report.threads)));
    Nanoseconds others = report.time.step;
    const auto shareOf = [&](Nanoseconds time) {
        others -= time;
        return percent(ratio(time, report.time.step));
    };
    auto row = report.ops.begin();
    for (int k = 0; k < static_cast<int>(tape.kinds.size()); ++k) {
        const StageTape& kind = tape.kinds[static_cast<std::size_t>(k)];
        const std::int64_t runs = stagesOf(tape, k) * report.setup.microBatches;
        for (const Op& op : kind.ops) {
            const Nanoseconds time = row->forward + row->backward;
            table.rows.push_back({kind.kind + ": " + op.name, std::string(toName(classOf(op.kind))),
                formatDuration(row->forward), formatDuration(row->backward),
                rate(op.forwardFlops + op.backwardFlops, op.forwardBytes + op.backwardBytes, time),
                shareOf(runs * time)});
            ++row;
        }
    }
    const Nanoseconds optimizer = report.time.optimizer;
    const Bytes traffic = optimizerTraffic(report.setup.optimizer, tape.base.weights, tape.base.optimizer);
    if (traffic.value > 0)
        table.rows.push_back({"optimizer", std::string(toName(OpClass::Optimizer)), formatDuration(optimizer), "",
            rate({}, traffic, optimizer), shareOf(optimizer)});
    table.rows.push_back({"everything else", "", "", "", "", percent(ratio(others, report.time.step))});
    return table;
}

/// Overhead and rate of each class that the model has.
Table classTable(const CpuMeasurement& costs)
{
    Table table{{"class", "overhead of an op", "rate beyond it"}, {}};
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const MeasuredRate& measured = costs.rates[i];
        if (!measured.overhead)
            continue;
        table.rows.push_back({std::string(toName(static_cast<OpClass>(i))), formatDuration(*measured.overhead),
            rate({static_cast<std::int64_t>(measured.flopsPerSecond)},
                {static_cast<std::int64_t>(measured.bytesPerSecond)}, {1'000'000'000})});
    }
    return table;
}

} // namespace

Result<Answer> runProfile(const Arguments& arguments, const Environment& environment)
{
    Result<RunRequest> request = requestOf(arguments);
    if (!request)
        return request.error();
    const bool isOnGpu = runsGpuKernels(request->machine);
    Result<CpuMeasurement> base = baseOf(*request, environment);
    if (!base)
        return base.error();
    const Result<StepChoice> choice = chooseStep(
        arguments.model, arguments.setup, environment, isOnGpu ? std::optional(sizesOfGpu()) : std::nullopt);
    if (!choice)
        return choice.error();
    const StudyRequest& step = choice->request;
    if (step.setup.profile != Profile::Runtime)
        return Error{&kNotRun, "--profile", {std::string(toName(step.setup.profile))}};
    if (step.device.name != (isOnGpu ? kMeasuredGpu : kThisCpu))
        return Error{&kNotThisMachine, "--device", {step.device.name, std::string(toName(request->machine))}};
    request->plan = fixedPlan(buildStepTape(step.shape, step.setup, machineTraits(step.device)), step.device,
        {Strategy::Kind::None}, {}, std::nullopt)
                        .value();
    if (auto runnable = checkRunnable(request->plan, request->machine); !runnable)
        return runnable.error();
    const RunOutcome outcome = runWithProgress(*request, arguments.isJson, launchOf(arguments, environment).value());
    if (outcome.failure)
        return failureAnswer(ownRemedy(*outcome.failure), arguments.isJson);
    if (outcome.report->ops.empty())
        return Error{&kNoTimes, "", {}};
    const CpuMeasurement costs = profiledCosts(*outcome.report, *std::move(base));
    Answer answer{stepHeading(*choice) + outcome.report->machine + ", a step takes "
            + formatDuration(outcome.report->time.step) + "\n\n" + toText(opTable(*outcome.report)) + "\n"
            + toText(classTable(costs)) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
    if (arguments.isJson)
        answer.output = jsonAnswer(toJson(costs)).output;
    writeMeasured(arguments, costsFileText(costs), answer);
    return answer;
}

} // namespace remat::cli
