// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace remat {
class ThreadPool;
}

/// The CPU kernels of an fp32 Transformer training step.
///
/// Rules that hold for every kernel:
///  * Matrices are row-major and dense; every pointer is 64-byte aligned (asserted), every dimension >= 1.
///  * Same input, same bits: at every thread count, in every run and at every address.  Work is cut into chunks by
///  shape
///    and partial sums are added in a fixed order.  (Instruction sets differ from each other in rounding.)
///  * No kernel allocates.  Temporary room is the scratch of Workers, a constant per worker; chunkedHead alone takes a
///    workspace more.
///  * An output may not overlap an input or another output, except where a kernel says "may be the same buffer".
///  * Outputs are written in full, whatever they held before, unless a Store argument is Add, which adds to them.
///  * Letters (core/notation.md): B batch, T sequence, N = B*T rows, C width, H heads, D = C/H head size, V vocabulary.
namespace remat::kernels {

/// Temporary room that every worker needs: GEMM packing and one block of attention scores.
inline constexpr std::int64_t kScratchBytesPerWorker = std::int64_t{2} << 20;

/// Who does the work: the threads and their scratch, `scratch` holding pool.threads() * kScratchBytesPerWorker bytes.
struct Workers {
    ThreadPool& pool;
    std::byte* scratch; // 64-byte aligned
};

enum class Store { Write, Add };

/// A stream of Philox4x32-10 random words (Salmon et al., SC 2011): key = seed, counter = {block, stream}, low words
/// first.  Element e of a stream takes word e % 4 of block e / 4, so every element is a pure function of (seed, stream,
/// e).
struct RandomStream {
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
};

/// Element e is dropped when its random word is below probability * 2^32; what is kept is scaled by 1/(1-probability).
struct Dropout {
    float probability = 0.0F; // in [0, 1); 0 draws nothing
    RandomStream random;
};

struct EmbeddingShape {
    std::int64_t batch, sequence, width, vocabulary;
    std::int64_t positions;      // rows of wpe, >= sequence; 0: the model has none
    std::int64_t tokenTypes = 0; // rows of wtt; 0: the model has none.  Every token is of type 0.
};

struct RowsShape {
    std::int64_t rows, width;
};

/// How a linear layer stores its weight: InOut is [in, out] (GPT-2's Conv1D, used for every layer of a block), OutIn is
/// [out, in] (the head, tied to the token embedding [V, C]).
enum class WeightLayout { InOut, OutIn };

struct LinearShape {
    std::int64_t rows, in, out;
    WeightLayout layout = WeightLayout::InOut;
};

enum class Activation { Gelu, GeluTanh, Relu, Silu };

/// A row of qkv is q | k | v: q is [H, D], k and v are [K, D], and head h reads key/value head h / (H/K) (grouped
/// queries, Ainslie et al. 2023); scores are scaled by 1/sqrt(D); causal rows see columns j <= i.
/// Dropout acts on the probabilities; element ((b*H + h)*T + i)*T + j belongs to query i and key j.
struct AttentionShape {
    std::int64_t batch, sequence, heads;
    std::int64_t keyValueHeads; // K, a divisor of H
    std::int64_t headSize;
    bool causal = false;

    std::int64_t rowWidth() const { return (heads + 2 * keyValueHeads) * headSize; }
};

/// Element i of a head's first half and of its second are turned by the angle position * base^(-2i/D) (Su et al. 2021,
/// in the order of transformers' rotate_half).  The first `turned` heads of a row are turned, the others copied.
struct RotaryShape {
    std::int64_t batch, sequence, heads, turned, headSize; // headSize even
    double base;
};
enum class Turn { Forth, Back };

struct HeadShape {
    std::int64_t rows, width, vocabulary;
    std::int64_t chunks = 1; // of rows; a chunk has ceil(rows / chunks) rows, the last fewer
};

/// Workspace of chunkedHead: the logits of one chunk and one float per row of it.
std::int64_t chunkedHeadWorkspaceBytes(const HeadShape& shape);

struct AdamW {
    float learningRate = 1e-3F, beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F, weightDecay = 0.01F;
    std::int64_t step = 1; // counts from 1
};

/// C (+)= op(A) op(B) with C[m, n], op(A)[m, k], op(B)[k, n]; A is stored [k, m] when transposeA, B [n, k] when
/// transposeB.
struct Gemm {
    std::int64_t m, n, k;
    bool transposeA = false, transposeB = false;
};

/// All kernels, compiled once per instruction set; the objects have no state and live for the whole program.
class CpuKernels {
public:
    /// "x86-64-v3", "native-avx512": the instruction set, as reports and the probe name it.
    virtual const char* name() const = 0;

    /// C is written (plus bias[n] on every row, unless null) or added to (bias must then be null).
    virtual void gemm(
        const Workers&, const Gemm&, const float* a, const float* b, const float* bias, float* c, Store) const = 0;

