// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/training_setup.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/model/checks.h"
#include "core/model/families.h"
#include "core/model/feature_checks.h"
#include "core/model/names.h"
#include "core/model/runtime_shapes.h"
#include "core/model/step_bounds.h"

namespace remat {

namespace {

constexpr MessageCode kHeadsDoNotDivide{"heads-do-not-divide-width",
    REMAT_TR("{0} attention heads do not divide the width {1}."), REMAT_TR("Use {2} or {3} heads, or the width {4}.")};
// Where key/value heads or the rotation allow less.
constexpr MessageCode kHeadsNearDivisor{"heads-need-other-number",
    REMAT_TR("{0} attention heads do not divide the width {1}."), REMAT_TR("Use {2} heads.")};
constexpr MessageCode kHeadsNeedWidth{"heads-need-other-width",
    REMAT_TR("{0} attention heads do not divide the width {1}."), REMAT_TR("Use the width {2}.")};
constexpr MessageCode kGroupsDoNotDivide{"key-value-heads-do-not-divide-heads",
    REMAT_TR("{0} key/value heads do not divide the {1} attention heads that share them."),
    REMAT_TR("Use {2} key/value heads, or as many as heads.")};
constexpr MessageCode kTooWideHeads{"heads-too-wide", REMAT_TR("{0} heads of width {1} are wider than {2} together."),
    REMAT_TR("Use a head width of at most {3}.")};
constexpr MessageCode kOddRotation{"rotary-head-width-odd",
    REMAT_TR("Rotary positions turn a head's elements in pairs, but the head width {0} is odd."),
    REMAT_TR("Use the width {1}.")};
constexpr MessageCode kOddHeadWidth{"rotary-own-head-width-odd",
    REMAT_TR("Rotary positions turn a head's elements in pairs, but the head width {0} is odd."),
    REMAT_TR("Use a head width of {1}.")};
constexpr MessageCode kBadRotaryBase{"rotary-base-out-of-bounds",
    REMAT_TR("A rotary base of {0} is outside 1 to 1e15."), REMAT_TR("Use the model's own, such as 10000.")};
constexpr MessageCode kBeyondWindow{"sequence-beyond-window",
    REMAT_TR("A sequence of {0} tokens is longer than the sliding window of {1} tokens, which is not supported."),
    REMAT_TR("Use at most {1} tokens.")};
constexpr MessageCode kBadEpsilon{"norm-epsilon-out-of-bounds", REMAT_TR("A norm epsilon of {0} is outside (0, 1]."),
    REMAT_TR("Use a small positive number such as 1e-5.")};
constexpr MessageCode kSequenceTooLong{"sequence-beyond-positions",
    REMAT_TR("A sequence of {0} tokens is longer than the {1} positions of the model."),
    REMAT_TR("Use at most {1} tokens, or a model with max_positions of {0}.")};
constexpr MessageCode kTooManyChunks{"head-chunks-beyond-rows",
    REMAT_TR("{0} head chunks are more than the {1} rows (batch x sequence) that they divide."),
    REMAT_TR("Use at most {1} chunks.")};
constexpr MessageCode kChunksNeedChunkedLoss{"head-chunks-need-chunked-loss",
    REMAT_TR("{0} head chunks need the chunked loss, but the loss is cross_entropy."),
    REMAT_TR("Use the loss chunked_cross_entropy, or 1 head chunk.")};
constexpr MessageCode kNotInRuntime{"precision-not-in-runtime",
    REMAT_TR("The runtime profile stores numbers in fp32 or, on a GPU, in bf16 (half); it has no {0}."),
    REMAT_TR("Use the precision fp32 or half.")};
constexpr MessageCode kMasterNeedsHalf{"master-weights-need-half",
    REMAT_TR("Master weights are fp32 copies of weights in half precision, but the precision is {0}."),
    REMAT_TR("Use the precision half, or no master weights.")};
constexpr MessageCode kMasterNeedsOptimizer{"master-weights-need-optimizer",
    REMAT_TR("Master weights belong to an optimizer, but the optimizer is none."),
    REMAT_TR("Use the optimizer adamw or sgd, or no master weights.")};
constexpr MessageCode kNotInArticle{"precision-not-in-article",
    REMAT_TR("The article's formulas count one width for every number; they have no {0}."),
    REMAT_TR("Use the precision half, as the article does, or fp32.")};
constexpr MessageCode kNotOfTheArticle{"shape-not-in-article",
    REMAT_TR(
        "The article's formulas know one stack of plain blocks over tokens: no gated FFN, no heads that share keys "
        "and values, no parallel branches, no second stack and no images."),
    REMAT_TR("Use the profile runtime, or a model such as BERT or GPT-2.")};
constexpr MessageCode kStepTooLarge{"step-too-large",
    REMAT_TR("With {0} here, the sizes, FLOPs or times of a step could pass 2^61."),
    REMAT_TR("Use at most {1}, other values unchanged.")};

/// Whether so many heads suit the width, the key/value heads and the rotation.
bool areHeadsValid(const ModelShape& shape, std::int64_t heads)
{
    const bool isTurned = shape.positions == PositionKind::Rotary && shape.rotaryWidth == 0;
    return shape.hidden % heads == 0 && (shape.keyValueHeads == 0 || heads % shape.keyValueHeads == 0)
        && (!isTurned || shape.hidden / heads % 2 == 0);
}

/// The nearest valid number of heads below (step -1) or above (step 1); 0 where there is none.
std::int64_t validHeads(const ModelShape& shape, std::int64_t step)
{
    for (std::int64_t heads = shape.heads + step; heads >= 1 && heads <= shape.hidden; heads += step)
        if (areHeadsValid(shape, heads))
            return heads;
    return 0;
}

/// The least greater width that the heads divide; an even part of it each where positions turn pairs.
std::int64_t validWidth(const ModelShape& shape)
{
    std::int64_t headWidth = shape.hidden / shape.heads + 1;
    headWidth += shape.positions == PositionKind::Rotary ? headWidth % 2 : 0;
    return headWidth * shape.heads;
}

/// With a head width of its own, a model's heads need not divide its width.
void checkHeads(const ModelShape& shape, Checks& checks)
{
    if (!checks.passed() || shape.ownHeadWidth > 0 || shape.hidden % shape.heads == 0)
        return;
    const std::int64_t fewer = validHeads(shape, -1), more = validHeads(shape, 1), width = validWidth(shape);
    const bool isGrouped = shape.heads % shape.groups() != 0;
    const bool hasAll = fewer > 0 && more > 0 && !isGrouped && width <= kMaxWidth;
    std::vector<MessageArgument> arguments;
    arguments.emplace_back(shape.heads);
    arguments.emplace_back(shape.hidden);
    if (hasAll || fewer > 0)
        arguments.emplace_back(fewer);
    if (hasAll || (fewer == 0 && more > 0))
        arguments.emplace_back(more);
    if (hasAll || (fewer == 0 && more == 0))
        arguments.emplace_back(width);
    const bool hasHeads = fewer > 0 || more > 0;
    // Neither heads nor width alone would do: key/value heads are first to be mended.
    checks.require(hasAll ? kHeadsDoNotDivide
            : hasHeads    ? kHeadsNearDivisor
                          : kHeadsNeedWidth,
        !hasHeads && isGrouped, "heads", std::move(arguments));
}

void checkHeadParts(const ModelShape& shape, Checks& checks)
{
    if (!checks.passed())
        return;
    checks.require(kTooWideHeads, shape.headWidth() <= kMaxWidth / shape.heads, "head_width",
        {shape.heads, shape.headWidth(), kMaxWidth, kMaxWidth / shape.heads});
    std::int64_t groups = shape.groups();
    while (shape.heads % groups != 0)
        --groups;
    checks.require(
        kGroupsDoNotDivide, groups == shape.groups(), "key_value_heads", {shape.groups(), shape.heads, groups});
    const bool isOdd = shape.positions == PositionKind::Rotary && shape.rotaryWidth == 0 && shape.headWidth() % 2 != 0;
    const bool isOwn = shape.ownHeadWidth > 0;
    const std::int64_t even = isOwn ? shape.ownHeadWidth + 1 : validWidth(shape);
    checks.require(
        isOwn ? kOddHeadWidth : kOddRotation, !isOdd, isOwn ? "head_width" : "heads", {shape.headWidth(), even});
}

/// Refuses what could overflow, and names the field and its greatest value that would not.
void checkBounds(const ModelShape& shape, const TrainingSetup& setup, Checks& checks)
{
    if (!checks.passed() || stepBounds(shape, setup))
        return;
    struct Field {
        const char* where;
        std::int64_t TrainingSetup::*ofSetup;
        std::int64_t ModelShape::*ofShape;
    };
    static constexpr Field kFields[] = {
        {"micro_batches", &TrainingSetup::microBatches, nullptr},
        {"batch", &TrainingSetup::batch, nullptr},
        {"sequence", &TrainingSetup::sequence, nullptr},
        {"layers", nullptr, &ModelShape::layers},
    };
    ModelShape triedShape = shape;
    TrainingSetup triedSetup = setup;
    for (const Field& field : kFields) {
        std::int64_t& tried = field.ofSetup ? triedSetup.*field.ofSetup : triedShape.*field.ofShape;
        const std::int64_t given = tried;
        const auto fits = [&](std::int64_t value) {
            tried = value;
            return stepBounds(triedShape, triedSetup).has_value();
        };
        if (!fits(1))
            continue; // keeps 1, so that the next field is tried together with the least of this one
        std::int64_t good = 1, bad = given;
        while (bad - good > 1) {
            const std::int64_t middle = good + (bad - good) / 2;
            (fits(middle) ? good : bad) = middle;
        }
        checks.require(kStepTooLarge, false, field.where, {given, good});
        return;
    }
}

void checkShape(const ModelShape& shape, Checks& checks)
{
    checks.name("name", shape.name, 0);
    checks.size("layers", shape.layers, 1, kMaxLayers);
    checks.size("hidden", shape.hidden, 1, kMaxWidth);
    checks.size("heads", shape.heads, 1, shape.hidden);
    checks.size("key_value_heads", shape.groups(), 1, shape.heads);
    checks.size("head_width", shape.ownHeadWidth, 0, kMaxWidth);
    checks.size("ffn", shape.ffn, 1, kMaxFfn);
    checks.size("vocabulary", shape.vocabulary, shape.image.isGiven() ? 0 : 1, kMaxVocabulary);
    checks.size("max_positions", shape.maxPositions, 1, kMaxPositions);
    checks.size("token_types", shape.tokenTypes, 0, kMaxVocabulary);
    checks.require(kBadEpsilon, shape.normEpsilon > 0 && shape.normEpsilon <= 1, "norm_epsilon", {shape.normEpsilon});
    checks.require(
        kBadRotaryBase, shape.rotaryBase >= 1 && shape.rotaryBase <= 1e15, "rotary_base", {shape.rotaryBase});
    checks.size("sliding_window", shape.slidingWindow, 0, kMaxPositions);
    checks.dropout("dropout.embedding", shape.dropout.embedding);
    checks.dropout("dropout.attention", shape.dropout.attention);
    checks.dropout("dropout.residual", shape.dropout.residual);
    checkHeads(shape, checks);
    checkHeadParts(shape, checks);
    checkFeatures(shape, checks);
}

} // namespace

Result<void> validateShape(const ModelShape& shape, ValueOrigin origin)
{
    Checks checks(origin);
    checkShape(shape, checks);
    TrainingSetup oneToken;
    oneToken.sequence = 1;
    checkBounds(shape, oneToken, checks);
    return checks.result();
}

Result<void> validate(const ModelShape& shape, const TrainingSetup& setup, ValueOrigin origin)
{
    Checks checks(origin);
    checkShape(shape, checks);
    checks.size("batch", setup.batch, 1, kMaxBatch);
    checks.size("sequence", setup.sequence, 1, kMaxPositions);
    checks.size("micro_batches", setup.microBatches, 1, kMaxBatch);
    checks.size("head_chunks", setup.headChunks, 1, kMaxQuantity);
    checks.name("device", setup.device, 1);
    if (setup.dropout)
        checks.dropout("dropout", *setup.dropout);
    // The lower of the two limits speaks, so that its remedy passes the other.
    const bool isWindowLower = shape.longestSequence() < shape.maxPositions;
    checks.require(kBeyondWindow, !isWindowLower || setup.sequence <= shape.slidingWindow, "sequence",
        {setup.sequence, shape.slidingWindow});
    checks.require(
        kSequenceTooLong, setup.sequence <= shape.maxPositions, "sequence", {setup.sequence, shape.maxPositions});
    // The product is safe once both factors are within their bounds.
    const std::int64_t rows = checks.passed() ? setup.batch * setup.sequence : 0;
    checks.require(kTooManyChunks, setup.headChunks <= rows, "head_chunks", {setup.headChunks, rows});
    checks.require(kChunksNeedChunkedLoss, setup.headChunks == 1 || setup.loss == LossKind::ChunkedCrossEntropy,
        "head_chunks", {setup.headChunks});
    const Precision precision = effectivePrecision(setup);
    const std::string precisionName(toName(precision));
    if (setup.profile == Profile::Runtime)
        checks.require(kNotInRuntime, precision != Precision::Amp, "precision", {precisionName});
    else
        checks.require(kNotInArticle, precision != Precision::Amp, "precision", {precisionName});
    checks.require(
        kMasterNeedsHalf, !setup.masterWeights || precision == Precision::Half, "master_weights", {precisionName});
    checks.require(
        kMasterNeedsOptimizer, !setup.masterWeights || setup.optimizer != OptimizerKind::None, "master_weights", {});
    const bool isOfTheArticle = shape.ffnKind == FfnKind::Plain && shape.keyValueHeads == 0 && shape.decoderLayers == 0
        && !shape.image.isGiven() && shape.block == BlockKind::Serial;
    checks.require(kNotOfTheArticle, setup.profile != Profile::Article || isOfTheArticle, "profile", {});
    if (const std::optional<Error> lacking = setup.profile == Profile::Runtime ? runtimeLacks(shape) : std::nullopt)
        checks.add(*lacking);
    checkBounds(shape, setup, checks);
    return checks.result();
}

Dropouts effectiveDropout(const ModelShape& shape, const TrainingSetup& setup)
{
    if (!setup.dropout)
        return shape.dropout;
    const Family* family = findFamily(shape.modelType);
    if (!family)
        return {*setup.dropout, *setup.dropout, *setup.dropout};
    Dropouts dropout = shape.dropout;
    for (const DropoutKey& key : family->dropouts)
        for (double Dropouts::*field : key.fields)
            if (field)
                dropout.*field = *setup.dropout;
    return dropout;
}

Precision effectivePrecision(const TrainingSetup& setup)
{
    return setup.precision.value_or(setup.profile == Profile::Runtime ? Precision::Fp32 : Precision::Half);
}

TrainingSetup withDefaults(const ModelShape& shape, TrainingSetup setup)
{
    if (shape.fixedSequence() > 0)
        setup.sequence = shape.fixedSequence();
    if (setup.sequence == 0)
        setup.sequence = std::min<std::int64_t>(shape.longestSequence(), 1024);
    if (setup.headChunks > 1)
        setup.loss = LossKind::ChunkedCrossEntropy;
    setup.precision = effectivePrecision(setup);
    return setup;
}

} // namespace remat
