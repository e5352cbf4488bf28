// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

/// Whose training step is described (docs/architecture.md section 3).
enum class Profile { Runtime, Article };
enum class AttentionKind { Blocked, Stored }; ///< blocked: the T x T scores never exist in memory; stored: they do
enum class LossKind { CrossEntropy, ChunkedCrossEntropy };
enum class OptimizerKind { None, Sgd, AdamW };
enum class VariantChoice { Fixed, Auto };

/// Everything about the training step that is not the architecture.
///
/// `--attention sdpa` means Blocked in the runtime profile, `eager` means Stored.
struct TrainingSetup {
    std::int64_t batch = 1;    ///< B: sequences of one micro-batch
    std::int64_t sequence = 0; ///< T: tokens of one sequence; 0 = the model's maximum, at most 1024
    Profile profile = Profile::Runtime;
    AttentionKind attention = AttentionKind::Blocked;
    LossKind loss = LossKind::CrossEntropy;
    std::int64_t headChunks = 1; ///< the chunked loss cuts its B*T rows into so many chunks
    OptimizerKind optimizer = OptimizerKind::AdamW;
    std::optional<double> dropout; ///< when given it replaces every dropout of the model
    std::int64_t microBatches = 1;
    bool gradientsResident = false; ///< gradients exist before the step, as with zero_grad(set_to_none=False)
    VariantChoice variants = VariantChoice::Fixed;
    std::string device = "cpu";

    bool operator==(const TrainingSetup&) const = default;
    /// True when all weight gradients are in memory before forward and therefore belong to base.
    bool hasGradientsInBase() const { return microBatches > 1 || gradientsResident; }
};

/// Sizes that every part of the road may rely on afterwards.
inline constexpr std::int64_t kMaxLayers = 1'000'000;

/// Checks shape and setup together: positive sizes, heads divide the width, the sequence fits the positions, dropout in
/// [0, 1), chunks at most B*T, and no byte, FLOP or time sum of the whole step above 2^61.
/// Errors name the field ("hidden", "batch", ...) in `where`, with a remedy that would work.
Result<void> validate(const ModelShape& shape, const TrainingSetup& setup);

/// The dropouts that the step really uses: the setup's override, or the model's own.
Dropouts effectiveDropout(const ModelShape& shape, const TrainingSetup& setup);

/// `setup` with sequence 0 replaced by min(maxPositions, 1024) and a loss that matches its chunk count.
TrainingSetup withDefaults(const ModelShape& shape, TrainingSetup setup);

} // namespace remat
