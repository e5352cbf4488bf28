// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/paper/parallelism.h"
#include "core/regions/region_request.h"

namespace remat {

/// What each GPU of several holds of a step in PyTorch.
///
/// Simulated is what one rank computes: heads, FFN width and vocabulary over t, layers over p (shapeOfRank()).  What
/// ranks share of the rest is not in that code, and comes from closed forms, each named in `closedForms`:
///
///   sp    a layer's saved bytes are those of the whole layer over t (Korthikanti et al. 2022, Table 2)
///   p     stage i holds what min(m, p - i) micro-batches save, and all gradients from the start (1F1B)
///   zero  states over dp (Rajbhandari et al. 2020); from stage 2 on gradients are made whole, those of one layer and
///         of what no layer has at a time; with stage 3 the weights of two layers and these are gathered (FSDP2, where
///         each layer and the rest of the model is a unit)
///
/// Communication, its buffers, and the times that they take are not counted.  With one GPU the peak is that of
/// torch::simulateTorchStep() to the byte.
struct RankView {
    ModelShape shape;             ///< of one rank
    std::vector<RankBytes> ranks; ///< one of each pipeline stage
    Nanoseconds time;             ///< of a micro-batch on the slowest stage, by roofline
    Nanoseconds optimizerTime;
    Nanoseconds step; ///< (m + p - 1) micro-batches and the optimizer step
    std::vector<std::string> closedForms;

    const RankBytes& fullest() const { return fullestOf(ranks); }
};

/// What one of t tensor parallel ranks of one of p stages computes.  A key/value head that t ranks cannot share is
/// every rank's; a vocabulary is padded to a multiple of t; a pattern of windows goes on from stage to stage.
ModelShape shapeOfRank(ModelShape shape, const Parallelism& parallelism, std::int64_t stage = 0);

/// `request` and `parallelism` are valid; setup.layers holds the regions of the whole model's layers, or nothing.
RankView rankView(const RegionRequest& request, const Parallelism& parallelism);

} // namespace remat
