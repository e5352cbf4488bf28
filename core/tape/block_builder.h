// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/training_setup.h"
#include "core/tape/machine_traits.h"
#include "core/tape/tape.h"

namespace remat {

class TapeWriter;

/// Builds the three kinds of stage of a runtime-profile model from its features alone.
///
/// Pre-norm block (GPT-2):          Post-norm block (BERT):
///   n1 = norm1(x)                    s1 = x + drop(attention(x))
///   x1 = x + drop(attention(n1))     x1 = norm1(s1)
///   n2 = norm2(x1)                   s2 = x1 + drop(ffn(x1))
///   y  = x1 + drop(ffn(n2))          y  = norm2(s2)
/// where attention is qkv (-> rotary) -> core -> attn_out and ffn is ffn_up -> gelu -> ffn_down, or with a gate (LLaMA)
/// (ffn_gate, ffn_up) -> swiglu -> ffn_down.  A norm is a layer norm or an RMS norm.  A dropout of probability 0 makes
/// no op.  Preconditions: validate(shape, setup) holds and setup.sequence is positive.
class BlockBuilder {
public:
    BlockBuilder(const ModelShape& shape, const TrainingSetup& setup, MachineTraits traits);

    StageTape embedding() const;
    StageTape block() const;
    StageTape head() const;

private:
    int norm(TapeWriter& tape, const std::string& name, const std::string& module, int x, const char* outputName,
        TensorRole role) const;
    int feedForward(TapeWriter& tape, int x) const;

    ModelShape m_shape;
    TrainingSetup m_setup;
    Dropouts m_dropout;
    MachineTraits m_traits;
};

} // namespace remat
