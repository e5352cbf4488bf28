// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/chain/chain.h"
#include "core/chain/keep_replay.h"
#include "core/chain/keep_set.h"

namespace remat {

/// What the person demands of a stage: ops that must be kept and ops that must not be.
struct KeepRule {
    KeepSet mustKeep = 0;
    KeepSet mustDrop = 0;

    bool allows(KeepSet set) const { return (set & mustKeep) == mustKeep && (set & mustDrop) == 0; }
    bool operator==(const KeepRule&) const = default;
};

/// An option with the keep-set that it stands for.
struct KeepOption {
    KeepSet keep = 0;
    Option option;
};

/// The option of one keep-set, by replaying its script: saved bytes, transients, reruns and recompute time are
/// simulated, never guessed.
KeepOption makeOption(const StageFacts& stage, KeepSet keep);

/// What changes when some ops are not kept and all others are.
struct DropPrice {
    Bytes freed;      ///< between forward and backward
    Nanoseconds time; ///< that the backward takes longer
};
/// Of dropping these ops while everything else is kept.
DropPrice priceOfDropping(const StageFacts& stage, KeepSet dropped);
/// Of holding `less` where `more` was held (less is a part of more).
DropPrice priceBetween(const StageFacts& stage, KeepSet more, KeepSet less);

/// Every allowed keep-set that no other one beats in (saved, forward peak, backward peak, time, reruns), least saved
/// bytes first.  2^candidates replays: about 0.3 ms for the 2^7 sets of a GPT-2 block, a fraction of that where
/// `remembered` has them.
std::vector<KeepOption> enumerateOptions(const StageFacts& stage, KeepRule rule, KeepReplays* remembered = nullptr);

} // namespace remat
