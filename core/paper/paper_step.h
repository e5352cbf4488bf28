// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"
#include "core/paper/paper_layer.h"

namespace remat {

/// A step that the profile `paper` describes.
struct PaperRequest {
    ModelShape shape;
    std::int64_t batch = 1, sequence = 1, microBatches = 1;
    bool hasOptimizer = true; ///< mixed-precision Adam
    Parallelism parallelism;
    Device device;
};

/// The shape is the paper's (isPaperShape()), the degrees divide it, and no sum passes 2^61.
Result<void> validate(const PaperRequest& request);

/// A layer on one rank, one micro-batch, by roofline (core/cost/framework_time.h); what ranks tell each other is not
/// counted.
struct PaperLayerTimes {
    Nanoseconds forward, backward, recompute;

    Nanoseconds total() const { return forward + backward + recompute; }
};

/// A whole step in closed forms: memory as the papers count it, times by roofline.
///
///   weights, gradients, optimizer   2, 2 and 12 bytes a weight: ZeRO's mixed-precision Adam, K = 12
///   saved                           layers of the stage x micro-batches in flight x PaperLayer, and outside of layers
///   peak                            all of these, and what one layer that runs again holds meanwhile
///
/// A stage has its layers' weights cut by t, but for norms and the biases of the second products (6h a layer); the
/// first stage the embeddings, with the tokens' table cut by t; the last of several a copy of that table.
struct PaperStep {
    PaperRecompute recompute = PaperRecompute::None;
    PaperLayer layer;
    PaperLayerTimes layerTimes;
    std::vector<RankBytes> ranks;   ///< one of each pipeline stage
    Flops forward, backward, rerun; ///< of a micro-batch, all ranks of one copy together
    Nanoseconds time;               ///< of a micro-batch on the slowest stage
    Nanoseconds keepAll;            ///< the same without recomputation
    Nanoseconds step;               ///< (m + p - 1) times `time`: 1F1B fills and drains the pipeline

    const RankBytes& fullest() const { return fullestOf(ranks); }
};
PaperStep paperStep(const PaperRequest& request, PaperRecompute recompute);

} // namespace remat
