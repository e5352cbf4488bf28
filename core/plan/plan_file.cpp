// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_file.h"

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/chain/chain_file.h"
#include "core/chain/schedule_file.h"
#include "core/chain/stage_script.h"
#include "core/cost/device_json.h"
#include "core/cost/device_traits.h"
#include "core/model/model_json.h"
#include "core/model/setup_json.h"
#include "core/plan/nested_planner.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "remat-plan";
constexpr std::int64_t kVersion = 1;

constexpr MessageCode kDisagrees{"plan-disagrees", REMAT_TR("The file says {0}; replaying the plan gives {1}."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kStageCount{"plan-stage-count", REMAT_TR("The file lists {0} stages; the model has {1}."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kAgainstPins{"plan-against-pins", REMAT_TR("The pins of the file do not allow to keep \"{0}\"."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kBadGap{"plan-gap-out-of-bounds",
    REMAT_TR("A gap of {0} is none: it is 0 where the plan is exact, and never below."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kBadLeast{"plan-least-out-of-bounds",
    REMAT_TR("The least budget {0} is outside {1} to {2}, the plan's base and its peak."),
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

json proofJson(const Plan& plan)
{
    const PlanProof& proof = plan.proof;
    json object{{"class", proof.planClass}, {"exact", proof.isExact}, {"gap", proof.gap},
        {"least_budget_bytes", optionalJson(proof.leastPeak)}};
    // What rests on a solve; a rule's plan has none, and older files do not say it.
    if (proof.leastBinding && proof.states)
        object.update({{"bound_ns", proof.bound(plan.prediction.time).value},
            {"least_binding", bindingJson(*proof.leastBinding)}, {"states", *proof.states}});
    return object;
}

/// Compares what the file says with what was derived, key by key.
void requireSame(const JsonCursor& at, const json& derived)
{
    if (at.failed())
        return;
    if (derived.is_object()) {
        for (const auto& [key, value] : derived.items())
            requireSame(at[key], value);
    } else if (derived.is_array()) {
        const std::vector<JsonCursor> elements = at.elements();
        if (elements.size() != derived.size())
            at.fail(kDisagrees, {std::to_string(elements.size()) + " entries", std::to_string(derived.size())});
        for (std::size_t i = 0; i < elements.size() && !at.failed(); ++i)
            requireSame(elements[i], derived[i]);
    } else if (at.raw() != derived) {
        at.fail(kDisagrees, {shownJson(at.raw()), shownJson(derived)});
    }
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
            at.fail(kDisagrees, {keepSetName(stage, plan.keep[s]), keepSetName(stage, expected[s])});
    }
}

bool isNestedClass(std::string_view name)
{
    return name == nameOf(NestedClass::NoDrop) || name == nameOf(NestedClass::DropLean)
        || name == nameOf(NestedClass::Drop);
}

/// An op of this chain.  In a merged frontier the leanest plan may have other variants, but it has the same stages.
BindingOp readBinding(const JsonCursor& at, const Chain& chain, Bytes leastPeak)
{
    using Kind = BindingOp::Kind;
    BindingOp binding;
    binding.peak = leastPeak;
    const std::string name = at["op"].string();
    bool isKnown = false;
    for (const Kind kind : {Kind::Base, Kind::Forward, Kind::Backward, Kind::StepEnd})
        if (name == nameOf(kind)) {
            binding.kind = kind;
            isKnown = true;
        }
    if (!at.failed() && !isKnown)
        at["op"].fail(kDisagrees, {name, std::string("base, forward, backward or step-end")});
    if (binding.kind != Kind::Forward && binding.kind != Kind::Backward)
        return binding;
    const std::int64_t stage = at["stage"].integer(1, static_cast<std::int64_t>(chain.stages.size()));
    if (at.failed())
        return binding;
    binding.stage = static_cast<int>(stage) - 1;
    binding.stageName = chain.stages[static_cast<std::size_t>(binding.stage)].name;
    requireSame(at["name"], json(binding.stageName));
    return binding;
}

/// The facts of the solve, where the file has them.
void readFacts(const JsonCursor& at, const Plan& plan, PlanProof& proof)
{
    if (at.failed() || !proof.leastPeak || !at.has("states"))
        return;
    proof.leastBinding = readBinding(at["least_binding"], plan.step->chain, *proof.leastPeak);
    // Each stage has a state at least.
    proof.states = at["states"].integer(static_cast<std::int64_t>(plan.step->chain.stages.size()), kMaxQuantity);
    requireSame(at["bound_ns"], json(proof.bound(plan.prediction.time).value));
}

PlanProof readProof(const JsonCursor& at, const Plan& plan)
{
    PlanProof proof{
        at["class"].string(), at["exact"].boolean(), at["gap"].number(), at["least_budget_bytes"].optionalBytes()};
    if (at.failed())
        return proof;
    const bool isOptimal = plan.strategy.isPlanner();
    const bool isNested = plan.strategy.kind == Strategy::Kind::OptimalNested;
    const std::string planClass = isNested ? "nested" : isOptimal ? "flat" : "fixed";
    const bool isKnown = isNested ? isNestedClass(proof.planClass) : proof.planClass == planClass;
    if (!isKnown)
        at["class"].fail(kDisagrees, {proof.planClass, planClass});
    if (!isOptimal && !proof.isExact)
        at["exact"].fail(kDisagrees, {std::string("false"), std::string("true")});
    if (proof.gap < 0 || (proof.isExact && proof.gap != 0))
        at["gap"].fail(kBadGap, {proof.gap});
    const JsonCursor least = at["least_budget_bytes"];
    if (proof.leastPeak.has_value() != isOptimal)
        least.fail(kDisagrees, {shownJson(least.raw()), std::string(isOptimal ? "a size" : "null")});
    else if (isOptimal && (*proof.leastPeak > plan.prediction.peak || *proof.leastPeak < plan.prediction.base))
        least.fail(kBadLeast, {*proof.leastPeak, plan.prediction.base, plan.prediction.peak});
    readFacts(at, plan, proof);
    return proof;
}

/// A plan whose order of stages is the file's own.
Result<Plan> readOrderedPlan(
    const JsonCursor& list, const StepTape& tape, const Device& device, const std::vector<KeepSet>& keep)
{
    Schedule schedule = readSchedule(list, buildFixedChain(tape, device, keep).chain);
    return derivePlan(tape, device, keep, std::move(schedule));
}

} // namespace

json bindingJson(const BindingOp& binding)
{
    const bool isOp = binding.stage >= 0;
    return {{"op", nameOf(binding.kind)}, {"stage", isOp ? json(binding.stage + 1) : json(nullptr)},
        {"name", isOp ? json(binding.stageName) : json(nullptr)}};
}

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
                "times are roofline estimates of the device", "gradients exist from the backward that makes them"}}};
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
