// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_report.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/checked.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/chain/schedule_file.h"
#include "core/cost/device_traits.h"
#include "core/model/model_json.h"
#include "core/model/setup_json.h"
#include "core/plan/plan.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "core/run/local_plan.h"
#include "core/run/run_times_json.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "remat-report";
constexpr std::int64_t kVersion = 1;

constexpr MessageCode kDisagrees{"report-disagrees",
    REMAT_TR("The file says {0}, but what it is derived from gives {1}."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};
constexpr MessageCode kStagesTooLong{"report-stages-too-long",
    REMAT_TR("The stages take more than {0} ns in {1} micro-batches."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};
constexpr MessageCode kOtherWaterfall{"report-other-waterfall",
    REMAT_TR(
        "The steps from what the model needs to what the machine counted do not add up to the file's own figures."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};
constexpr MessageCode kUnknownMachine{"report-unknown-machine", REMAT_TR("\"{0}\" is no machine that runs steps."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};
constexpr MessageCode kUnknownKeepSet{"report-unknown-keep-set", REMAT_TR("\"{0}\" names no set of this stage's ops."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};

template <class Value> json optional(const std::optional<Value>& value)
{
    return value ? json(*value) : json();
}
template <class Tag> json optional(const std::optional<Quantity<Tag>>& value)
{
    return value ? json(value->value) : json();
}

std::optional<std::string> optionalString(const JsonCursor& at)
{
    return at.isNull() ? std::nullopt : std::optional(at.string());
}

MessageArgument argument(bool value)
{
    return std::string(value ? "true" : "false");
}
template <class Value> MessageArgument argument(const Value& value)
{
    return value;
}

/// What the file says against what it is derived from.
template <class Value> void requireSame(const JsonCursor& at, const Value& said, const Value& derived)
{
    if (!at.failed() && said != derived)
        at.fail(kDisagrees, {argument(said), argument(derived)});
}

/// The sizes that the report's machine gives the step.
Device sizesFor(const RunReport& report)
{
    return sizesOf(report.machineKind, report.threads);
}

json timeJson(const TimeReport& time)
{
    json steps = json::array();
    for (const Nanoseconds step : time.steps)
        steps.push_back(step.value);
    return {{"step_ns", time.step.value}, {"optimizer_ns", time.optimizer.value}, {"warm_up_ns", time.warmUp.value},
        {"steps_ns", steps}, {"predicted_step_ns", optional(time.predicted)}};
}

json gradientsJson(const RunReport& report)
{
    if (!report.gradients)
        return {{"checked", false}, {"bit_equal", nullptr}};
    const GradientReport& g = *report.gradients;
    return {{"checked", true}, {"bit_equal", g.bitEqual}, {"loss_bit_equal", g.lossBitEqual}, {"tensors", g.tensors},
        {"first_difference", optional(g.firstDifference)}};
}

json keepJson(const RunReport& report)
{
    const StepTape tape = buildStepTape(report.shape, report.setup, machineTraits(sizesFor(report)));
    json keep = json::array();
    for (std::size_t s = 0; s < report.keep.size(); ++s)
        keep.push_back(keepSetName(tape.tapeOf(static_cast<int>(s)), report.keep[s]));
    return keep;
}

TimeReport readTime(const JsonCursor& at)
{
    TimeReport time{at["step_ns"].nanoseconds(), at["optimizer_ns"].nanoseconds(), at["warm_up_ns"].nanoseconds(), {},
        std::nullopt};
    for (const JsonCursor& step : at["steps_ns"].elements())
        time.steps.push_back(step.nanoseconds());
    if (!at["predicted_step_ns"].isNull())
        time.predicted = at["predicted_step_ns"].nanoseconds();
    requireSame(at["step_ns"], time.step, median(time.steps));
    return time;
}

std::optional<GradientReport> readGradients(const JsonCursor& at)
{
    if (!at["checked"].boolean())
        return std::nullopt;
    GradientReport report{at["bit_equal"].boolean(), at["loss_bit_equal"].boolean(),
        at["tensors"].integer(0, kMaxQuantity), optionalString(at["first_difference"])};
    requireSame(at["bit_equal"], report.bitEqual, report.lossBitEqual && !report.firstDifference);
    return report;
}

RerunReport readReruns(const JsonCursor& at)
{
    RerunReport report{at["predicted"].integer(0, kMaxQuantity), at["measured"].integer(-kMaxQuantity, kMaxQuantity),
        at["equal"].boolean(), optionalString(at["first_difference"])};
    requireSame(at["equal"], report.isEqual, !report.firstDifference);
    if (report.isEqual)
        requireSame(at["measured"], report.measured, report.predicted);
    return report;
}

LossReport readLoss(const JsonCursor& at, const ModelShape& shape)
{
    const LossReport loss{at["first"].number(), at["last"].number(), at["ln_vocabulary"].number()};
    const double expected = std::log(static_cast<double>(shape.vocabulary));
    // Logarithms of two machines may differ in the last bit.
    if (!at.failed() && std::abs(loss.lnVocabulary - expected) > 1e-12 * expected)
        at["ln_vocabulary"].fail(kDisagrees, {loss.lnVocabulary, expected});
    return loss;
}

/// What all stages take in all micro-batches; empty above kMaxQuantity.
std::optional<std::int64_t> stepOf(const std::vector<StageTime>& stages, std::int64_t microBatches)
{
    std::optional<std::int64_t> sum = 0;
    for (const StageTime& stage : stages)
        for (const Nanoseconds part : {stage.forward, stage.rerun, stage.backward})
            if (sum)
                sum = checkedAdd(*sum, part.value);
    return sum ? checkedMultiply(*sum, microBatches) : std::nullopt;
}

/// Times by op and by stage are absent, or those of this model's ops and stages, which take no longer than the step.
void checkTimes(const JsonCursor& at, const RunReport& report, const StepTape& tape)
{
    const auto requireRows = [&](const char* key, std::size_t said, std::size_t derived) {
        if (said > 0)
            requireSame(at[key], static_cast<std::int64_t>(said), static_cast<std::int64_t>(derived));
    };
    requireRows("stages", report.stages.size(), tape.stages.size());
    requireRows("predicted_stages", report.predictedStages.size(), tape.stages.size());
    const auto requireWithin = [&](const char* key, const std::vector<StageTime>& stages, std::int64_t most) {
        const std::optional<std::int64_t> sum = stepOf(stages, report.setup.microBatches);
        if (!at.failed() && (!sum || *sum > most))
            at[key].fail(kStagesTooLong, {most, report.setup.microBatches});
    };
    // The medians of a measured step may add up to more than its own.
    requireWithin("stages", report.stages, kMaxQuantity);
    requireWithin(
        "predicted_stages", report.predictedStages, report.time.predicted.value_or(Nanoseconds{kMaxQuantity}).value);
    std::vector<std::pair<std::string, std::string>> ops;
    for (const StageTape& kind : tape.kinds)
        for (const Op& op : kind.ops)
            ops.emplace_back(kind.kind, op.name);
    requireRows("ops", report.ops.size(), ops.size());
    for (std::size_t i = 0; i < report.ops.size() && !at.failed(); ++i) {
        const JsonCursor row = at["ops"].elements()[i];
        requireSame(row["stage"], report.ops[i].stage, ops[i].first);
        requireSame(row["op"], report.ops[i].op, ops[i].second);
    }
}

/// Phases are those of the prediction, and lead as the file says to what the machine counted.
void checkMemory(const JsonCursor& at, const PeakReport& peak, const PhaseBytes& phases)
{
    if (peak.predictedPhases)
        for (const StepPhase phase : kAllPhases) {
            const auto i = static_cast<std::size_t>(phase);
            requireSame(at["phases"].elements()[i]["predicted_bytes"], (*peak.predictedPhases)[i], phases[i]);
        }
    if (peak.trackedPhases)
        requireSame(at["tracked_bytes"], peak.tracked,
            *std::max_element(peak.trackedPhases->begin(), peak.trackedPhases->end()));
    if (peak.pool && peak.system)
        requireSame(at["system_bytes"], *peak.system, peak.pool->peak().used);
    if (!at.failed() && !tellsItsWaterfall(at, peak))
        at["waterfall"].fail(kOtherWaterfall, {});
}

/// Derives again what the report says that it predicted.
void checkPrediction(const JsonCursor& at, RunReport& report)
{
    const Device device = sizesFor(report);
    const StepTape tape = buildStepTape(report.shape, report.setup, machineTraits(device));
    const std::vector<JsonCursor> names = at["keep_sets"].elements();
    if (!at.failed() && names.size() != tape.stages.size())
        at["keep_sets"].fail(
            kDisagrees, {static_cast<std::int64_t>(names.size()), static_cast<std::int64_t>(tape.stages.size())});
    for (std::size_t s = 0; s < names.size() && !at.failed(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        KeepSet keep = 0;
        if (!parseKeepSet(stage, names[s].string(), keep) || (keep & ~keepAll(stage)) != 0)
            names[s].fail(kUnknownKeepSet, {shortened(names[s].string())});
        report.keep.push_back(keep);
    }
    if (at.failed())
        return;
    checkTimes(at, report, tape);
    if (at.has("schedule"))
        report.schedule = readSchedule(at["schedule"], buildFixedChain(tape, device, report.keep).chain);
    if (at.failed())
        return;
    const Result<Plan> plan = report.schedule.empty() ? Result<Plan>(derivePlan(tape, device, report.keep))
                                                      : derivePlan(tape, device, report.keep, report.schedule);
    if (!plan)
        return at["schedule"].fail(*plan.error().code, plan.error().arguments);
    const Prediction& derived = plan->prediction;
    const JsonCursor peak = at["peak"];
    requireSame(peak["predicted_bytes"], report.peak.predicted, derived.peak);
    requireSame(peak["predicted_at"], report.peak.predictedAt, englishText(derived.peakAt));
    requireSame(peak["base_bytes"], report.peak.base, derived.base);
    // Ops, as the executor counts them; a plan counts the forward of a whole stage that runs again as one.
    const Timeline dry = replayDry(lower(*plan->step, plan->schedule), plan->step->tape);
    requireSame(at["reruns"]["predicted"], report.reruns.predicted, dry.reruns);
    report.peak.parts = PeakParts(dry.atPeak, tape.base);
    checkMemory(peak, report.peak, phasePeaks(lower(*plan->step, plan->schedule), plan->step->tape));
    if (report.gradients)
        requireSame(
            at["gradients"]["tensors"], report.gradients->tensors, static_cast<std::int64_t>(tape.parameters.size()));
}

} // namespace

std::vector<TimelinePoint> decimate(const std::vector<TimelinePoint>& points, std::size_t most)
{
    if (points.size() <= most)
        return points;
    const std::size_t runs = std::max<std::size_t>(1, most / 2);
    std::vector<TimelinePoint> kept;
    for (std::size_t r = 0; r < runs; ++r) {
        const auto first = points.begin() + static_cast<std::ptrdiff_t>(r * points.size() / runs);
        const auto last = points.begin() + static_cast<std::ptrdiff_t>((r + 1) * points.size() / runs);
        auto [least, greatest] = std::minmax_element(
            first, last, [](const TimelinePoint& a, const TimelinePoint& b) { return a.live < b.live; });
        if (greatest < least)
            std::swap(least, greatest);
        kept.push_back(*least);
        if (greatest != least)
            kept.push_back(*greatest);
    }
    return kept;
}

json toJson(const RunReport& report)
{
    json timeline = json::array();
    for (const TimelinePoint& point : report.timeline)
        timeline.push_back({point.time.value, point.live.value, point.instruction});
    json object = {{"format", kFormat}, {"version", kVersion}, {"model", toJson(report.shape)},
        {"setup", toJson(report.setup)},
        {"plan",
            {{"strategy", report.strategy}, {"budget_bytes", optional(report.budget)},
                {"budget_enforced", report.budgetEnforced}}},
        {"keep_sets", keepJson(report)},
        {"machine",
            {{"kind", toName(report.machineKind)}, {"name", report.machine}, {"processor", report.processor},
                {"threads", report.threads}, {"granule_bytes", report.granule.value}}},
        {"seed", report.seed}, {"peak", toJson(report.peak)}, {"time", timeJson(report.time)},
        {"loss",
            {{"first", report.loss.first}, {"last", report.loss.last}, {"ln_vocabulary", report.loss.lnVocabulary}}},
        {"reruns",
            {{"predicted", report.reruns.predicted}, {"measured", report.reruns.measured},
                {"equal", report.reruns.isEqual}, {"first_difference", optional(report.reruns.firstDifference)}}},
        {"gradients", gradientsJson(report)},
        {"timeline", {{"columns", {"time_ns", "live_bytes", "instruction"}}, {"points", timeline}}},
        {"warnings", report.warnings}};
    if (!report.kernels.empty())
        object["machine"]["kernels"] = report.kernels;
    if (!report.ops.empty())
        object["ops"] = toJson(report.ops);
    if (!report.stages.empty())
        object["stages"] = toJson(report.stages);
    if (!report.predictedStages.empty())
        object["predicted_stages"] = toJson(report.predictedStages);
    if (!report.schedule.empty()) {
        const Device device = sizesFor(report);
        const StepTape tape = buildStepTape(report.shape, report.setup, machineTraits(device));
        object["schedule"] = toJson(report.schedule, buildFixedChain(tape, device, report.keep).chain);
    }
    return object;
}

std::string reportFileText(const RunReport& report)
{
    return jsonText(toJson(report), 1) + "\n";
}

RunReport readRunReport(const JsonCursor& at)
{
    at.requireFormat(kFormat, kVersion);
    if (at.failed())
        return {};
    RunReport report;
    report.shape = readModelShape(at["model"]);
    report.setup = readTrainingSetup(at["setup"]);
    report.strategy = at["plan"]["strategy"].string();
    report.budget = at["plan"]["budget_bytes"].optionalBytes();
    report.budgetEnforced = at["plan"]["budget_enforced"].boolean();
    const JsonCursor machine = at["machine"];
    report.machine = machine["name"].string();
    report.processor = machine["processor"].string();
    if (machine.has("kernels"))
        report.kernels = machine["kernels"].string();
    if (machine.has("kind")) {
        const std::string kind = machine["kind"].string();
        if (const std::optional<RunMachine> known = parseRunMachine(kind))
            report.machineKind = *known;
        else
            machine["kind"].fail(kUnknownMachine, {shortened(kind)});
    }
    const bool isGpu = runsGpuKernels(report.machineKind);
    report.threads = machine["threads"].integer(isGpu ? 0 : 1, isGpu ? 0 : kMostThreads);
    report.granule = machine["granule_bytes"].bytes();
    requireSame(machine["granule_bytes"], report.granule, sizesFor(report).granule);
    report.seed = static_cast<std::uint64_t>(at["seed"].integer(0, kMaxQuantity));
    report.peak = readPeakReport(at["peak"]);
    report.time = readTime(at["time"]);
    if (at.has("ops"))
        report.ops = readOpTimes(at["ops"]);
    if (at.has("stages"))
        report.stages = readStageTimes(at["stages"]);
    if (at.has("predicted_stages"))
        report.predictedStages = readStageTimes(at["predicted_stages"]);
    report.loss = readLoss(at["loss"], report.shape);
    report.reruns = readReruns(at["reruns"]);
    report.gradients = readGradients(at["gradients"]);
    for (const JsonCursor& row : at["timeline"]["points"].elements(kReportPoints)) {
        const std::vector<JsonCursor> columns = row.elements(3);
        if (at.failed() || columns.size() != 3)
            break;
        report.timeline.push_back({columns[0].nanoseconds(), columns[1].bytes(),
            static_cast<int>(columns[2].integer(0, std::int64_t{1} << 30))});
    }
    for (const JsonCursor& warning : at["warnings"].elements(1000))
        report.warnings.push_back(warning.string());
    if (at.failed())
        return report;
    if (auto valid = validate(report.shape, report.setup, ValueOrigin::File); !valid)
        at.fail(*valid.error().code, valid.error().arguments);
    else
        checkPrediction(at, report);
    return report;
}

Result<RunReport> parseReport(std::string_view text, const std::string& where)
{
    const Result<json> document = parseJson(text, where);
    if (!document)
        return document.error();
    const JsonCursor root(*document, where);
    RunReport report = readRunReport(root);
    if (root.failed())
        return root.error();
    return report;
}

} // namespace remat
