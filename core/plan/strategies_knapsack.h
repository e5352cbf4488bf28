// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/chain/keep_set.h"
#include "core/tape/step_tape.h"

namespace remat {

/// What a 0-1 knapsack of real sizes, rounded to `quanta` steps of a whole, may hold; the order is that of the ops.
struct KnapsackItem {
    double weight = 0.0; ///< as a share of the whole
    std::int64_t value = 0;
};
inline constexpr std::int64_t kKnapsackQuanta = 10'000;

/// Which items dp_knapsack of torch/_functorch/_activation_checkpointing/knapsack.py takes: the most value whose
/// *rounded* weights fit into the rounded capacity; of equal values those without the later item.  Weights below half a
/// quantum are free, so the true sum may exceed the capacity: that is one of this rule's faults.
std::vector<bool> quantizedKnapsack(const std::vector<KnapsackItem>& items, double capacity);

/// PyTorch's activation_memory_budget (torch/_functorch/partitioners.py, solver "dp", estimator "flops") on the ops of
/// the layers: which outputs to save so that the *saved* bytes stay within a limit and the most FLOPs need not run
/// again.  The limit counts all that is saved; embedding, head and what lies between stages come first.  A pointwise op
/// counts one FLOP.  Products whose output no backward reads cannot be saved here; their FLOPs count with the op that
/// they lead to.  What recomputation itself needs in the backward is not in the rule, which is why its plans overshoot.
std::vector<KeepSet> knapsackKeepSets(const StepTape& tape, Bytes savedLimit);

} // namespace remat
