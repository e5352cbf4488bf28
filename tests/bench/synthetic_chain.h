// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/chain/chain.h"

namespace remat {

/// A chain shaped like BERT-large widened to `layers` identical layers (batch 8, sequence 512, fp32): an embedding, the
/// layers with every keep-set of eleven tensors that no other keep-set beats, and a head with large logits.
///
/// Times are those of a simple rate model with odd nanoseconds, so that costs rarely tie; bytes are whole multiples of
/// 512.  Weight gradients grow as backward proceeds, and the step end adds the optimizer's temporaries.
Chain syntheticBertChain(int layers);

/// Every layer's times and sizes differ a little, as in a measured profile.
Chain jittered(Chain chain, const std::string& name);

} // namespace remat
