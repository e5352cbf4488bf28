// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_proof_json.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/plan/file_agreement.h"
#include "core/plan/nested_planner.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr MessageCode kBadGap{"plan-gap-out-of-bounds",
    REMAT_TR("A gap of {0} is none: it is 0 where the plan is exact, and never below."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};
constexpr MessageCode kBadLeast{"plan-least-out-of-bounds",
    REMAT_TR("The least budget {0} is outside {1} to {2}, the plan's base and its peak."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};

constexpr std::array<const char*, 3> kFacts{"bound_ns", "least_binding", "states"};

bool isNestedClass(std::string_view name)
{
    return name == nameOf(NestedClass::NoDrop) || name == nameOf(NestedClass::DropLean)
        || name == nameOf(NestedClass::Drop);
}

/// An op of this chain.  In a merged frontier the leanest plan may have other variants, but it has the same stages.
BindingOp readBinding(const JsonCursor& at, const Plan& plan, Bytes leastPeak)
{
    using Kind = BindingOp::Kind;
    const Chain& chain = plan.step->chain;
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
        failDisagreeing(at["op"], name, "base, forward, backward or step-end");
    if (binding.kind == Kind::Forward || binding.kind == Kind::Backward) {
        const std::int64_t stage = at["stage"].integer(1, static_cast<std::int64_t>(chain.stages.size()));
        if (at.failed())
            return binding;
        binding.stage = static_cast<int>(stage) - 1;
        binding.stageName = chain.stages[static_cast<std::size_t>(binding.stage)].name;
    }
    requireSame(at, bindingJson(binding));
    return binding;
}

/// Where this plan is itself the leanest, its own replay says what binds.
void requireOwnBinding(const JsonCursor& at, const Plan& plan, Bytes leastPeak)
{
    const bool isLeanest = leastPeak == plan.prediction.peak && plan.setup().variants == VariantChoice::Fixed;
    if (at.failed() || !isLeanest)
        return;
    if (const Result<BindingOp> own = bindingOp(plan.step->chain, plan.schedule))
        requireSame(at, bindingJson(*own));
}

/// The facts of the solve.
void readFacts(const JsonCursor& at, const Plan& plan, PlanProof& proof)
{
    const JsonCursor binding = at["least_binding"];
    proof.leastBinding = readBinding(binding, plan, *proof.leastPeak);
    if (!at.failed() && proof.leastBinding->kind == BindingOp::Kind::Base && *proof.leastPeak != plan.prediction.base)
        failDisagreeing(binding["op"], "base", "an op: the least budget is above the base");
    requireOwnBinding(binding, plan, *proof.leastPeak);
    // Each stage has a state at least.
    proof.states = at["states"].integer(static_cast<std::int64_t>(plan.step->chain.stages.size()), kMaxQuantity);
    requireSame(at["bound_ns"], json(proof.bound(plan.prediction.time).value));
}

} // namespace

json bindingJson(const BindingOp& binding)
{
    const bool isOp = binding.stage >= 0;
    return {{"op", nameOf(binding.kind)}, {"stage", isOp ? json(binding.stage + 1) : json(nullptr)},
        {"name", isOp ? json(binding.stageName) : json(nullptr)}};
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
        failDisagreeing(at["class"], proof.planClass, planClass);
    if (!isOptimal && !proof.isExact)
        failDisagreeing(at["exact"], "false", "true");
    if (proof.gap < 0 || (proof.isExact && proof.gap != 0))
        at["gap"].fail(kBadGap, {proof.gap});
    const JsonCursor least = at["least_budget_bytes"];
    if (proof.leastPeak.has_value() != isOptimal)
        failDisagreeing(least, shownJson(least.raw()), isOptimal ? "a size" : "null");
    else if (isOptimal && (*proof.leastPeak > plan.prediction.peak || *proof.leastPeak < plan.prediction.base))
        least.fail(kBadLeast, {*proof.leastPeak, plan.prediction.base, plan.prediction.peak});
    const bool hasFacts = std::any_of(kFacts.begin(), kFacts.end(), [&](const char* key) { return at.has(key); });
    if (at.failed() || !hasFacts)
        return proof;
    if (isOptimal)
        readFacts(at, plan, proof);
    else
        failDisagreeing(at, "facts of a solve", "a plan of the rule " + toName(plan.strategy));
    return proof;
}

} // namespace remat
