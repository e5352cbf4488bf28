// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace remat {

// What decides how a step is built.  A new model_type is a row that maps config keys to these features
// (core/model/families.h); whoever builds the step reads nothing else.

/// Where a block's norms stand; f is attention or FFN.
enum class NormPlace {
    Pre,      ///< x + f(norm x)
    Post,     ///< norm(x + f x): BERT
    Sandwich, ///< x + norm(f(norm x)): Gemma 2 and 3
    Branch    ///< x + norm(f x): OLMo 2
};
enum class NormKind {
    LayerNorm,
    RmsNorm,       ///< neither mean nor bias (Zhang & Sennrich 2019)
    RmsNormPlusOne ///< the same with 1 + weight: Gemma
};
/// Whether the FFN reads what attention made, or both read x: y = x + attention(norm x) + ffn(norm' x), where norm' is
/// norm itself (Falcon-7B, GPT-J, Phi) or a second one (GPT-NeoX, Falcon-40B).
enum class BlockKind { Serial, Parallel, ParallelTwoNorms };
enum class PositionKind {
    Learned,     ///< a table added to the tokens
    Rotary,      ///< turned queries and keys (Su et al. 2021)
    Alibi,       ///< a fixed slope added to the scores (Press et al. 2021)
    RelativeBias ///< a learned bias of the scores by distance, in the first layer of each stack (T5)
};
enum class Activation { Gelu, GeluTanh, Relu, Silu, QuickGelu };
/// How transformers computes GeluTanh: one kernel, or Python ops each of which keeps what it needs, or BLOOM's own
/// autograd function, which keeps its input.  Everything else is Fused.
enum class ActivationForm { Fused, GeluNew, GeluFast, BloomGelu };
enum class FfnKind { Plain, Gated };     ///< down(f(up x)), or down(f(gate x) * up x): SwiGLU with f = SiLU
enum class QkNorm { None, Head, Width }; ///< norm of queries and keys: of each head alone, or of all heads together
enum class BranchDropout { Residual, Attention, None }; ///< which probability drops the attention branch
enum class HeadKind {
    CausalLm,        ///< [final norm] -> logits
    MaskedLm,        ///< dense -> activation -> norm -> logits
    ImageClassifier, ///< final norm -> class token -> labels
    SeqToSeqLm       ///< logits of the decoder's last norm: T5
};

/// Dropout probabilities of the training step, each in [0, 1).
struct Dropouts {
    double embedding = 0.0;
    double attention = 0.0;
    double residual = 0.0;

    bool operator==(const Dropouts&) const = default;
};

/// What stands in place of tokens: an image cut into patches.  No image: all zero.
struct PatchGrid {
    std::int64_t height = 0, width = 0; ///< pixels
    std::int64_t patchHeight = 0, patchWidth = 0;
    std::int64_t channels = 0;
    std::int64_t extraTokens = 0; ///< class token, and DeiT's distillation token

    bool isGiven() const { return patchHeight > 0 && patchWidth > 0; }
    std::int64_t tokens() const { return isGiven() ? (height / patchHeight) * (width / patchWidth) + extraTokens : 0; }
    bool operator==(const PatchGrid&) const = default;
};

/// The architecture of a Transformer: sizes and features, nothing about the batch.
///
/// B, T, C, H, K, D, L, V, F of the comments are batch, sequence, hidden width, heads, key/value heads, head width,
/// layers, vocabulary, FFN width (core/notation.md).  The features of a plain GPT are the defaults.
struct ModelShape {
    std::string name;               ///< preset name, or the file name of a config
    std::string modelType;          ///< Hugging Face's model_type: "gpt2", "bert", "llama", ... (core/model/families.h)
    std::int64_t layers = 0;        ///< of the encoder, where there is a decoder too
    std::int64_t decoderLayers = 0; ///< behind an encoder, with cross attention; 0 = no second stack
    std::int64_t hidden = 0;        ///< C
    std::int64_t heads = 0;
    std::int64_t keyValueHeads = 0; ///< fewer heads of keys and values, shared by groups of heads; 0 = as many as heads
    std::int64_t ownHeadWidth = 0;  ///< where heads x head width is not C; 0 = C / heads
    std::int64_t ffn = 0;           ///< F
    std::int64_t vocabulary = 0;    ///< 0 of images
    std::int64_t maxPositions = 0;  ///< tokens that a sequence may have; kMaxPositions where nothing limits them
    std::int64_t tokenTypes = 0;    ///< rows of the token type embedding; 0 = none

    NormPlace normPlace = NormPlace::Pre;
    NormKind norm = NormKind::LayerNorm;
    bool hasNormWeights = true; ///< false: norms without weight and bias (an option of OPT)
    double normEpsilon = 1e-5;
    BlockKind block = BlockKind::Serial;
    bool hasNormedResidual = false; ///< the skip connection starts behind the norm (an option of BLOOM)

    PositionKind positions = PositionKind::Learned;
    std::int64_t positionOffset = 0;  ///< rows of the position table before the first token's: OPT 2, RoBERTa pad + 1
    double rotaryBase = 10000.0;      ///< theta of RoPE; without effect on other positions
    std::int64_t rotaryWidth = 0;     ///< numbers of a head that RoPE turns; 0 = the whole head
    std::int64_t relativeBuckets = 0; ///< rows of the relative bias's table

