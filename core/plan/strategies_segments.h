// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/chain/chain.h"
#include "core/chain/keep_options.h"
#include "core/chain/schedule.h"
#include "core/plan/strategy.h"

namespace remat {

/// Stages first..last that run forward keeping nothing and, when the gradient reaches them, all run forward again.
struct Segment {
    int first = 0;
    int last = 0;

    bool operator==(const Segment&) const = default;
};

/// The segments of a strategy that checkpoints them, one function a rule in the .cpp.  Embedding and head are in none,
/// and a layer with a keep pin runs once, so segments part there.  Precondition: strategy.rerunsSegments().
std::vector<Segment> segmentsOf(const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules);

/// The step in which only the input of each segment is held, as torch.utils.checkpoint and Megatron's
/// CheckpointFunction do it: backward reaches the segment, all of its stages run forward with option 0 of the chain,
/// then backward.  The whole forward runs again, the last product too (no early stop).  Stages outside run once, with
/// option 0.
Schedule segmentSchedule(const Chain& chain, const std::vector<Segment>& segments);

} // namespace remat
