// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/paper/paper_step.h"

#include <tuple>

#include "core/cost/framework_time.h"
#include "core/model/step_bounds.h"

namespace remat {

namespace {

constexpr MessageCode kNotOfThePaper{"shape-not-in-paper",
    REMAT_TR("The paper's formulas know one stack of serial blocks with a plain FFN of four times the width, and as "
             "many key/value heads as heads."),
    REMAT_TR("Use the profile pytorch, or a model such as BERT or GPT-2."), ExitCode::Usage};
constexpr MessageCode kBadSize{"paper-size-out-of-bounds", REMAT_TR("{0} is outside 1 to {1}."),
    REMAT_TR("Use a whole number within these."), ExitCode::Usage};
constexpr MessageCode kTooMuch{"paper-step-too-large",
    REMAT_TR("A step of {0} x {1} tokens passes what 61 bits can count."), REMAT_TR("Lower the batch or the sequence."),
    ExitCode::Usage};

/// Weights of one layer on a rank: norms and the biases of the second products are not cut.
std::int64_t layerParameters(const PaperSizes& sizes, std::int64_t tensor)
{
    const std::int64_t h = sizes.hidden;
    return (12 * h * h + 7 * h) / tensor + 6 * h;
}

/// A device at the rate of its 16-bit products.
Device atHalf(Device device)
{
    device.peak.fp32 = std::max({device.peak.fp32, device.peak.bf16, device.peak.fp16});
    return device;
}

PaperLayerTimes layerTimes(const PaperSizes& sizes, const PaperRequest& request, PaperRecompute recompute)
{
    const Device device = atHalf(request.device);
    PaperLayerTimes times;
    for (const PaperOp& op : paperLayerOps(sizes, request.parallelism)) {
        const Nanoseconds forward = frameworkTime(device, op.opClass, op.forward, op.forwardBytes);
        times.forward += forward;
        times.backward += frameworkTime(device, op.opClass, 2 * op.forward, op.backwardBytes);
        if (recompute == PaperRecompute::Full || (recompute == PaperRecompute::Selective && op.isCore))
            times.recompute += forward;
    }
    return times;
}

/// Forward and backward of the logits and their loss.
Nanoseconds headTime(const PaperSizes& sizes, const PaperRequest& request)
{
    const Device device = atHalf(request.device);
    const std::int64_t t = request.parallelism.tensor, logits = sizes.sequence * sizes.batch * sizes.vocabulary / t;
    const std::int64_t bytes = 2 * (sizes.sbh() + logits + sizes.vocabulary * sizes.hidden / t);
    const Flops product{2 * sizes.sbh() * sizes.vocabulary / t};
    return frameworkTime(device, OpClass::Gemm, product, {bytes})
        + frameworkTime(device, OpClass::Gemm, 2 * product, {2 * bytes})
        + frameworkTime(device, OpClass::CrossEntropy, {}, {8 * logits})
        + frameworkTime(device, OpClass::CrossEntropy, {}, {8 * logits});
}

RankBytes rankOf(std::int64_t stage, const PaperSizes& sizes, const PaperRequest& request, const PaperStep& step)
{
    const Parallelism& parallelism = request.parallelism;
    const std::int64_t p = parallelism.pipeline, table = sizes.vocabulary * sizes.hidden / parallelism.tensor;
    const bool isFirst = stage == 0, isLast = stage == p - 1;
    RankBytes rank;
    rank.stage = stage;
    rank.layers = sizes.layers / p;
    rank.inFlight = parallelism.microBatchesInFlight(stage, request.microBatches);
    rank.parameters = rank.layers * layerParameters(sizes, parallelism.tensor)
        + (isFirst ? table + sizes.positions * sizes.hidden : 0) + (isLast && !isFirst ? table : 0);
    rank.weights = parallelism.shareOf({2 * rank.parameters}, 3);
    rank.gradients = parallelism.shareOf({2 * rank.parameters}, 2);
    rank.optimizer = request.hasOptimizer ? parallelism.shareOf({12 * rank.parameters}, 1) : Bytes{};
    rank.saved = rank.layers * rank.inFlight * step.layer.total()
        + paperOutsideLayers(sizes, parallelism, isFirst, isLast, rank.inFlight);
    // A layer that runs again holds what it would have kept.
    const Bytes running = paperLayer(sizes, parallelism, PaperRecompute::None).total()
        - (step.recompute == PaperRecompute::Full ? Bytes{} : step.layer.total());
    rank.peak = rank.weights + rank.gradients + rank.optimizer + rank.saved + running;
    rank.peakAt = step.recompute == PaperRecompute::None ? "the end of a forward"
        : step.recompute == PaperRecompute::Full         ? "a layer's recomputation"
                                                         : "an attention core's recomputation";
    return rank;
}

} // namespace

Result<void> validate(const PaperRequest& request)
{
    if (!isPaperShape(request.shape))
        return Error{&kNotOfThePaper, "profile", {}};
    for (const auto& [where, size, most] :
        {std::tuple{"batch", request.batch, kMaxBatch}, {"sequence", request.sequence, request.shape.maxPositions},
            {"micro_batches", request.microBatches, kMaxBatch}})
        if (size < 1 || size > most)
            return Error{&kBadSize, where, {size, most}};
    TrainingSetup counted;
    counted.batch = request.batch;
    counted.sequence = request.sequence;
    counted.microBatches = request.microBatches;
    if (!stepBounds(request.shape, counted))
        return Error{&kTooMuch, "batch", {request.batch, request.sequence}};
    return validate(request.shape, request.parallelism);
}

PaperStep paperStep(const PaperRequest& request, PaperRecompute recompute)
{
    const PaperSizes sizes = PaperSizes::of(request.shape, request.batch, request.sequence);
    const std::int64_t p = request.parallelism.pipeline, layers = sizes.layers / p;
    PaperStep step;
    step.recompute = recompute;
    step.layer = paperLayer(sizes, request.parallelism, recompute);
    step.layerTimes = layerTimes(sizes, request, recompute);
    for (std::int64_t stage = 0; stage < p; ++stage)
        step.ranks.push_back(rankOf(stage, sizes, request, step));
    step.forward = {paperModelFlops(sizes).value / 3};
    step.backward = 2 * step.forward;
    for (const PaperOp& op : paperLayerOps(sizes, {}))
        if (recompute == PaperRecompute::Full || (recompute == PaperRecompute::Selective && op.isCore))
            step.rerun += sizes.layers * op.forward;
    const Nanoseconds head = headTime(sizes, request);
    step.time = layers * step.layerTimes.total() + head;
    step.keepAll = layers * (step.layerTimes.forward + step.layerTimes.backward) + head;
    step.step = (request.microBatches + p - 1) * step.time;
    return step;
}

} // namespace remat
