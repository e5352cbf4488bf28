// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/paper/paper_layer.h"

namespace remat {

bool isPaperShape(const ModelShape& shape)
{
    return shape.ffnKind == FfnKind::Plain && shape.ffn == 4 * shape.hidden && shape.groups() == shape.heads
        && shape.attentionWidth() == shape.hidden && shape.decoderLayers == 0 && !shape.image.isGiven()
        && shape.block == BlockKind::Serial && shape.experts == 0 && !shape.hasEmbeddingProjection();
}

PaperLayer paperLayer(const PaperSizes& sizes, const Parallelism& parallelism, PaperRecompute recompute)
{
    const std::int64_t sbh = sizes.sbh(), t = parallelism.tensor;
    if (recompute == PaperRecompute::Full)
        return {{}, {}, {}, {2 * sbh}};
    // Sequence parallelism divides what lies between the products, too.
    const std::int64_t between = parallelism.isSequenceParallel ? t : 1;
    const std::int64_t core = recompute == PaperRecompute::Selective ? 0 : 5 * sizes.scores() / t;
    return {{3 * sbh / between + 8 * sbh / t + core}, {3 * sbh / between + 16 * sbh / t}, {4 * sbh / between}, {}};
}

Bytes paperOutsideLayers(
    const PaperSizes& sizes, const Parallelism& parallelism, bool isFirst, bool isLast, std::int64_t inFlight)
{
    const std::int64_t sbh = sizes.sbh();
    const std::int64_t between = parallelism.isSequenceParallel ? parallelism.tensor : 1;
    std::int64_t bytes = isFirst ? inFlight * sbh / between : 0;
    if (isLast)
        bytes += 4 * sbh / between + 4 * sizes.sequence * sizes.batch * sizes.vocabulary / parallelism.tensor;
    return {bytes};
}

std::vector<PaperOp> paperLayerOps(const PaperSizes& sizes, const Parallelism& parallelism)
{
    const std::int64_t t = parallelism.tensor, sbh = sizes.sbh(), h = sizes.hidden;
    const std::int64_t between = parallelism.isSequenceParallel ? t : 1;
    const std::int64_t cut = sbh / t, scores = sizes.scores() / t, whole = sbh / between;
    const std::int64_t product = 2 * sbh * h / t, coreProduct = 2 * sizes.scores() * (h / sizes.heads) / t;
    // A product reads both factors and writes one; backward does so twice.
    const auto gemm = [&](const char* name, std::int64_t widths, std::int64_t in, std::int64_t out) {
        const std::int64_t bytes = 2 * (in + out + widths * h * h / t);
        return PaperOp{name, OpClass::Gemm, {widths * product}, {bytes}, {2 * bytes}};
    };
    return {
        {"norm", OpClass::Reduction, {}, {4 * whole}, {6 * whole}},
        gemm("query, key, value", 3, sbh, 3 * cut),
        {"scores", OpClass::StoredAttention, {coreProduct}, {4 * cut + 2 * scores}, {8 * cut + 4 * scores}, true},
        {"softmax", OpClass::StoredAttention, {}, {4 * scores}, {6 * scores}, true},
        {"softmax dropout", OpClass::Dropout, {}, {5 * scores}, {5 * scores}, true},
        {"context", OpClass::StoredAttention, {coreProduct}, {4 * cut + 2 * scores}, {8 * cut + 4 * scores}, true},
        gemm("output", 1, cut, sbh),
        {"dropout, sum", OpClass::Elementwise, {}, {7 * whole}, {5 * whole}},
        {"norm", OpClass::Reduction, {}, {4 * whole}, {6 * whole}},
        gemm("up", 4, sbh, 4 * cut),
        {"GELU", OpClass::Activation, {}, {16 * cut}, {24 * cut}},
        gemm("down", 4, 4 * cut, sbh),
        {"dropout, sum", OpClass::Elementwise, {}, {7 * whole}, {5 * whole}},
    };
}

Flops paperModelFlops(const PaperSizes& sizes)
{
    // 72bLsh²(1 + s/6h + v/12hL) in whole numbers.
    const std::int64_t sbh = sizes.sbh();
    return {
        72 * sbh * sizes.hidden * sizes.layers + 12 * sbh * sizes.sequence * sizes.layers + 6 * sbh * sizes.vocabulary};
}

std::int64_t paperParameters(const PaperSizes& sizes)
{
    const std::int64_t h = sizes.hidden;
    return sizes.layers * (12 * h * h + 13 * h) + (sizes.vocabulary + sizes.positions) * h;
}

} // namespace remat
