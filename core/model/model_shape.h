// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace remat {

/// What decides how a block is built.  A new model_type is a row that maps config keys to these features; the one block
/// builder (core/tape/block_builder.h) reads nothing else.
enum class NormPlace { Pre, Post };
enum class NormKind { LayerNorm, RmsNorm };  ///< RMSNorm (Zhang & Sennrich 2019) has neither mean nor bias
enum class PositionKind { Learned, Rotary }; ///< a table added to the tokens, or turned queries and keys (RoPE)
enum class Activation { Gelu, GeluTanh, Relu, Silu };
enum class FfnKind { Plain, Gated }; ///< down(f(up x)), or down(f(gate x) * up x): SwiGLU with f = SiLU
enum class HeadKind { CausalLm, MaskedLm };

/// Dropout probabilities of the training step, each in [0, 1).
struct Dropouts {
    double embedding = 0.0;
    double attention = 0.0;
    double residual = 0.0;

    bool operator==(const Dropouts&) const = default;
};

/// The architecture of a Transformer: sizes and features, nothing about the batch.
///
/// B, T, C, H, K, D, L, V, F of the comments are batch, sequence, hidden width, heads, key/value heads, head width,
/// layers, vocabulary, FFN width (core/notation.md).
struct ModelShape {
    std::string name;      ///< preset name, or the file name of a config
    std::string modelType; ///< Hugging Face's model_type: "gpt2", "bert", "llama", ... (core/model/families.h)
    std::int64_t layers = 0;
    std::int64_t hidden = 0; ///< C
    std::int64_t heads = 0;
    std::int64_t keyValueHeads = 0; ///< fewer heads of keys and values, shared by groups of heads; 0 = as many as heads
    std::int64_t ownHeadWidth = 0;  ///< where heads x head width is not C; 0 = C / heads
    std::int64_t ffn = 0;           ///< F
    std::int64_t vocabulary = 0;
    std::int64_t maxPositions = 0;
    std::int64_t tokenTypes = 0; ///< rows of the token type embedding; 0 = none
    NormPlace normPlace = NormPlace::Pre;
    NormKind norm = NormKind::LayerNorm;
    PositionKind positions = PositionKind::Learned;
    Activation activation = Activation::Gelu;
    FfnKind ffnKind = FfnKind::Plain;
    HeadKind head = HeadKind::CausalLm;
    bool isCausal = true;
    bool hasTiedHead = true;
    bool hasQkvBias = true;
    bool hasAttentionOutBias = true;
    bool hasFfnBias = true;
    double normEpsilon = 1e-5;
    double rotaryBase = 10000.0;    ///< theta of RoPE; without effect on learned positions
    std::int64_t slidingWindow = 0; ///< tokens that a query sees at most; 0 = all.  Longer sequences are refused
    Dropouts dropout;

    /// D.
    std::int64_t headWidth() const { return ownHeadWidth > 0 ? ownHeadWidth : heads > 0 ? hidden / heads : 0; }
    /// K.
    std::int64_t groups() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
    /// H D: what attention makes of each token, and the queries' part of qkv.
    std::int64_t attentionWidth() const { return heads * headWidth(); }
    /// K D: the width of the keys, and of the values.
    std::int64_t keyValueWidth() const { return groups() * headWidth(); }
    /// Tokens that a sequence may have: every query must see all tokens before it.
    std::int64_t longestSequence() const
    {
        return slidingWindow > 0 && slidingWindow < maxPositions ? slidingWindow : maxPositions;
    }
    bool operator==(const ModelShape&) const = default;
};

/// Sets K; as many as heads is written as 0, so that equal models compare equal and K follows H where nothing is
/// grouped.
inline void setGroups(ModelShape& shape, std::int64_t groups)
{
    shape.keyValueHeads = groups == shape.heads ? 0 : groups;
}

/// Sets D in the same way: C / H is written as 0, and so is `width` 0.
inline void setHeadWidth(ModelShape& shape, std::int64_t width)
{
    const bool isUsual = shape.heads > 0 && width * shape.heads == shape.hidden;
    shape.ownHeadWidth = isUsual ? 0 : width;
}

/// Writes K and D in that way again after heads or width were set by hand.
inline void settleHeads(ModelShape& shape)
{
    setGroups(shape, shape.keyValueHeads);
    setHeadWidth(shape, shape.ownHeadWidth);
}

} // namespace remat
