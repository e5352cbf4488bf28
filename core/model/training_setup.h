// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

/// Whose training step is described (docs/memory-model.md).
enum class Profile { Runtime, Article };
enum class AttentionKind { Blocked, Stored }; ///< blocked: the T x T scores never exist in memory; stored: they do
enum class LossKind { CrossEntropy, ChunkedCrossEntropy };
enum class OptimizerKind { None, Sgd, AdamW };
enum class VariantChoice { Fixed, Auto };
enum class Precision { Fp32, Half, Amp };

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
    std::optional<Precision> precision; ///< when absent the profile's own: fp32 for runtime, half for article
    std::optional<double> dropout;      ///< when given it replaces every dropout that the family has
    std::int64_t microBatches = 1;
    bool gradientsResident = false; ///< gradients exist before the step, as with zero_grad(set_to_none=False)
    bool masterWeights = false;     ///< half precision: the optimizer keeps an fp32 copy of every weight
    VariantChoice variants = VariantChoice::Fixed;
    std::string device = "cpu";

    bool operator==(const TrainingSetup&) const = default;
    /// True when all weight gradients are in memory before forward and therefore belong to base.
    bool hasGradientsInBase() const { return microBatches > 1 || gradientsResident; }
    /// Numbers in fp32 that the optimizer keeps of each weight: AdamW two moments, and the master copy.
    std::int64_t optimizerCopies() const
    {
        return (optimizer == OptimizerKind::AdamW ? 2 : 0) + (masterWeights ? 1 : 0);
    }
};

/// Sizes that every part of the road may rely on afterwards.  They are far above what people train, and low enough that
/// one layer with one token stays within the bounds of core/model/step_bounds.h, so that a remedy always exists.
inline constexpr std::int64_t kMaxLayers = 10'000;
inline constexpr std::int64_t kMaxWidth = 1 << 20;      ///< of the residual stream
inline constexpr std::int64_t kMaxFfn = 1 << 22;        ///< width inside the FFN
inline constexpr std::int64_t kMaxVocabulary = 1 << 26; ///< tokens, and rows of the token type table
inline constexpr std::int64_t kMaxPositions = 1 << 26;  ///< tokens of one sequence
inline constexpr std::int64_t kMaxBatch = 1 << 26;      ///< sequences of a micro-batch, micro-batches of a step
inline constexpr std::int64_t kMaxExperts = 1 << 16;    ///< of a layer
inline constexpr std::int64_t kMaxPixels = 1 << 20;     ///< of an image's side, and its channels
inline constexpr std::size_t kMaxNameLength = 200;      ///< bytes of a model's or a device's name

inline constexpr MessageCode kDropoutOutOfBounds{"dropout-out-of-bounds",
    REMAT_TR("A dropout of {0} is outside [0, 1)."), REMAT_TR("Use 0 for none, or a probability below 1 such as 0.1.")};

/// Whom an error of the checks below blames: a wrong flag ends a program with exit code 2, a wrong file with 3.
enum class ValueOrigin { Flags, File };

/// Checks the architecture alone: positive and bounded sizes, heads that divide the width, key/value heads that divide
/// the heads, an even head width where positions are rotary, dropout in [0, 1), and a step of one token within the
/// bounds.  Errors name the key of the model file ("hidden", "max_positions") in `where`, with a remedy that would
/// work.
Result<void> validateShape(const ModelShape& shape, ValueOrigin origin = ValueOrigin::Flags);

/// Checks shape and setup together: the above, positive sizes, the sequence fits the positions and the sliding
/// window, chunks at most B*T, a precision that the profile has, and no byte, FLOP or time sum of the
/// whole step above 2^61. Errors name the key of the shape or the setup ("batch", "micro_batches") in `where`.
Result<void> validate(const ModelShape& shape, const TrainingSetup& setup, ValueOrigin origin = ValueOrigin::Flags);

/// The dropouts that the step really uses: the setup's override in each place that the family has a key for (LLaMA has
/// one, attention's; a shape of no known family all), or the model's own.
Dropouts effectiveDropout(const ModelShape& shape, const TrainingSetup& setup);

/// The precision that the step really uses: the setup's, or the profile's own.
Precision effectivePrecision(const TrainingSetup& setup);

/// `setup` with the sequence of an image, or sequence 0 replaced by min(maxPositions, slidingWindow, 1024), the
/// precision of its profile, and the chunked loss where more than one chunk is asked for.
TrainingSetup withDefaults(const ModelShape& shape, TrainingSetup setup);

} // namespace remat
