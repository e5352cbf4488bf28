// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/model_shape.h"
#include "core/plan/torch_realization.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// The regions or keep-sets of a simulated step (core/torch) by module path, as `remat export --to pytorch` writes
/// them: what was simulated is what the exported module does.
///
/// One entry a layer, encoder before decoder.  A span stands at its first layer, with the other layers' regions inside.
/// Saved products go to the region that they are in; fused attention to the block or the attention.
///
/// Errors (exit 3): regions that PyTorch cannot have of this model: an FFN that is no module (OPT), an attention core
/// that calls no attention function (Falcon, BLOOM, GPT-Neo) or is not simulated (T5), a norm inside that stands behind
/// its branch or has two readers, a dropout outside where none ends the module, a span of blocks that return tuples.
Result<TorchRealization> realizationOf(const ModelShape& shape, const torch::TorchSetup& setup,
    TorchRealization::Kind kind = TorchRealization::Kind::Regions);

} // namespace remat
