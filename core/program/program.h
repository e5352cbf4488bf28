// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/tape/step_tape.h"

namespace remat {

/// Why a buffer exists; the bands of the memory bar and of the timeline.
enum class BufferRole {
    WeightGradient, ///< lives until the optimizer step
    Boundary,       ///< a stage's output
    Saved,          ///< a value inside a stage; held over to its backward it counts as saved
    Gradient,       ///< of an activation
    Workspace
};

/// A buffer of the step that is not resident throughout.  One number stands for one place in the tape; it may be
/// allocated more than once (kept by a forward, made again by a rerun) but never twice at a time.
struct Buffer {
    std::string name; ///< "layer 3: gelu", "layer 3: d ffn_up"
    Bytes bytes;
    BufferRole role = BufferRole::Saved;
    int stage = 0;
    int tensor = -1; ///< of the stage's tape, for values
};

/// Where an op finds its operands.  Numbers are buffers; -1 is absent.
struct OpCall {
    struct Target {
        int buffer = -1;
        bool accumulates = false; ///< adds to what is there instead of writing
    };
    std::vector<int> reads;              ///< parallel to Op::reads
    std::vector<int> writes;             ///< parallel to Op::writes
    std::vector<int> backwardReads;      ///< parallel to Op::backwardReads
    std::vector<int> gradientsIn;        ///< gradients of Op::writes
    std::vector<Target> gradientsOut;    ///< gradients of the values read, in the order of GradientFlow
    std::vector<Target> weightGradients; ///< parallel to Op::parameters
    int workspace = -1;
};

struct Instruction {
    enum class Kind { Allocate, Release, Forward, Backward, OptimizerStep };
    Kind kind = Kind::Allocate;
    int buffer = -1; ///< Allocate, Release
    int stage = -1;  ///< Forward, Backward
    int op = -1;
    int call = -1;
    bool isRerun = false; ///< Forward: the op ran before in this step
    bool isHeld = false;  ///< Allocate: kept from this forward to the stage's backward
    Nanoseconds time;
};

/// A training step as a list that a machine executes: allocate, run, recompute, backward, free.  The same program is
/// replayed dry (core/program/timeline.h) and really run (core/run/executor.h).
struct Program {
    std::vector<Buffer> buffers;
    std::vector<OpCall> calls;
    std::vector<Instruction> instructions;
    std::vector<int>
        gradientOf; ///< of each parameter: the buffer that holds its gradient at the optimizer step; -1: in base
    int lossBuffer = -1;
};

} // namespace remat
