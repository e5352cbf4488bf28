// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_file.h"

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/chain/schedule_file.h"
#include "core/chain/stage_script.h"
#include "core/cost/device_json.h"
#include "core/cost/device_traits.h"
#include "core/model/model_json.h"
#include "core/model/setup_json.h"
#include "core/plan/file_agreement.h"
#include "core/plan/plan_proof_json.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "remat-plan";
constexpr std::int64_t kVersion = 1;

constexpr MessageCode kStageCount{"plan-stage-count", REMAT_TR("The file lists {0} stages; the model has {1}."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kAgainstPins{"plan-against-pins", REMAT_TR("The pins of the file do not allow to keep \"{0}\"."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kUnknownKeepSet{"plan-unknown-keep-set",
    REMAT_TR("\"{0}\" names no set of this stage's tensors."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};

json predictionJson(const Plan& plan)
{
    const Prediction& p = plan.prediction;
    return {{"peak_bytes", p.peak.value}, {"peak_at", englishText(p.peakAt)}, {"saved_bytes", p.saved.value},
        {"base_bytes", p.base.value}, {"reserved_bytes", p.reserved.value}, {"device_bytes", p.device.value},
        {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value}, {"optimizer_ns", p.optimizer.value},
        {"step_ns", p.stepTime(plan.setup()).value}, {"reruns", p.reruns}};
}

json stagesJson(const Plan& plan)
{
    json stages = json::array();
    const StepTape& tape = plan.step->tape;
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageFacts facts = plan.step->factsOf(static_cast<int>(s));
        const StageScript script = buildStageScript(facts.tape, facts.flow, plan.keep[s], facts.gradientsInBase);
        json kept = json::array(), recomputed = json::array();
        for (const int t : script.savedTensors)
            kept.push_back(facts.tape.tensors[static_cast<std::size_t>(t)].name);
        for (const ScriptStep& step : script.backward)
            if (step.isRerun) {
                const Op& op = facts.tape.ops[static_cast<std::size_t>(step.op)];
                json modules = json::array();
                for (const std::string& module : op.modules)
                    modules.push_back(tape.stages[s].pathOf(module));
                recomputed.push_back({{"op", op.name}, {"modules", modules}});
            }
        stages.push_back({{"stage", tape.stages[s].name}, {"module", tape.stages[s].module},
            {"keep_set", keepSetName(facts.tape, plan.keep[s])}, {"keep", kept}, {"recompute", recomputed}});
    }
    return stages;
}

/// An error about a field as one about this file.
Error inFile(Error error, const std::string& where)
{
    error.where = where + ": " + error.where;
    error.exit = ExitCode::BadInput;
    return error;
}

std::vector<KeepSet> readKeepSets(const JsonCursor& list, const StepTape& tape)
{
    std::vector<KeepSet> keep;
    const std::vector<JsonCursor> stages = list.elements();
    if (stages.size() != tape.stages.size()) {
        list.fail(
            kStageCount, {static_cast<std::int64_t>(stages.size()), static_cast<std::int64_t>(tape.stages.size())});
        return keep;
    }
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        const JsonCursor name = stages[s]["keep_set"];
        KeepSet set = 0;
        if (!parseKeepSet(stage, name.string(), set) || (set & ~keepAll(stage)) != 0)
            name.fail(kUnknownKeepSet, {name.raw().is_string() ? name.string() : shownJson(name.raw())});
        keep.push_back(set);
    }
    return keep;
}

/// The demands of the pins; a pin that this step does not have is a mistake of the file.
std::vector<KeepRule> readPins(const JsonCursor& list, const StepTape& tape, Plan& plan)
{
    for (const JsonCursor& at : list.elements()) {
        const Result<Pin> pin = parsePin(at.string());
        if (!pin)
            at.fail(*pin.error().code, pin.error().arguments);
        else
            plan.pins.push_back(*pin);
    }
    const Result<std::vector<KeepRule>> rules = pinRules(tape, plan.pins);
    if (!rules)
        list.fail(*rules.error().code, rules.error().arguments);
    return rules ? *rules : std::vector<KeepRule>(tape.stages.size());
}

/// What is kept must be what the pins allow and, for a strategy with a rule, what the rule says; so must the order.
void checkDecisions(const JsonCursor& root, const Plan& plan, const std::vector<KeepRule>& rules)
{
    const StepTape& tape = plan.step->tape;
    Chain chain = plan.step->chain;
    requireOneForward(chain, rules);
    if (const Result<ReplayResult> runs = replay(chain, plan.schedule); !runs)
        root["schedule"].fail(*runs.error().code, runs.error().arguments);
    std::vector<KeepSet> expected = plan.keep;
    if (!plan.strategy.isPlanner()) {
        const Result<Plan> rule = fixedPlan(tape, plan.device, plan.strategy, rules, plan.budget);
        if (!rule)
            root["strategy"].fail(*rule.error().code, rule.error().arguments);
        else
            expected = rule->keep;
        if (rule && plan.strategy.ordersStages() && plan.keep == rule->keep)
            requireSame(root["schedule"], toJson(rule->schedule, rule->step->chain));
    }
    const std::vector<JsonCursor> stages = root["stages"].elements();
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        const JsonCursor at = stages[s]["keep_set"];
        if (!rules[s].allows(plan.keep[s]))
            at.fail(kAgainstPins, {keepSetName(stage, plan.keep[s])});
        if (plan.keep[s] != expected[s])
            failDisagreeing(at, keepSetName(stage, plan.keep[s]), keepSetName(stage, expected[s]));
    }
}

/// A plan whose order of stages is the file's own.
Result<Plan> readOrderedPlan(
    const JsonCursor& list, const StepTape& tape, const Device& device, const std::vector<KeepSet>& keep)
{
    Schedule schedule = readSchedule(list, buildFixedChain(tape, device, keep).chain);
    return derivePlan(tape, device, keep, std::move(schedule));
}

} // namespace

json toJson(const Plan& plan)
{
    json pins = json::array();
    for (const Pin& pin : plan.pins)
        pins.push_back(toText(pin));
    return {{"format", kFormat}, {"version", kVersion}, {"model", toJson(plan.shape())},
        {"parameters", plan.step->tape.parameterCount()}, {"setup", toJson(plan.setup())},
        {"device", toJson(plan.device)}, {"budget_bytes", optionalJson(plan.budget)},
        {"strategy", toName(plan.strategy)}, {"pins", pins}, {"fits", plan.fits()}, {"fits_device", plan.fitsDevice()},
        {"prediction", predictionJson(plan)}, {"proof", proofJson(plan)}, {"realization", "runtime"},
        {"stages", stagesJson(plan)}, {"chain", toJson(plan.step->chain)},
        {"schedule", toJson(plan.schedule, plan.step->chain)},
        {"assumptions",
            {"every forward of an op runs the same kernel", "bytes are rounded up to the device's granule",
                plan.device.measuredOps.empty()
                    ? "times are roofline estimates of the device"
                    : "times are measured on the device, op by op; of ops that were not, roofline estimates",
                "gradients exist from the backward that makes them"}}};
}

std::string planFileText(const Plan& plan)
{
    return jsonText(toJson(plan), 1) + "\n";
}

Result<Plan> parsePlan(std::string_view text, const std::string& where)
{
    const Result<json> document = parseJson(text, where);
    if (!document)
        return document.error();
    const JsonCursor root(*document, where);
    root.requireFormat(kFormat, kVersion);
    if (root.failed())
        return root.error();
    const ModelShape shape = readModelShape(root["model"]);
    const TrainingSetup setup = withDefaults(shape, readTrainingSetup(root["setup"]));
    const Device device = readDevice(root["device"]);
    if (root.failed())
        return root.error();
    if (auto valid = validate(shape, setup); !valid)
        return inFile(valid.error(), where);
    if (auto stored = checkPrecision(setup, device); !stored)
        return inFile(stored.error(), where);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    std::vector<KeepSet> keep = readKeepSets(root["stages"], tape);
    const std::optional<Bytes> budget = root["budget_bytes"].optionalBytes();
    const Result<Strategy> strategy = parseStrategy(root["strategy"].string());
    if (root.failed())
        return root.error();
    if (!strategy)
        return inFile(strategy.error(), where);
    Result<Plan> derived = strategy->ordersStages() ? readOrderedPlan(root["schedule"], tape, device, keep)
                                                    : Result<Plan>(derivePlan(tape, device, keep));
    if (root.failed())
        return root.error();
    if (!derived)
        return inFile(derived.error(), where);
    Plan plan = *std::move(derived);
    plan.budget = budget;
    plan.strategy = *strategy;
    if (auto applies = strategyApplies(plan.strategy, tape); !applies)
        return inFile(applies.error(), where);
    const std::vector<KeepRule> rules = readPins(root["pins"], tape, plan);
    checkDecisions(root, plan, rules);
    plan.proof = readProof(root["proof"], plan);
    const json expected = toJson(plan);
    for (const char* key : {"parameters", "fits", "prediction", "stages", "chain", "schedule", "realization"})
        requireSame(root[key], expected[key]);
    // Older files say nothing of it.
    if (root.has("fits_device"))
        requireSame(root["fits_device"], expected["fits_device"]);
    // What was read as a default or not at all: keys that older files lack may be missing, but not say something else.
    for (const char* object : {"setup", "device"})
        for (const auto& [key, value] : expected[object].items())
            if (root[object].has(key))
                requireSame(root[object][key], value);
    if (root.failed())
        return root.error();
    return plan;
}

Result<Plan> readPlan(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    return text ? parsePlan(*text, path) : Result<Plan>(text.error());
}

} // namespace remat