    /// out[N,C] = wte[ids] (+ wpe[position]) (+ wtt[0]).  wpe and wtt may be null.
    virtual void embeddingForward(const Workers&, const EmbeddingShape&, const std::int32_t* ids, const float* wte,
        const float* wpe, const float* wtt, float* out) const = 0;
    /// Scatters dout[N,C].  dwte[V,C] by storeTokens (Add when a tied head has put its gradient there before);
    /// dwpe[P,C] and dwtt[types,C] (each null if none) by storeOthers; Write also zeroes the rows that no token used.
    virtual void embeddingBackward(const Workers&, const EmbeddingShape&, const std::int32_t* ids, const float* dout,
        float* dwte, Store storeTokens, float* dwpe, float* dwtt, Store storeOthers) const = 0;

    /// y = (x - mean) * rstd * gamma + beta per row; mean[N], rstd[N] = 1/sqrt(var + epsilon).
    virtual void layerNormForward(const Workers&, const RowsShape&, float epsilon, const float* x, const float* gamma,
        const float* beta, float* y, float* mean, float* rstd) const = 0;
    /// dx by storeDx; dgamma[C], dbeta[C] by storeWeights.  dx, or dgamma and dbeta together, may be null: not
    /// computed. dx may be the same buffer as dy when it is written.
    virtual void layerNormBackward(const Workers&, const RowsShape&, const float* dy, const float* x, const float* mean,
        const float* rstd, const float* gamma, float* dx, Store storeDx, float* dgamma, float* dbeta,
        Store storeWeights) const = 0;

    /// y = x rstd gamma per row; rstd[N] = 1/sqrt(mean(x^2) + epsilon).
    virtual void rmsNormForward(const Workers&, const RowsShape&, float epsilon, const float* x, const float* gamma,
        float* y, float* rstd) const = 0;
    /// As layerNormBackward.
    virtual void rmsNormBackward(const Workers&, const RowsShape&, const float* dy, const float* x, const float* rstd,
        const float* gamma, float* dx, Store storeDx, float* dgamma, Store storeWeights) const = 0;

    /// out = in with heads turned Forth, or Back: the forward on values and its backward on gradients.  Rows are
    /// [heads, headSize]; angles are computed in double.
    virtual void rotary(const Workers&, const RotaryShape&, Turn, const float* in, float* out) const = 0;

    /// y[N,out] = x[N,in] W + bias[out] (bias may be null).
    virtual void linearForward(
        const Workers&, const LinearShape&, const float* x, const float* weight, const float* bias, float* y) const = 0;
    /// dx[N,in] by storeDx; dweight (in weight's layout) and dbias[out] by storeWeights.  Each output may be null: not
    /// computed; x is read only for dweight, weight only for dx.
    virtual void linearBackward(const Workers&, const LinearShape&, const float* dy, const float* x,
        const float* weight, float* dx, Store storeDx, float* dweight, float* dbias, Store storeWeights) const = 0;

    /// y = f(x), elementwise; y may be the same buffer as x.
    virtual void activationForward(const Workers&, Activation, std::int64_t count, const float* x, float* y) const = 0;
    /// dx = dy f'(x); dx may be the same buffer as dy or x.
    virtual void activationBackward(
        const Workers&, Activation, std::int64_t count, const float* dy, const float* x, float* dx) const = 0;

    /// y = f(gate) up, elementwise: SwiGLU and its kin (Shazeer 2020).
    virtual void gatedForward(
        const Workers&, Activation, std::int64_t count, const float* gate, const float* up, float* y) const = 0;
    /// dgate = dy up f'(gate), dup = dy f(gate).
    virtual void gatedBackward(const Workers&, Activation, std::int64_t count, const float* dy, const float* gate,
        const float* up, float* dgate, float* dup) const = 0;

    /// out = kept(in) / (1-p): the forward of dropout on values and its backward on gradients, which draws the same
    /// mask again.  out may be the same buffer as in.
    virtual void dropout(const Workers&, const Dropout&, std::int64_t count, const float* in, float* out) const = 0;

    /// out = a + b; out may be the same buffer as a or b.
    virtual void add(const Workers&, std::int64_t count, const float* a, const float* b, float* out) const = 0;

    /// Blocked attention: qkv[N,(H+2K)D] -> context[N,HD], lse[B,H,T] (log of the sum of exp of a row's scaled scores).
    /// Scores exist only as blocks in the scratch.
    virtual void attentionForward(
        const Workers&, const AttentionShape&, const Dropout&, const float* qkv, float* context, float* lse) const = 0;
    /// Writes dqkv[N,(H+2K)D] in full; gradients of shared keys and values are added in the order of their heads.
    virtual void attentionBackward(const Workers&, const AttentionShape&, const Dropout&, const float* dcontext,
        const float* qkv, const float* context, const float* lse, float* dqkv) const = 0;

