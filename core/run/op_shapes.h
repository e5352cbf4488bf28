// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/kernels.h"
#include "core/run/machine.h"

/// An op's sizes as the kernels take them: what the machines, on the CPU and on a GPU, read out of the tape.
namespace remat {

kernels::RowsShape rowsOf(const Op& op);
kernels::LinearShape linearOf(const Op& op);
kernels::AttentionShape attentionOf(const Op& op);
/// Queries and keys are turned, values are copied.
kernels::RotaryShape rotaryOf(const Op& op);
kernels::EmbeddingShape embeddingOf(const Op& op);
kernels::HeadShape headOf(const Op& op);
kernels::Activation activationOf(const Op& op);
kernels::Dropout dropoutOf(const OpRun& run);
kernels::AdamW adamWOf(const Parameter& parameter, std::int64_t step);

/// Which of an embedding's weights, after the tokens', is the position table and which the types'; 0: there is none.
struct EmbeddingTables {
    std::size_t positions = 0, types = 0;
    explicit EmbeddingTables(const Op& op);
};

/// Of plain SGD; AdamW's own is the same.
inline constexpr float kLearningRate = 1e-3F;
/// The standard deviation of GPT-2's and BERT's initializer_range.
inline constexpr float kInitialDeviation = 0.02F;

} // namespace remat
