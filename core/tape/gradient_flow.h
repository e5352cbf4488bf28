// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/tape/tape.h"

namespace remat {

/// How an op's backward writes the gradient of one value it read.
struct GradientWrite {
    enum class Mode {
        Create,      ///< into a new buffer
        Accumulate,  ///< adds into the buffer that a later op has already made
        PassThrough, ///< the output's gradient buffer is also this gradient (residual add)
        Adopt        ///< a value that the forward made (chunked head) becomes the gradient
    };
    int tensor = 0;
    int slot = 0;
    Mode mode = Mode::Create;
    int adoptedValue = -1; ///< Adopt: the value tensor
};

struct OpGradients {
    std::vector<int> incoming; ///< slot of the gradient of each of op.writes, -1 where there is none
    std::vector<GradientWrite> outgoing;
};

/// The gradient buffers ("slots") of one stage's backward and who writes them.  It depends on the tape alone and not on
/// what is kept, because backward always walks the ops in reverse.
///
/// The residual gradient passes through in place: the gradient of an add's output is the gradient of its skip input
/// and, as a view, of its branch.  The view must be dead before the buffer is written again; building the flow asserts
/// that.
struct GradientFlow {
    std::vector<std::string> slotNames;
    std::vector<Bytes> slotBytes;
    std::vector<int> lastOp; ///< op after whose backward the slot is released; -1: it is the stage's outgoing gradient
    std::vector<OpGradients> ops;
    int incoming = -1; ///< slot of the gradient of the stage's output; -1 for the loss stage
    int outgoing = -1; ///< slot of the gradient of the stage's input; -1 for the first stage; may equal `incoming`
};

GradientFlow gradientFlow(const StageTape& tape);

} // namespace remat
