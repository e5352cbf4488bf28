// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/kernels/kernels.h"

/// Attention in two variants; the rules are those of kernels.h, shapes and semantics those of the CPU kernels of the
/// same names (core/run/kernels/kernels.h).  Any head size; a multiple of 4 is read by whole quads, and heads above
/// 128 make their scores once per 128 columns.
namespace remat::cuda {

using kernels::AttentionShape;

/// B H T floats, 4 B H T bytes: a row's sum of P dP.
std::int64_t attentionBackwardWorkspaceBytes(const AttentionShape& shape);

/// Blocked: qkv[N,(H+2K)D] -> context[N,HD], lse[B,H,T].  Scores exist only as tiles in shared memory.
template <class T>
void attentionForward(
    const AttentionShape& shape, const Dropout& dropout, const T* qkv, T* context, float* lse, Stream stream);
/// Writes dqkv[N,(H+2K)D] in full; gradients of shared keys and values are added in the order of their heads.
/// workspace: attentionBackwardWorkspaceBytes.
template <class T>
void attentionBackward(const AttentionShape& shape, const Dropout& dropout, const T* dcontext, const T* qkv,
    const T* context, const float* lse, T* dqkv, float* workspace, Stream stream);

/// Stored: probabilities[B,H,T,T] before dropout; above a causal diagonal they are 0.  The scores are made twice, so
/// that they need no room and are never rounded to T.
template <class T>
void probabilitiesForward(const AttentionShape& shape, const T* qkv, T* probabilities, Stream stream);
/// context[N,HD] = dropout(probabilities) V.
template <class T>
void contextForward(const AttentionShape& shape, const Dropout& dropout, const T* probabilities, const T* qkv,
    T* context, Stream stream);
/// dprobabilities[B,H,T,T] (0 above a causal diagonal) and the V part of every row of dqkv.
template <class T>
void contextBackward(const AttentionShape& shape, const Dropout& dropout, const T* dcontext, const T* probabilities,
    const T* qkv, T* dprobabilities, T* dqkv, Stream stream);
/// The Q and K parts of every row of dqkv.  workspace: attentionBackwardWorkspaceBytes.
template <class T>
void probabilitiesBackward(const AttentionShape& shape, const T* dprobabilities, const T* probabilities, const T* qkv,
    T* dqkv, float* workspace, Stream stream);

} // namespace remat::cuda
