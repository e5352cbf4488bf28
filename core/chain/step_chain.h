// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/chain/chain.h"
#include "core/chain/keep_options.h"
#include "core/cost/device.h"
#include "core/tape/step_tape.h"

namespace remat {

/// A step as the planner sees it, together with what each option means in the tape.
///
/// One StepChain stands for one combination of variants (attention kind, head chunks); where the planner may choose
/// variants, each combination has its own.
struct StepChain {
    StepTape tape;
    Chain chain;
    std::vector<std::vector<OpTimes>> times;    ///< one list a kind
    std::vector<std::vector<KeepSet>> keepSets; ///< distinct lists, parallel to a stage's options
    std::vector<int> keepList;                  ///< of each stage: index into keepSets

    StageFacts factsOf(int stage) const;
    KeepSet keepSet(int stage, int option) const
    {
        return keepSets[static_cast<std::size_t>(keepList[static_cast<std::size_t>(stage)])]
                       [static_cast<std::size_t>(option)];
    }
};

/// Every stage with its useful options under the rules (one a stage; empty = no rules).  `remembered`: replays of
/// earlier calls, which save time where a stage's structure is one of theirs.
StepChain buildStepChain(
    StepTape tape, const Device& device, const std::vector<KeepRule>& rules, KeepReplays* remembered = nullptr);

/// What a rule keeps runs once in the step, so that its stage's forward may not run a second time.  `rules`: as above.
void requireOneForward(Chain& chain, const std::vector<KeepRule>& rules);

/// The same step when each stage keeps one given set: option 0 of every stage.  Where that set drops something, option
/// 1 keeps all, so that the chain's least time is that of a step without recomputation.
StepChain buildFixedChain(StepTape tape, const Device& device, const std::vector<KeepSet>& keep);

} // namespace remat
