// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/kernels.h"
#include "cuda/language/types.h"

/// The device kernels of a training step: the launchers of cuda/kernels/*.cu.  Shapes, letters, the numbering of random
/// elements and what may be the same buffer are those of the CPU kernels (core/run/kernels/kernels.h).
///
/// Rules that hold for every launcher:
///  * T is the storage type, float or bf16; arithmetic and sums are float.  Rounding is to nearest even.
///  * Pointers are device memory aligned to 16 bytes; every dimension >= 1.
///  * Same input, same bits: grids follow from the shape alone, sums have a fixed order, no atomics on floats.
///  * Work is only enqueued on the stream.  A launch that fails throws LaunchError (cuda/language/launch_error.h).
///  * Nothing is allocated.  What needs temporary room takes a workspace, of the size that a function beside it names.
namespace remat::cuda {

using kernels::Activation;
using kernels::AdamW;
using kernels::Dropout;
using kernels::RandomStream;
using kernels::RowsShape;
using kernels::Store;

// ---------------------------------------------------------------------------------------- elementwise

/// out = a + b; out may be the same buffer as a or b.
template <class T> void add(std::int64_t count, const T* a, const T* b, T* out, Stream stream);

/// y = f(x); y may be the same buffer as x.
template <class T> void activationForward(Activation activation, std::int64_t count, const T* x, T* y, Stream stream);
/// dx = dy f'(x); dx may be the same buffer as dy or x.
template <class T>
void activationBackward(Activation activation, std::int64_t count, const T* dy, const T* x, T* dx, Stream stream);

/// y = f(gate) up.
template <class T>
void gatedForward(Activation activation, std::int64_t count, const T* gate, const T* up, T* y, Stream stream);
/// dgate = dy up f'(gate), dup = dy f(gate).
template <class T>
void gatedBackward(Activation activation, std::int64_t count, const T* dy, const T* gate, const T* up, T* dgate, T* dup,
    Stream stream);

/// out = kept(in) / (1-p): forward on values and backward on gradients.  out may be the same buffer as in.
template <class T> void dropout(const Dropout& dropout, std::int64_t count, const T* in, T* out, Stream stream);

// ---------------------------------------------------------------------------------------- sums over rows

/// At most 128 C bytes: partial sums of 32 groups of rows.
std::int64_t columnSumsWorkspaceBytes(const RowsShape& shape);
/// sums[C] = or += the sums over rows of matrix[N,C]: a bias's gradient.
template <class T>
void columnSums(const RowsShape& shape, const T* matrix, T* sums, Store store, float* workspace, Stream stream);

// ---------------------------------------------------------------------------------------- optimizer

/// As the CPU's adamW.  Moments are float.  With master weights (float, or null for none) these are updated, and
/// parameter becomes their rounding; without, parameter is updated and rounded itself.
template <class T>
void adamW(const AdamW& adamW, std::int64_t count, const T* gradient, T* parameter, float* master, float* momentum,
    float* variance, Stream stream);
/// p -= lr g; master weights as in adamW.
template <class T>
void sgd(float learningRate, std::int64_t count, const T* gradient, T* parameter, float* master, Stream stream);

// ---------------------------------------------------------------------------------------- filling

/// Every element = value; 0 clears, a NaN poisons.
template <class T> void fill(std::int64_t count, float value, T* out, Stream stream);
/// Normal with mean 0, from the same words as the CPU's; values agree with it to the last few bits.
template <class T>
void fillNormal(const RandomStream& random, std::int64_t count, float standardDeviation, T* out, Stream stream);
/// Uniform in [0, vocabulary); the same tokens as the CPU's.
void fillTokens(
    const RandomStream& random, std::int64_t count, std::int64_t vocabulary, std::int32_t* out, Stream stream);

} // namespace remat::cuda
