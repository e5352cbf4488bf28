// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/units.h"
#include "core/model/model_shape.h"
#include "core/model/training_setup.h"
#include "core/tape/step_tape.h"

namespace remat {

/// What the article's formulas say of one layer, all samples of the batch together; e is the width of a number, S the
/// sequence and F the FFN width (docs/memory-model.md, "The `article` profile").
///
///   attention  B S (3H + heads S + H) e     its code's elements per sample, with heads S^2 stored scores
///   FFN        B S F e                      one tensor of the FFN width
///   norms      2 (B S H + 2 B S) e          two norms a layer, each its output and two statistics a row
///   FLOPs      attention B S (3H^2 + S H + S S + S H), FFN 2 B H F S; norms none
///
/// Its own table calls the results MB; they are MiB.
struct ArticleLayer {
    Bytes attention, ffn, norms;
    Flops attentionFlops, ffnFlops;

    Bytes total() const { return attention + ffn + norms; }
};

ArticleLayer articleLayer(const ModelShape& shape, const TrainingSetup& setup);
/// The article's prose has another formula for attention, B S H (6 + S / head width) e.
Bytes articleProseAttention(const ModelShape& shape, const TrainingSetup& setup);

/// The article's model as a tape, so that it can be planned and compared like any other.
///
/// A layer is three lumps, norms -> attention -> ffn, that may be dropped as the article drops them: all three, the FFN
/// or the attention.  Besides the lumps only the layers' inputs and the last output (B S H e each) are counted, which
/// checkpointing keeps.  As in the article there are no embedding, head, weights, optimizer, gradients or workspaces,
/// and nothing is rounded. Backward takes twice the FLOPs of forward, which the article does not say.
StepTape buildArticleTape(const ModelShape& shape, const TrainingSetup& setup);

} // namespace remat
