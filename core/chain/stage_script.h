// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/chain/keep_set.h"
#include "core/tape/gradient_flow.h"

namespace remat {

/// A buffer as one stage's script names it.
struct ScriptSlot {
    enum class Kind {
        Value,            ///< a tensor of the tape; includes the stage's input and output
        DiscardedOutput,  ///< the stage's output again, made by a rerun and thrown away
        Gradient,         ///< a slot of the GradientFlow
        WeightGradient,   ///< a parameter of the tape
        Workspace,        ///< of the op that runs
        BackwardWorkspace ///< of the op whose backward runs
    };
    Kind kind = Kind::Value;
    int index = 0;

    bool operator==(const ScriptSlot&) const = default;
};

/// One instant of a stage's forward or backward.
struct ScriptStep {
    enum class Kind { Allocate, Release, Move, Forward, Backward };
    Kind kind = Kind::Allocate;
    ScriptSlot slot;   ///< Allocate, Release, Move (from)
    ScriptSlot target; ///< Move
    Bytes bytes;       ///< Allocate, Release, Move
    int op = -1;       ///< Forward, Backward
    bool isRerun = false;
};

/// What a stage does, instant by instant, when it keeps a given set: the one place where liveness is decided.
///
/// Forward frees every value after its last reader unless it is kept.  Backward walks the ops in reverse; when an op's
/// backward reads a value that is absent, the ops that produce it run again just before, each at most once, and what
/// they made lives until its last remaining reader; kept values likewise, so the kept set shrinks during the backward.
/// A kept op's output that nothing in the backward reads is not held.  The input and the output belong to the caller.
/// Chain options, the program's peak and the real run all come from these steps.
struct StageScript {
    std::vector<ScriptStep> forward;
    std::vector<ScriptStep> backward;
    std::vector<int> savedTensors; ///< held between forward and backward
};

StageScript buildStageScript(const StageTape& tape, const GradientFlow& flow, KeepSet keep, bool gradientsInBase);

/// Bytes of a script relative to what is resident before it.
struct ScriptBytes {
    Bytes peak;  ///< largest excess at any instant, at least 0
    Bytes after; ///< resident afterwards minus resident before
};

ScriptBytes measure(const std::vector<ScriptStep>& steps);

} // namespace remat
