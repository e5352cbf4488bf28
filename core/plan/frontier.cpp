// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/frontier.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/chain/chain_replay.h"

namespace remat {

namespace {

constexpr const char* kLessState
    = REMAT_TR("Raise the budget to {3}. Half precision, an optimizer with less state or GPUs "
               "that share them (ZeRO) shrink this part; a smaller batch hardly does.");
constexpr const char* kLargerBudget = REMAT_TR("Raise the budget to {3}, or lower the batch or the sequence length.");
constexpr const char* kLargerBudgetOrNested = REMAT_TR(
    "Raise the budget to {3}, or lower the batch or the sequence length. What no flat plan can do, the strategy "
    "optimal-nested may.");
constexpr const char* kForwardText
    = REMAT_TR("No {6} plan fits into {0}: the leanest needs {1}, {2} more; the forward of stage {4} ({5}) binds.");
constexpr const char* kBackwardText
    = REMAT_TR("No {6} plan fits into {0}: the leanest needs {1}, {2} more; the backward of stage {4} ({5}) binds.");
constexpr MessageCode kBase{"does-not-fit-base",
    REMAT_TR("Nothing fits into {0}: weights, optimizer state and inputs alone need {1}, {2} more."), kLessState,
    ExitCode::DoesNotFit};
constexpr MessageCode kForward{"does-not-fit-forward", kForwardText, kLargerBudgetOrNested, ExitCode::DoesNotFit};
constexpr MessageCode kBackward{"does-not-fit-backward", kBackwardText, kLargerBudgetOrNested, ExitCode::DoesNotFit};
// Who has the nested planner's refusal is not sent to it.
constexpr MessageCode kNestedForward{"does-not-fit-nested-forward", kForwardText, kLargerBudget, ExitCode::DoesNotFit};
constexpr MessageCode kNestedBackward{
    "does-not-fit-nested-backward", kBackwardText, kLargerBudget, ExitCode::DoesNotFit};
constexpr MessageCode kStepEnd{"does-not-fit-step-end",
    REMAT_TR("Nothing fits into {0}: the optimizer step with all weight gradients needs {1}, {2} more."), kLessState,
    ExitCode::DoesNotFit};
constexpr MessageCode kCancelled{"solve-cancelled", REMAT_TR("The solve was stopped before it ended."),
    REMAT_TR("Start it again."), ExitCode::Usage};

} // namespace

std::string_view nameOf(BindingOp::Kind kind)
{
    switch (kind) {
    case BindingOp::Kind::Forward:
        return "forward";
    case BindingOp::Kind::Backward:
        return "backward";
    case BindingOp::Kind::StepEnd:
        return "step-end";
    case BindingOp::Kind::Base:
        break;
    }
    return "base";
}

Result<BindingOp> bindingOp(const Chain& chain, const Schedule& schedule)
{
    const Result<ReplayResult> result = replay(chain, schedule);
    if (!result)
        return result.error();
    BindingOp binding;
    binding.peak = result->peak;
    switch (result->peakMoment) {
    case PeakMoment::Start:
        break;
    case PeakMoment::StepEnd:
        binding.kind = BindingOp::Kind::StepEnd;
        break;
    case PeakMoment::DuringOp:
    case PeakMoment::AfterOp:
        const ScheduleOp& op = schedule[result->peakOp];
        binding.kind = op.kind == ScheduleOp::Kind::Forward ? BindingOp::Kind::Forward : BindingOp::Kind::Backward;
        binding.stage = op.stage;
        break;
    }
    if (binding.stage >= 0)
        binding.stageName = chain.stages[static_cast<std::size_t>(binding.stage)].name;
    return binding;
}

Error doesNotFit(Bytes budget, const BindingOp& leastBinding, std::string_view planClass)
{
    // The advice is rounded up, so that who types what was printed gets a plan.
    std::vector<MessageArgument> arguments{
        budget, leastBinding.peak, leastBinding.peak - budget, roundedUpAsPrinted(leastBinding.peak)};
    switch (leastBinding.kind) {
    case BindingOp::Kind::Base:
        return {&kBase, "", std::move(arguments)};
    case BindingOp::Kind::StepEnd:
        return {&kStepEnd, "", std::move(arguments)};
    case BindingOp::Kind::Forward:
    case BindingOp::Kind::Backward:
        break;
    }
    arguments.emplace_back(std::int64_t{leastBinding.stage} + 1);
    arguments.emplace_back(leastBinding.stageName);
    arguments.emplace_back(std::string(planClass));
    const bool isForward = leastBinding.kind == BindingOp::Kind::Forward;
    const MessageCode* const code = planClass == "flat" ? isForward ? &kForward : &kBackward
        : isForward                                     ? &kNestedForward
                                                        : &kNestedBackward;
    return {code, "", std::move(arguments)};
}

Error solveCancelled(const Chain& chain)
{
    return {&kCancelled, chain.name, {}};
}

std::size_t lastWithin(std::span<const FrontierPoint> points, Bytes budget)
{
    const auto above = std::upper_bound(
        points.begin(), points.end(), budget, [](Bytes b, const FrontierPoint& point) { return b < point.peak; });
    return above == points.begin() ? points.size() : static_cast<std::size_t>(above - points.begin()) - 1;
}

Result<std::size_t> Frontier::cheapestWithin(Bytes budget) const
{
    const std::size_t point = lastWithin(m_points, budget);
    if (point == m_points.size())
        return doesNotFit(budget, m_leastBinding, m_planClass);
    return point;
}

} // namespace remat
