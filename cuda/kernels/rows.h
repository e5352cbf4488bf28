// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "cuda/kernels/kernels.h"

/// The device kernels that work row by row.  What kernels.h says of all launchers holds here too.
namespace remat::cuda {

using kernels::EmbeddingShape;
using kernels::RotaryShape;
using kernels::Turn;

// ---------------------------------------------------------------------------------------- embedding

/// out[N,C] = wte[ids] (+ wpe[position]) (+ wtt[0]).  wpe and wtt may be null.
template <class T>
void embeddingForward(const EmbeddingShape& shape, const std::int32_t* ids, const T* wte, const T* wpe, const T* wtt,
    T* out, Stream stream);

/// At most 9 N + 1024 bytes, or 128 C if that is more and there are token types: the rows sorted by their tokens.
std::int64_t embeddingBackwardWorkspaceBytes(const EmbeddingShape& shape);
/// Scatters dout[N,C], N < 2^31.  dwte[V,C] by storeTokens, each row's sum in the order of the tokens; dwpe[P,C] and
/// dwtt[types,C] (each null if none) by storeOthers; Write also zeroes the rows that no token used.
template <class T>
void embeddingBackward(const EmbeddingShape& shape, const std::int32_t* ids, const T* dout, T* dwte, Store storeTokens,
    T* dwpe, T* dwtt, Store storeOthers, std::byte* workspace, Stream stream);

// ---------------------------------------------------------------------------------------- normalisation

/// y = (x - mean) * rstd * gamma + beta per row; mean[N], rstd[N] = 1/sqrt(var + epsilon).
template <class T>
void layerNormForward(const RowsShape& shape, float epsilon, const T* x, const T* gamma, const T* beta, T* y,
    float* mean, float* rstd, Stream stream);

/// Of both norms; at most 256 C bytes: two partial sums of 32 groups of rows.
std::int64_t normBackwardWorkspaceBytes(const RowsShape& shape);
/// dx by storeDx; dgamma[C], dbeta[C] by storeWeights.  dx, or dgamma and dbeta together, may be null: not computed.
/// dx may be the same buffer as dy when it is written.  workspace is used only for the weights.
template <class T>
void layerNormBackward(const RowsShape& shape, const T* dy, const T* x, const float* mean, const float* rstd,
    const T* gamma, T* dx, Store storeDx, T* dgamma, T* dbeta, Store storeWeights, float* workspace, Stream stream);

/// y = x rstd gamma per row; rstd[N] = 1/sqrt(mean(x^2) + epsilon).
template <class T>
void rmsNormForward(
    const RowsShape& shape, float epsilon, const T* x, const T* gamma, T* y, float* rstd, Stream stream);
/// As layerNormBackward.
template <class T>
void rmsNormBackward(const RowsShape& shape, const T* dy, const T* x, const float* rstd, const T* gamma, T* dx,
    Store storeDx, T* dgamma, Store storeWeights, float* workspace, Stream stream);

// ---------------------------------------------------------------------------------------- rotary positions

/// out = in with heads turned Forth, or Back: the forward on values and its backward on gradients.  Rows are [heads,
/// headSize]; angles, their cosines and sines are computed in double as on the CPU, then rounded to float.
template <class T> void rotary(const RotaryShape& shape, Turn turn, const T* in, T* out, Stream stream);

// ---------------------------------------------------------------------------------------- loss

/// N rows of logits[N,V] out of the allRows that a loss is the mean of.
struct LossShape {
    std::int64_t rows, vocabulary;
    std::int64_t allRows = rows;
};

/// logits[N,V], targets[N] in [0,V) -> lse[N]; *loss (device memory too) by storeLoss: these rows' share of the mean of
/// lse - logit of the target.
template <class T>
void crossEntropyForward(const LossShape& shape, const T* logits, const std::int32_t* targets, float* lse, float* loss,
    Store storeLoss, Stream stream);
/// dlogits = (softmax - onehot) * scale / allRows; may be the same buffer as logits.  scale: 1 / micro-batches.
template <class T>
void crossEntropyBackward(const LossShape& shape, const T* logits, const float* lse, const std::int32_t* targets,
    float scale, T* dlogits, Stream stream);

} // namespace remat::cuda
