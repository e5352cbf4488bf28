// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/chain/pins.h"
#include "core/chain/schedule.h"
#include "core/chain/step_chain.h"
#include "core/cost/device_memory.h"
#include "core/plan/frontier.h"
#include "core/plan/strategy.h"

namespace remat {

/// What a plan will take.
struct Prediction {
    Bytes peak;            ///< largest allocated bytes in the step, optimizer step included; the budget limits it
    Message peakAt;        ///< phase, stage and op that reach it
    Bytes saved;           ///< live at the end of forward minus base, boundaries and loss included
    Bytes base;            ///< live before forward
    Bytes reserved;        ///< what the allocator holds; the runtime profile's machines hold what they allocate
    Bytes device;          ///< reserved and the driver's context
    Nanoseconds time;      ///< forward, loss and backward of one micro-batch, recomputation included
    Nanoseconds overhead;  ///< of that, what recomputation costs
    Nanoseconds keepAll;   ///< keepAllTime(): what extra time is measured against
    Nanoseconds optimizer; ///< the optimizer step
    std::int64_t reruns = 0;

    /// All micro-batches and the optimizer step.
    Nanoseconds stepTime(const TrainingSetup& setup) const { return setup.microBatches * time + optimizer; }
};

/// What a step whose micro-batches take `time` takes above one whose micro-batches take `keepAll`, as a share of that.
inline double shareAbove(Nanoseconds keepAll, Nanoseconds time, Nanoseconds optimizer, std::int64_t microBatches)
{
    return ratio(microBatches * (time - keepAll), microBatches * keepAll + optimizer);
}

/// How good a plan is known to be.
struct PlanProof {
    std::string planClass;          ///< "flat" or a nested class for a planner's answer, "fixed" for a rule's
    bool isExact = true;            ///< no thinning inside the class
    double gap = 0.0;               ///< certified: time above the best of the class, as a share
    std::optional<Bytes> leastPeak; ///< smallest budget that any plan of the class meets
    std::optional<BindingOp> leastBinding = std::nullopt; ///< what the plan of that budget cannot do without
    std::optional<std::int64_t> states = std::nullopt;    ///< Frontier::states(), of all variants together

    /// No plan of the class within the same budget takes less time than this: the plan's own where it is exact.
    Nanoseconds bound(Nanoseconds time) const;
};

/// A decision for every stage, with everything that it was derived from.
struct Plan {
    Device device;
    std::vector<Pin> pins;
    std::optional<Bytes> budget;
    Strategy strategy;
    std::vector<KeepSet> keep;             ///< of each stage
    std::shared_ptr<const StepChain> step; ///< buildFixedChain() of `keep`
    Schedule schedule;
    Prediction prediction;
    PlanProof proof;

    /// The schedule where the order of stages is the plan's own; empty where it follows from `keep`
    /// (core/plan/flat_schedule.h).
    Schedule ownOrder() const;
    const ModelShape& shape() const { return step->tape.shape; }
    const TrainingSetup& setup() const { return step->tape.setup; }
    /// What this plan's step takes above one that recomputes nothing, as a share of that; 0.034 = +3.4 %.
    double extraTime() const
    {
        return shareAbove(prediction.keepAll, prediction.time, prediction.optimizer, setup().microBatches);
    }
    /// Within the budget that was asked for, whatever the device holds.
    bool fits() const { return !budget || prediction.peak <= *budget; }
    /// Within the device's memory, the driver's context included, whatever the budget says.
    bool fitsDevice() const { return remat::fitsDevice(prediction.reserved, device); }
};

/// Derives schedule and prediction of a set of decisions; budget, strategy, pins and proof are the caller's to fill.
Plan derivePlan(const StepTape& tape, const Device& device, std::vector<KeepSet> keep);
/// The same for stages that run in an order of their own, with re-forwards (docs/planner.md): `schedule` speaks of
/// buildFixedChain(), where option 0 keeps the stage's set.
/// Errors: a forward that keeps another set; those of replay().
Result<Plan> derivePlan(const StepTape& tape, const Device& device, std::vector<KeepSet> keep, Schedule schedule);

/// The plan of a fixed strategy under the pins' rules (empty: none); pins themselves are the caller's to fill.
/// Errors: those of rotorPlan() for that strategy; the others always have a plan.
/// Preconditions: the strategy is no planner and applies.
Result<Plan> fixedPlan(const StepTape& tape, const Device& device, const Strategy& strategy,
    const std::vector<KeepRule>& rules, std::optional<Bytes> budget);

/// The time of the optimizer step on a device, whose memory it keeps busy (optimizerTraffic()).
Nanoseconds optimizerTime(const StepTape& tape, const Device& device);

} // namespace remat