    bool isCausal = true;           ///< of the decoder, where there is an encoder too
    std::int64_t slidingWindow = 0; ///< tokens that a query sees at most; 0 = all
    std::string windowPattern;      ///< layers with the window (s) and without (f), repeated: "sf"; empty: all have it
    QkNorm qkNorm = QkNorm::None;
    double queryScale = 0.0;       ///< of queries times keys; 0 = 1 / sqrt(D)
    double attentionSoftcap = 0.0; ///< c tanh(scores / c); 0 = none
    bool hasFusedQkv = false;      ///< one projection makes queries, keys and values
    bool hasQkvBias = true;
    bool hasAttentionOutBias = true;

    FfnKind ffnKind = FfnKind::Plain;
    Activation activation = Activation::Gelu;
    ActivationForm activationForm = ActivationForm::Fused;
    bool hasFusedGate = false; ///< one projection makes gate and up
    bool hasFfnBias = true;
    std::int64_t experts = 0; ///< FFNs of a layer, between which a router chooses; 0 = one, no router
    std::int64_t expertsPerToken = 0;

    std::int64_t ownEmbeddingWidth = 0; ///< E where tables are not C wide, see embeddingWidth(); 0 = C
    bool hasEmbeddingNorm = false;
    bool hasScaledEmbedding = false; ///< tokens times sqrt(C): Gemma
    PatchGrid image;

    HeadKind head = HeadKind::CausalLm;
    bool hasFinalNorm = true; ///< behind the last layer (of both stacks); a masked head has its own norm
    bool hasTiedHead = true;
    bool hasHeadBias = false;
    bool hasScaledHeadInput = false;          ///< times 1 / sqrt(C) before the logits: T5
    std::optional<Activation> headActivation; ///< of a masked head; absent: the FFN's
    double finalSoftcap = 0.0;                ///< c tanh(logits / c); 0 = none
    std::int64_t labels = 0;                  ///< classes of an image classifier

    bool hasInOutWeights = false; ///< products of a layer keep their weights (in, out): GPT-2's Conv1D
    Dropouts dropout;
    BranchDropout attentionBranchDropout = BranchDropout::Residual;
    bool hasInnerDropouts = false; ///< residual dropout also before the FFN's last product and behind each stack: T5

    /// D.
    std::int64_t headWidth() const { return ownHeadWidth > 0 ? ownHeadWidth : heads > 0 ? hidden / heads : 0; }
    /// K.
    std::int64_t groups() const { return keyValueHeads > 0 ? keyValueHeads : heads; }
    /// H D: what attention makes of each token, and the queries' part of qkv.
    std::int64_t attentionWidth() const { return heads * headWidth(); }
    /// K D: the width of the keys, and of the values.
    std::int64_t keyValueWidth() const { return groups() * headWidth(); }
    /// Numbers of a head that RoPE turns.
    std::int64_t turnedWidth() const { return rotaryWidth > 0 ? rotaryWidth : headWidth(); }
    /// E.  With a masked head all tables and the norm are E wide, a product with bias leads to C, and the head's dense
    /// back to E (ELECTRA); with a causal one the tokens' table alone, products without bias lead to C before the
    /// positions are added, and back before the logits (OPT-350M).
    std::int64_t embeddingWidth() const { return ownEmbeddingWidth > 0 ? ownEmbeddingWidth : hidden; }
    bool hasEmbeddingProjection() const { return embeddingWidth() != hidden; }
    /// Rows of the table of learned positions.
    std::int64_t positionRows() const { return positions == PositionKind::Learned ? maxPositions + positionOffset : 0; }
    /// Whether queries of this layer see the sliding window alone.
    bool hasWindow(std::int64_t layer) const
    {
        if (slidingWindow == 0 || windowPattern.empty())
            return slidingWindow > 0;
        return windowPattern[static_cast<std::size_t>(layer) % windowPattern.size()] == 's';
    }
    /// Tokens that a sequence has whatever is asked for: those of an image; 0 = free.
    std::int64_t fixedSequence() const { return image.tokens(); }
    /// Tokens that a sequence may have: every query must see all tokens before it.
    std::int64_t longestSequence() const
    {
        return slidingWindow > 0 && slidingWindow < maxPositions ? slidingWindow : maxPositions;
    }
    /// The probability that drops the attention branch, of `given` ones.
    double attentionBranchOf(const Dropouts& given) const
    {
        switch (attentionBranchDropout) {
        case BranchDropout::Residual:
            return given.residual;
        case BranchDropout::Attention:
            return given.attention;
        case BranchDropout::None:
            break;
        }
        return 0.0;
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

/// Sets E in the same way: C is written as 0.
inline void setEmbeddingWidth(ModelShape& shape, std::int64_t width)
{
    shape.ownEmbeddingWidth = width == shape.hidden ? 0 : width;
}

/// Writes K and D in that way again after heads or width were set by hand.
inline void settleHeads(ModelShape& shape)
{
    setGroups(shape, shape.keyValueHeads);
    setHeadWidth(shape, shape.ownHeadWidth);
}

} // namespace remat
