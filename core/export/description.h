// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/plan/plan.h"
#include "core/tape/step_tape.h"

namespace remat {

/// Sums over the ops of one sublayer of one stage.
struct SublayerRow {
    Sublayer sublayer = Sublayer::Embedding;
    Bytes kept;    ///< held until backward when nothing is recomputed
    Bytes made;    ///< all outputs, also those that no backward reads
    Bytes weights; ///< of the parameters that its ops use and that no earlier stage counts
    Bytes tied;    ///< of those that an earlier stage counts: the head's table is the embedding's
    Flops forwardFlops, backwardFlops;
    Nanoseconds forwardTime, backwardTime;
};

/// One tensor of a stage.
struct TensorRow {
    Tensor tensor;
    std::string madeBy;              ///< op; empty for the stage's input
    std::vector<std::string> readBy; ///< ops whose backward reads it
    bool isKept = false;             ///< held until backward when nothing is recomputed
    /// What the backward takes longer when this tensor's op alone is not kept and all its neighbours are; absent where
    /// there is no such choice: no backward reads it, or it is the stage's input or output.
    std::optional<Nanoseconds> recomputeTime;
    std::vector<std::string> recomputedOps; ///< ops that run again for that, in their order
};

/// One op of a stage with its times on the device.
struct OpRow {
    Op op;
    std::vector<std::string> backwardReads; ///< names of the tensors
    bool canBeKept = false;
    OpTimes times;
};

/// One kind of stage: everything that its tape says, for people.
struct KindDescription {
    std::string kind;
    std::int64_t count = 0;             ///< stages of this kind
    std::int64_t parameters = 0;        ///< those that no earlier stage counts
    std::int64_t tiedParameters = 0;    ///< and those that one does
    std::vector<SublayerRow> sublayers; ///< in forward order
    std::vector<TensorRow> tensors;
    std::vector<OpRow> ops;
    SublayerRow total;
};

/// A step described: where its memory goes and what each tensor costs to make again.
struct Description {
    std::vector<KindDescription> kinds;
    SublayerRow total;           ///< all stages; shared weights count once
    BaseBytes base;              ///< resident all step long
    Prediction keepAll;          ///< nothing recomputed
    std::int64_t boundaries = 0; ///< outputs of stages that stay until backward
    Bytes boundaryBytes;         ///< and their bytes: the inputs of the stages after them
};

/// One kind of stage; its count is for describe() to fill.
KindDescription describeKind(const StageFacts& facts);

/// O(kinds * ops^2).
Description describe(const StepTape& tape, const Device& device);

} // namespace remat
