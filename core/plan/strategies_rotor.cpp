// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategies_rotor.h"

#include "core/plan/rotor_500.h"

namespace remat {

namespace {

constexpr MessageCode kFindsNone{"rotor-finds-none", REMAT_TR("rotor with 500 slots finds no schedule within {0}."),
    REMAT_TR("Raise the budget, or use --strategy optimal-nested, which knows no slots."), ExitCode::DoesNotFit};

constexpr MessageCode kTooManyStages{"rotor-too-many-stages",
    REMAT_TR("rotor with 500 slots is not solved for {0} stages: it takes time by their cube."),
    REMAT_TR("Use at most {1} stages, or --strategy optimal-nested."), ExitCode::BadInput};
/// A second or so, and 131 MB of tables.
constexpr std::int64_t kMostStages = 256;

} // namespace

Result<Plan> rotorPlan(
    const StepTape& tape, const Device& device, const std::vector<KeepRule>& rules, std::optional<Bytes> budget)
{
    if (!budget)
        return needsBudget({Strategy::Kind::Rotor500});
    if (const auto stages = static_cast<std::int64_t>(tape.stages.size()); stages > kMostStages)
        return Error{&kTooManyStages, "--strategy", {stages, kMostStages}};
    std::vector<KeepSet> keep = keepSetsOf({Strategy::Kind::None}, tape, rules, {});
    Chain chain = buildFixedChain(tape, device, keep).chain;
    // Where pins forbid something, option 1 would keep it all the same.
    for (Stage& stage : chain.stages)
        stage.options.resize(1);
    requireOneForward(chain, rules);
    std::optional<RotorAnswer> answer = solveRotor500(chain, *budget, RotorStages::Atomic);
    if (!answer)
        return Error{&kFindsNone, "--strategy", {*budget}};
    return derivePlan(tape, device, std::move(keep), std::move(answer->schedule));
}

} // namespace remat
