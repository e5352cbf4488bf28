// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/chain/keep_options.h"
#include "core/tape/step_tape.h"

namespace remat {

/// One demand of the person: "L3.ffn_up=keep", "L3.ffn=recompute", "L3=keep", "*.gelu=recompute",
/// "head.logits=recompute".
///
/// keep: the op runs once in the step.  recompute: its outputs are not held between its stage's last forward and its
/// backward.  A target names an op, a tensor (meaning its op), a sublayer - the first of these that bears the name -
/// or, when empty, the whole stage.
struct Pin {
    static constexpr int kEveryLayer = -1;
    static constexpr int kEmbedding = -2;
    static constexpr int kHead = -3;

    int layer = kEveryLayer;
    std::string target;
    bool isKeep = true;

    bool operator==(const Pin&) const = default;
};

/// Reads PLACE[.TARGET]=keep|recompute.  Errors: exit 2, with the accepted forms.
Result<Pin> parsePin(std::string_view text);
std::string toText(const Pin& pin);

/// The pins as rules, one a stage.  Errors: no such layer or target; an op whose output no backward reads (keeping it
/// would be waste and dropping it is what happens anyway); keep and recompute of one op.
Result<std::vector<KeepRule>> pinRules(const StepTape& step, const std::vector<Pin>& pins);

/// Ops of one stage.
struct StageOps {
    int stage = 0;
    KeepSet ops = 0;

    bool operator==(const StageOps&) const = default;
};

/// What a pin says something about: of each stage that it names, the ops that can be kept.  Errors: as for pinRules().
Result<std::vector<StageOps>> opsOfPin(const StepTape& step, const Pin& pin);

/// The pins with one wish (keep, recompute, or none) for every op of `places` in place of what they said about them.
///
/// A broader pin gives way only where it must: "*.ffn=recompute" without layer 3's gelu becomes "L0.ffn=recompute",
/// "L1.ffn=recompute", ... and, for layer 3, pins of the other ops.  Pins that have the wish already stay as they are;
/// so do pins that name nothing of this step.
std::vector<Pin> replacePins(const StepTape& step, const std::vector<Pin>& pins, const std::vector<StageOps>& places,
    std::optional<bool> isKeep);

/// Stable names of sublayers in pins and files: "norm1", "attention", "ffn", ...
const char* sublayerName(Sublayer sublayer);

} // namespace remat
