// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/model/model_shape.h"

namespace remat::torch {

/// How a fused projection's output becomes queries, keys and values.
enum class QkvLayout : std::uint8_t {
    Separate,
    Columns,     ///< split(C) of the last dimension, then heads: GPT-2
    Slices,      ///< three slices of the last dimension, then heads: Phi-3
    HeadChunks,  ///< (B, S, heads, 3 D) transposed, then chunk(3): GPT-NeoX
    HeadSlots,   ///< (B, S, heads, 3, D), index, then transposed: BLOOM
    FalconGroups ///< the same, or groups of heads with their key and value, each made contiguous: Falcon
};

/// How RoPE is written.
enum class RotaryForm : std::uint8_t {
    Halves,          ///< rotate_half over the whole head: LLaMA
    PartialTogether, ///< part of the head, queries and keys turned, then both put together: GPT-NeoX, Phi
    PartialInLine,   ///< the same in one expression per tensor: Phi-3
    EveryTwo,        ///< rotate_every_two before heads and sequence are exchanged: GPT-J
    HalvesInFloat    ///< tables stay fp32, results are cast back: OLMo 2
};

/// How eager attention is written.
enum class EagerForm : std::uint8_t {
    Model,         ///< softmax in the scores' type: BERT, GPT-2, T5
    Float,         ///< softmax(dtype=float32), cast back: LLaMA and most others
    FloatProducts, ///< queries and keys cast to fp32 first: GPT-J
    Scaled,        ///< the same, queries scaled before: OPT
    GptNeo,        ///< fp32 products, a triangular buffer instead of a mask; no SDPA
    Bloom,         ///< baddbmm onto the ALiBi tensor; no SDPA
    Falcon
};

/// Where the residual stream's dropouts are called.
enum class DropoutPlace : std::uint8_t {
    Layer, ///< in the layer's forward
    Module ///< last thing in the attention and FFN modules: GPT-2, GPT-J, StarCoder2
};

/// How transformers 5.24 writes a model_type's modelling file, where two ways of computing the same thing ask different
/// things of the allocator.  Architecture is in ModelShape; nothing here is a size.
struct Dialect {
    QkvLayout qkv = QkvLayout::Separate;
    RotaryForm rotary = RotaryForm::Halves;
    EagerForm eager = EagerForm::Float;
    DropoutPlace dropout = DropoutPlace::Layer;
    bool hasOutputModules = false; ///< BERT: dense, dropout and norm are modules of their own, out of attention's sight
    bool copiesContext = true; ///< transpose(1, 2).contiguous() at the end of eager attention (GPT-2: no copy there)
    bool keepsBranchOutput = false;  ///< the attention's output has a name of its own, which lives to the layer's end
    bool placesBeforeMask = false;   ///< GPT-2 adds its positions before it makes the mask
    bool flattensFfn = false;        ///< OPT: the FFN sees (B S, C)
    bool keepsTurnedParts = false;   ///< Phi names the turned and the untouched part in attention's own forward
    bool copiesNormInput = false;    ///< T5: the norm multiplies the uncast input
    bool castsNormResult = false;    ///< OLMo 2, Gemma: (weight * x).to(type) instead of weight * x.to(type)
    bool hasTwoRotaryTables = false; ///< Gemma 3: layers with and without a window turn by different angles
    bool hasPositionTable = false;   ///< GPT-J looks its angles up in a table of all positions
    bool hasNativeGroups = true;     ///< the SDPA call may get grouped heads
    const char* lossModule = "CrossEntropyLoss"; ///< of masked and sequence-to-sequence heads
    /// Of DropoutPlace::Module, inside the layer: the dropouts that end its modules, or the attribute with the
    /// probability where the module calls the function (StarCoder2).
    const char* attentionTail = "";
    const char* ffnTail = "";
};

Dialect dialectOf(const ModelShape& shape);

} // namespace remat::torch
