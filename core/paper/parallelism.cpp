// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/paper/parallelism.h"

#include <algorithm>
#include <initializer_list>

namespace remat {

namespace {

constexpr MessageCode kBadDegree{"parallel-degree-out-of-bounds", REMAT_TR("{0} is no parallel degree."),
    REMAT_TR("Use a whole number from 1 to {1}."), ExitCode::Usage};
constexpr MessageCode kBadStage{"zero-stage-unknown", REMAT_TR("ZeRO has no stage {0}."),
    REMAT_TR("Use 0 for none, 1 for the optimizer's states, 2 for gradients as well, 3 for weights as well."),
    ExitCode::Usage};
constexpr MessageCode kDoesNotDivide{"tensor-degree-does-not-divide",
    REMAT_TR("{0} ranks cannot share {1} evenly: {2} is not a multiple."),
    REMAT_TR("Use a degree that divides heads and FFN width, such as {3}."), ExitCode::Usage};
constexpr MessageCode kStagesDoNotDivide{"pipeline-stages-do-not-divide",
    REMAT_TR("{0} pipeline stages cannot share {1} layers evenly."), REMAT_TR("Use a divisor of {1}, such as {2}."),
    ExitCode::Usage};
constexpr MessageCode kTwoStacks{"pipeline-of-two-stacks",
    REMAT_TR("A model of an encoder and a decoder is not cut into pipeline stages here."),
    REMAT_TR("Use 1 pipeline stage."), ExitCode::Usage};
constexpr MessageCode kSequenceNeedsTensor{"sequence-parallel-needs-tensor",
    REMAT_TR("Sequence parallelism shares tokens among the ranks of tensor parallelism, but there is 1."),
    REMAT_TR("Add --tp 2 or more."), ExitCode::Usage};
constexpr MessageCode kZeroNeedsData{"zero-needs-data-parallel",
    REMAT_TR("ZeRO shares states among data parallel ranks, but there is 1."), REMAT_TR("Add --dp 2 or more."),
    ExitCode::Usage};

/// The greatest number up to `most` that divides all of the numbers.
std::int64_t divisorOf(std::initializer_list<std::int64_t> numbers, std::int64_t most)
{
    std::int64_t degree = most;
    const auto divides = [&] {
        return std::all_of(numbers.begin(), numbers.end(), [degree](std::int64_t n) { return n % degree == 0; });
    };
    while (degree > 1 && !divides())
        --degree;
    return degree;
}

bool canShareGroups(std::int64_t groups, std::int64_t tensor)
{
    return groups % tensor == 0 || tensor % groups == 0;
}

} // namespace

Result<void> validate(const ModelShape& shape, const Parallelism& parallelism)
{
    for (const auto& [where, degree] :
        {std::pair{"tensor", parallelism.tensor}, {"pipeline", parallelism.pipeline}, {"data", parallelism.data}})
        if (degree < 1 || degree > kMaxDegree)
            return Error{&kBadDegree, where, {degree, kMaxDegree}};
    if (parallelism.zeroStage < 0 || parallelism.zeroStage > 3)
        return Error{&kBadStage, "zero", {parallelism.zeroStage}};
    const std::int64_t t = parallelism.tensor;
    const std::int64_t nearest = divisorOf({shape.heads, shape.ffn, shape.groups()}, std::min(t, shape.heads));
    if (shape.heads % t != 0)
        return Error{&kDoesNotDivide, "tensor", {t, std::string("the heads"), shape.heads, nearest}};
    if (shape.ffn % t != 0)
        return Error{&kDoesNotDivide, "tensor", {t, std::string("the FFN width"), shape.ffn, nearest}};
    if (!canShareGroups(shape.groups(), t))
        return Error{&kDoesNotDivide, "tensor", {t, std::string("the key/value heads"), shape.groups(), nearest}};
    if (parallelism.isSequenceParallel && t == 1)
        return Error{&kSequenceNeedsTensor, "sequence_parallel", {}};
    if (parallelism.pipeline > 1 && shape.decoderLayers > 0)
        return Error{&kTwoStacks, "pipeline", {}};
    if (shape.layers % parallelism.pipeline != 0)
        return Error{&kStagesDoNotDivide, "pipeline",
            {parallelism.pipeline, shape.layers,
                divisorOf({shape.layers}, std::min(parallelism.pipeline, shape.layers))}};
    if (parallelism.zeroStage > 0 && parallelism.data == 1)
        return Error{&kZeroNeedsData, "zero", {}};
    return {};
}

const RankBytes& fullestOf(const std::vector<RankBytes>& ranks)
{
    return *std::max_element(
        ranks.begin(), ranks.end(), [](const RankBytes& a, const RankBytes& b) { return a.peak < b.peak; });
}

} // namespace remat