    /// Stored attention, two ops.  probabilities[B,H,T,T] are those before dropout; above a causal diagonal they are 0.
    virtual void probabilitiesForward(
        const Workers&, const AttentionShape&, const float* qkv, float* probabilities) const = 0;
    /// context[N,HD] = dropout(probabilities) V.
    virtual void contextForward(const Workers&, const AttentionShape&, const Dropout&, const float* probabilities,
        const float* qkv, float* context) const = 0;
    /// dprobabilities[B,H,T,T] (0 above a causal diagonal) and the V part of every row of dqkv.
    virtual void contextBackward(const Workers&, const AttentionShape&, const Dropout&, const float* dcontext,
        const float* probabilities, const float* qkv, float* dprobabilities, float* dqkv) const = 0;
    /// The Q and K parts of every row of dqkv: with contextBackward every element of dqkv is written.
    virtual void probabilitiesBackward(const Workers&, const AttentionShape&, const float* dprobabilities,
        const float* probabilities, const float* qkv, float* dqkv) const = 0;

    /// logits[N,V], targets[N] in [0,V) -> lse[N] and *loss, the mean over rows of lse - logit of the target.
    virtual void crossEntropyForward(const Workers&, const RowsShape& logitsShape, const float* logits,
        const std::int32_t* targets, float* lse, float* loss) const = 0;
    /// dlogits = (softmax - onehot) * scale / N; may be the same buffer as logits.  scale: 1 / micro-batches.
    virtual void crossEntropyBackward(const Workers&, const RowsShape& logitsShape, const float* logits,
        const float* lse, const std::int32_t* targets, float scale, float* dlogits) const = 0;

    /// Head and loss by chunks of rows, forward and backward at once, so that the logits of all rows never exist:
    /// x[N,C], wte[V,C], bias[V] (may be null) -> *loss, dx[N,C] (written), dwte[V,C] and dbias[V] (null with bias) by
    /// storeWeights, all gradients times scale.  workspace: chunkedHeadWorkspaceBytes.
    virtual void chunkedHead(const Workers&, const HeadShape&, const float* x, const float* wte, const float* bias,
        const std::int32_t* targets, float scale, float* loss, float* dx, float* dwte, float* dbias, Store storeWeights,
        float* workspace) const = 0;

    /// Decoupled weight decay (Loshchilov & Hutter 2019): m = b1 m + (1-b1) g, v = b2 v + (1-b2) g^2,
    /// p = p (1 - lr wd) - lr (m / (1-b1^t)) / (sqrt(v / (1-b2^t)) + eps).
    virtual void adamW(const Workers&, const AdamW&, std::int64_t count, const float* gradient, float* parameter,
        float* momentum, float* variance) const = 0;
    /// p -= lr g.
    virtual void sgd(
        const Workers&, float learningRate, std::int64_t count, const float* gradient, float* parameter) const = 0;

    /// Every element = value; a NaN poisons a buffer whose content must not be read again.
    virtual void fill(const Workers&, std::int64_t count, float value, float* out) const = 0;
    /// Normal with mean 0, by the inverse distribution function of element e's random word.
    virtual void fillNormal(
        const Workers&, const RandomStream&, std::int64_t count, float standardDeviation, float* out) const = 0;
    /// Uniform in [0, vocabulary).
    virtual void fillTokens(
        const Workers&, const RandomStream&, std::int64_t count, std::int64_t vocabulary, std::int32_t* out) const = 0;
    /// The words of blocks [firstBlock, firstBlock + blocks), 4 each: what the others draw from.
    virtual void randomWords(
        const RandomStream&, std::uint64_t firstBlock, std::int64_t blocks, std::uint32_t* out) const = 0;

protected:
    ~CpuKernels() = default;
};

/// The instruction sets that kernels are compiled for.  Baseline is x86-64-v2, or whatever another architecture has at
/// least; the levels of x86-64 are v3 (AVX2, FMA) and v4 (AVX-512); Native is the very processor that built this, and
/// is there unless the build says REMAT_CPU_KERNELS=dispatch, as packages do.
enum class InstructionSet { Baseline, Level3, Level4, Native };
inline constexpr InstructionSet kInstructionSets[]
    = {InstructionSet::Baseline, InstructionSet::Level3, InstructionSet::Level4, InstructionSet::Native};

/// The kernels for one instruction set, or null where this build or this processor lacks it; Baseline never is null.
const CpuKernels* cpuKernels(InstructionSet);
/// What runs use: Native, else the highest level that this processor has.  Rounding differs from set to set, so the
/// same bits (law 4) are promised within one; reports name it.
const CpuKernels& bestCpuKernels();

} // namespace remat::kernels
