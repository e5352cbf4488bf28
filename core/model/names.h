// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/model_shape.h"
#include "core/model/training_setup.h"

namespace remat {

class JsonCursor;

/// The names of choices on the command line and in files.  AttentionKind is "sdpa" (blocked) or "eager" (stored), as
/// people know the two from PyTorch.
///
/// The templates exist for every enumeration below.
std::string_view toName(Profile);        ///< runtime, article
std::string_view toName(AttentionKind);  ///< sdpa, eager
std::string_view toName(LossKind);       ///< cross_entropy, chunked_cross_entropy
std::string_view toName(OptimizerKind);  ///< none, sgd, adamw
std::string_view toName(VariantChoice);  ///< fixed, auto
std::string_view toName(Precision);      ///< fp32, half, amp
std::string_view toName(NormPlace);      ///< pre, post, sandwich, branch
std::string_view toName(NormKind);       ///< layer_norm, rms_norm, rms_norm_plus_one
std::string_view toName(BlockKind);      ///< serial, parallel, parallel_two_norms
std::string_view toName(PositionKind);   ///< learned, rotary, alibi, relative_bias
std::string_view toName(QkNorm);         ///< none, head, width
std::string_view toName(Activation);     ///< gelu, gelu_tanh, relu, silu, quick_gelu
std::string_view toName(ActivationForm); ///< fused, gelu_new, gelu_fast, bloom_gelu
std::string_view toName(FfnKind);        ///< plain, gated
std::string_view toName(HeadKind);       ///< causal_lm, masked_lm, image_classifier, seq_to_seq_lm
std::string_view toName(BranchDropout);  ///< residual, attention, none

/// The value that a flag names; the caller puts the flag into the error's `where`.
/// Errors (exit code 2): an unknown name, with the known ones; a name of a profile that this release does not describe.
template <class E> Result<E> fromName(std::string_view name);

/// The value that a file names; the mistake is recorded at `at` (exit code 3) and the first value returned.
template <class E> E readName(const JsonCursor& at);

/// "fixed, auto": what an error or a help text lists.
template <class E> std::string knownNames();

} // namespace remat
