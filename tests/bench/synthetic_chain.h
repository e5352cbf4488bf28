// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <string>

#include "core/chain/chain.h"

namespace remat {

inline constexpr std::size_t kAllOptions = std::numeric_limits<std::size_t>::max();

/// A chain shaped like BERT-large widened to `layers` identical layers (batch 8, sequence 512, fp32): an embedding, the
/// layers with every keep-set of eleven tensors that no other keep-set beats, and a head with large logits.  Of longer
/// lists of options `mostOptions` are taken, evenly by saved bytes.
///
/// Times are those of a simple rate model with odd nanoseconds, so that costs rarely tie; bytes are whole multiples of
/// 512.  Weight gradients grow as backward proceeds, and the step end adds the optimizer's temporaries.
Chain syntheticBertChain(int layers, std::size_t mostOptions = kAllOptions);

/// The same with the proportions of LLaMA-3-405B (sequence 8,192, bf16): twelve tensors that may be kept, few key/value
/// heads, a gated FFN of 3.25 times the width, and weight gradients that are in base from the start.
Chain syntheticLlamaChain(int layers, std::size_t mostOptions = kAllOptions);

/// Every layer's times and sizes differ a little, as in a measured profile.
Chain jittered(Chain chain, const std::string& name);

} // namespace remat
