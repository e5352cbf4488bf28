// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/units.h"

namespace remat {

/// One way to run a stage: what it keeps inside between forward and backward, and what that costs.
/// All byte fields as docs/planner.md ("The chain") defines them.
struct Option {
    std::string name;
    Bytes savedBytes; ///< kept inside the stage, without its input and output
    bool needsInput = true;
    bool needsOutput = false;
    Bytes forwardTempBytes;   ///< forward peak above resident + out + saved
    Nanoseconds backwardTime; ///< includes recomputation inside the stage
    Bytes backwardTempBytes;  ///< backward peak above what is resident before it
    std::int64_t reruns = 0;  ///< ops that run again inside the backward

    bool operator==(const Option&) const = default;
};

/// One step of the chain: usually a layer, the embedding, or the head with its loss.
struct Stage {
    std::string name;
    std::string kind; ///< stages with one kind have the same numbers; may be empty
    Bytes outBytes;
    Bytes gradBytes; ///< of the gradient with respect to the output; 0 for the loss stage
    Bytes weightGradBytes;
    Nanoseconds forwardTime;
    Bytes forwardTempBytes; ///< of a forward that keeps nothing
    std::vector<Option> options;
    bool runsOnce = false; ///< no schedule may run its forward a second time

    bool operator==(const Stage&) const = default;
};

/// What the planner plans: stages that run in order, then backward in reverse.
struct Chain {
    std::string name;
    Bytes baseBytes;    ///< resident for the whole step
    Bytes stepEndBytes; ///< what the optimizer step needs on top of base and all weight gradients
    std::vector<Stage> stages;

    bool operator==(const Chain&) const = default;
};

} // namespace remat
