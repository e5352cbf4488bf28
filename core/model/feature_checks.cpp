// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/feature_checks.h"

#include <string>
#include <utility>

#include "core/model/names.h"

namespace remat {

namespace {

constexpr MessageCode kBadPattern{"window-pattern-unknown",
    REMAT_TR("The pattern of the sliding window has other letters than s (layers with it) and f (layers without), or "
             "more than {0}."),
    REMAT_TR("Write one letter a layer, such as sf; the pattern repeats.")};
constexpr MessageCode kTurnedTooWide{"rotary-width-beyond-head",
    REMAT_TR("{0} numbers of a head are turned, but a head has {1}."), REMAT_TR("Use an even number of at most {1}.")};
constexpr MessageCode kOddTurned{"rotary-width-odd",
    REMAT_TR("Rotary positions turn a head's elements in pairs, but {0} of them are to be turned."),
    REMAT_TR("Use {1}.")};
constexpr MessageCode kTooFewExperts{"experts-per-token-out-of-bounds",
    REMAT_TR("{0} experts for each token are outside 1 to the {1} experts of a layer."),
    REMAT_TR("Use a whole number from 1 to {1}.")};
constexpr MessageCode kPatchTooLarge{"patch-beyond-image",
    REMAT_TR("A patch of {0} pixels is larger than the image of {1}."), REMAT_TR("Use at most {1}.")};
constexpr MessageCode kTooManyPatches{"patches-beyond-positions",
    REMAT_TR("The image makes {0} tokens, more than {1}."), REMAT_TR("Use larger patches or a smaller image.")};
constexpr MessageCode kPositionsNotPatches{"positions-not-of-image",
    REMAT_TR("The image makes {1} tokens, but max_positions is {0}."), REMAT_TR("Use max_positions {1}.")};
constexpr MessageCode kHeadWithoutStack{"head-without-its-stack",
    REMAT_TR("The head \"{0}\" and the model's inputs or stacks do not belong together."),
    REMAT_TR("Use seq_to_seq_lm with decoder_layers, image_classifier with an image, the others with neither.")};
constexpr MessageCode kNegativeNumber{"feature-number-out-of-bounds", REMAT_TR("{0} is outside 0 to 1e9."),
    REMAT_TR("Use 0 for none, or the model's own value.")};

void checkImage(const ModelShape& shape, Checks& checks)
{
    const PatchGrid& image = shape.image;
    if (!image.isGiven() || !checks.passed())
        return;
    checks.size("image.height", image.height, 1, kMaxPixels);
    checks.size("image.width", image.width, 1, kMaxPixels);
    checks.size("image.channels", image.channels, 1, kMaxPixels);
    checks.size("image.extra_tokens", image.extraTokens, 0, kMaxPixels);
    checks.require(
        kPatchTooLarge, image.patchHeight <= image.height, "image.patch_height", {image.patchHeight, image.height});
    checks.require(
        kPatchTooLarge, image.patchWidth <= image.width, "image.patch_width", {image.patchWidth, image.width});
    if (!checks.passed())
        return;
    const std::int64_t tokens = image.tokens();
    checks.require(kTooManyPatches, tokens <= kMaxPositions, "image", {tokens, kMaxPositions});
    checks.require(kPositionsNotPatches, shape.maxPositions == tokens, "max_positions", {shape.maxPositions, tokens});
}

void checkWindow(const ModelShape& shape, Checks& checks)
{
    const bool isPattern = shape.windowPattern.find_first_not_of("sf") == std::string::npos
        && shape.windowPattern.size() <= static_cast<std::size_t>(kMaxLayers);
    checks.require(kBadPattern, isPattern, "window_pattern", {kMaxLayers});
}

} // namespace

void checkFeatures(const ModelShape& shape, Checks& checks)
{
    checks.size("decoder_layers", shape.decoderLayers, 0, kMaxLayers);
    checks.size("position_offset", shape.positionOffset, 0, kMaxPositions);
    checks.size("relative_buckets", shape.relativeBuckets, 0, kMaxVocabulary);
    checks.size("embedding_width", shape.ownEmbeddingWidth, 0, kMaxWidth);
    checks.size("labels", shape.labels, 0, kMaxVocabulary);
    checkWindow(shape, checks);
    checks.size("rotary_width", shape.rotaryWidth, 0, kMaxWidth);
    if (checks.passed()) {
        checks.require(kTurnedTooWide, shape.rotaryWidth <= shape.headWidth(), "rotary_width",
            {shape.rotaryWidth, shape.headWidth()});
        checks.require(kOddTurned, shape.rotaryWidth % 2 == 0, "rotary_width",
            {shape.rotaryWidth, shape.rotaryWidth > 1 ? shape.rotaryWidth - 1 : 2});
    }
    checks.size("experts", shape.experts, 0, kMaxExperts);
    const bool hasEnough = shape.experts == 0 ? shape.expertsPerToken == 0
                                              : shape.expertsPerToken >= 1 && shape.expertsPerToken <= shape.experts;
    checks.require(kTooFewExperts, hasEnough, "experts_per_token", {shape.expertsPerToken, shape.experts});
    for (const auto& [where, value] : {std::pair("query_scale", shape.queryScale),
             std::pair("attention_softcap", shape.attentionSoftcap), std::pair("final_softcap", shape.finalSoftcap)})
        checks.require(kNegativeNumber, value >= 0 && value <= 1e9, where, {value});
    checkImage(shape, checks);
    const bool isSeqToSeq = shape.head == HeadKind::SeqToSeqLm, isImages = shape.head == HeadKind::ImageClassifier;
    checks.require(kHeadWithoutStack, isSeqToSeq == (shape.decoderLayers > 0) && isImages == shape.image.isGiven(),
        "head", {std::string(toName(shape.head))});
}

} // namespace remat
