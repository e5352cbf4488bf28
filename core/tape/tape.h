// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/model/model_shape.h"
#include "core/model/training_setup.h"

namespace remat {

/// The parts of a block that a person thinks in; the rows of the grid.  Head includes the loss.
enum class Sublayer { Embedding, Norm1, Attention, Residual1, Norm2, Ffn, Residual2, Head };

/// How a number lies in memory.  Whatever is stored, arithmetic is fp32.
enum class ElementType { Fp32, Bf16 };

/// "fp32", "bf16".
std::string_view toName(ElementType type);

constexpr std::int64_t bytesOf(ElementType type)
{
    return type == ElementType::Fp32 ? 4 : 2;
}

/// In what the setup's precision stores activations, weights and gradients.
inline ElementType storageOf(const TrainingSetup& setup)
{
    return effectivePrecision(setup) == Precision::Fp32 ? ElementType::Fp32 : ElementType::Bf16;
}

enum class TensorRole {
    Input,          ///< the stage's input: another stage's output, or token ids
    Activation,     ///< a value of the residual width or wider
    Statistic,      ///< per-row numbers: mean, rstd, log-sum-exp
    Gradient,       ///< a gradient that the forward already makes (chunked head)
    WeightGradient, ///< likewise, of a weight
    Output          ///< the stage's output
};

/// One row of the tensor table.  Bytes are rounded up once, here, to the machine's granule.
struct Tensor {
    std::string name;
    Sublayer sublayer = Sublayer::Attention;
    std::string shapeText; ///< "B,T,3C"
    std::vector<std::int64_t> shape;
    Bytes bytes;
    TensorRole role = TensorRole::Activation;
    int producer = -1;                       ///< op that writes it; -1 for the stage input
    ElementType element = ElementType::Fp32; ///< statistics and the loss are fp32 in every precision
};

/// Kinds of op that a machine can run.  Shapes: docs/runs.md.
enum class OpKind {
    Embedding,        ///< ids -> wte[ids] (+ wpe[pos]) (+ wtt[0])
    LayerNorm,        ///< x -> y, mean, rstd
    RmsNorm,          ///< x -> y, rstd
    Linear,           ///< x -> x W (+ b)
    Rotary,           ///< qkv -> queries and keys turned by their positions' angles, values as they are
    Attention,        ///< qkv -> context, log-sum-exp; scores live only in a bounded workspace
    AttentionProbs,   ///< qkv -> softmax(q k^T / sqrt(D)), stored
    AttentionContext, ///< probabilities, qkv -> dropout(probabilities) v
    Activation,       ///< elementwise GELU, ReLU or SiLU
    GatedActivation,  ///< gate, up -> f(gate) * up
    Dropout,          ///< counter-based; the mask is regenerated, never stored
    Add,              ///< skip + branch; its gradient passes through in place
    CrossEntropy,     ///< logits -> loss, log-sum-exp
    ChunkedHead       ///< x -> loss, dx, dW (+ db): logits of one chunk at a time
};

/// Sizes that the kernels of an op need; unused ones are 0.
struct OpDims {
    std::int64_t rows = 0; ///< N = B*T
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t batch = 0;
    std::int64_t sequence = 0;
    std::int64_t heads = 0;
    std::int64_t keyValueHeads = 0;
    std::int64_t headWidth = 0;
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0; ///< rows of the position table; 0 = there is none
    std::int64_t tokenTypes = 0;
    std::int64_t chunks = 1;
    bool isCausal = false;
    bool weightIsOutIn = false; ///< weight stored [out, in] (the tied head) and not [in, out]
    Activation activation = Activation::Gelu;
    double dropout = 0.0;
    double epsilon = 0.0;
    double rotaryBase = 0.0;

    bool operator==(const OpDims&) const = default;
};

/// One row of the op table.  Tensor numbers index StageTape::tensors, parameter numbers StageTape::parameters.
///
/// FLOPs count multiply-adds of matrix products as two and nothing else, as torch.utils.flop_counter does; everything
/// else costs bytes.
struct Op {
    OpKind kind = OpKind::Add;
    std::string name;
    std::vector<std::string> modules; ///< framework module paths inside the stage, {"mlp.c_fc"}; none for functions
    Sublayer sublayer = Sublayer::Attention;
    std::vector<int> reads;
    std::vector<int> writes;
    std::vector<int> backwardReads; ///< values, not gradients, that this op's backward reads
    std::vector<int> parameters;
    Flops forwardFlops, backwardFlops;
    Bytes forwardBytes, backwardBytes;         ///< memory traffic
    Bytes forwardWorkspace, backwardWorkspace; ///< allocated for as long as the op runs
    bool isRandom = false;
    OpDims dims;
};

enum class Initialization { Normal, Zeros, Ones };

/// A weight as one stage uses it.
struct StageParameter {
    /// Framework name below the stage's module, "attn.c_attn.weight"; where one weight stands for three of the
    /// framework, "attention.self.{query,key,value}.weight".
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t elements = 0;
    Bytes bytes; ///< rounded to the granule
    Initialization initialization = Initialization::Normal;
    bool decays = true;               ///< AdamW weight decay applies (matrices, not biases and norms)
    bool isShared = false;            ///< the same weight stands in another stage under `sharedName`
    std::string sharedName;           ///< key by which stages find their shared weight
    bool gradientIsMadeLater = false; ///< a later stage's backward has already made the gradient; this one adds to it

    /// The weight is counted where it stands first, which is where its gradient is made last.
    bool isCountedEarlier() const { return isShared && !gradientIsMadeLater; }
};

/// A stage has no more ops: sets of them are bits of one word, and random streams are numbered by stage and op.
inline constexpr int kMaxOpsOfStage = 64;

/// One kind of stage as a table: what it computes, what backward reads, what it costs.  Bars, totals, options, peaks,
/// the tensor table and the real run all derive from these rows.
struct StageTape {
    std::string kind; ///< "embedding", "block", "head"
    std::vector<Tensor> tensors;
    std::vector<Op> ops; ///< in forward order
    std::vector<StageParameter> parameters;
    int input = -1; ///< tensor number, or -1 for the stage that reads the token ids
    int output = 0; ///< tensor number
    bool outputIsLoss = false;
    /// Where a profile allows only some granularities: the sets of ops (bit i for op i) that may be dropped together.
    /// Empty: any set of candidates.
    std::vector<std::uint64_t> granularities;

    /// Ops whose outputs may be held: those with an output, other than the stage's, that some backward reads.
    std::vector<int> candidates() const;
};

} // namespace remat
