// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/attention.h"
#include "core/run/kernels/isa_kernels.h"

namespace remat::kernels::REMAT_ISA {
namespace {

/// log of the sum of exp over one row of logits.
float logSumExp(const float* logits, Index count)
{
    const float most = largestOf(logits, count);
    // Four sums, and every 4096 elements a new run of them, so that a vocabulary's rounding errors stay small.
    double total = 0.0;
    for (Index begin = 0; begin < count; begin += 4096) {
        const Index end = least(count, begin + 4096);
        Vec sum[4] = {};
        Index i = begin;
        for (; i + 4 * kLanes <= end; i += 4 * kLanes)
            for (int k = 0; k < 4; ++k)
                sum[k] += exponential(load(logits + i + k * kLanes) - most);
        total += static_cast<double>(sumOfLanes((sum[0] + sum[1]) + (sum[2] + sum[3])));
        for (; i < end; ++i)
            total += static_cast<double>(exponential(logits[i] - most));
    }
    return static_cast<float>(static_cast<double>(most) + __builtin_log(total));
}

/// gradient = (exp(logits - lse) - onehot(target)) * scale; may be in place.
void softmaxGradient(const float* logits, Index count, float lse, std::int32_t target, float scale, float* gradient)
{
    forVectors(count,
        [=](Index i, auto read, auto write) { write(gradient + i, exponential(read(logits + i) - lse) * scale); });
    gradient[target] -= scale;
}

} // namespace

void IsaKernels::crossEntropyForward(const Workers& workers, const RowsShape& shape, const float* logits,
    const std::int32_t* targets, float* lse, float* loss) const
{
    assertAligned(logits, targets, lse, loss);
    forRows(workers, shape.rows, shape.width,
        [&](Index row) { lse[row] = logSumExp(logits + row * shape.width, shape.width); });
    double sum = 0.0;
    for (Index row = 0; row < shape.rows; ++row)
        sum += static_cast<double>(lse[row]) - static_cast<double>(logits[row * shape.width + targets[row]]);
    *loss = static_cast<float>(sum / static_cast<double>(shape.rows));
}

void IsaKernels::crossEntropyBackward(const Workers& workers, const RowsShape& shape, const float* logits,
    const float* lse, const std::int32_t* targets, float scale, float* dlogits) const
{
    assertAligned(logits, lse, targets, dlogits);
    const float factor = scale / static_cast<float>(shape.rows);
    forRows(workers, shape.rows, shape.width, [&](Index row) {
        softmaxGradient(
            logits + row * shape.width, shape.width, lse[row], targets[row], factor, dlogits + row * shape.width);
    });
}

void IsaKernels::chunkedHead(const Workers& workers, const HeadShape& shape, const float* x, const float* wte,
    const float* bias, const std::int32_t* targets, float scale, float* loss, float* dx, float* dwte, float* dbias,
    Store storeWeights, float* workspace) const
{
    assertAligned(x, wte, bias, targets, loss, dx, dwte, dbias, workspace);
    const Index vocabulary = shape.vocabulary, width = shape.width;
    const Index chunkRows = (shape.rows + shape.chunks - 1) / shape.chunks;
    float* logits = workspace;
    float* rowLoss = workspace + (chunkRows * vocabulary + 15) / 16 * 16;
    const float factor = scale / static_cast<float>(shape.rows);
    double sum = 0.0;
    for (Index begin = 0; begin < shape.rows; begin += chunkRows) {
        const Index rows = least(chunkRows, shape.rows - begin);
        const float* chunk = x + begin * width;
        multiply(workers, rows, vocabulary, width, {chunk, width}, {wte, width, true},
            bias != nullptr ? Start::Bias : Start::Zero, bias, logits);
        forRows(workers, rows, vocabulary, [&](Index row) {
            float* values = logits + row * vocabulary;
            const std::int32_t target = targets[begin + row];
            const float lse = logSumExp(values, vocabulary);
            rowLoss[row] = lse - values[target];
            softmaxGradient(values, vocabulary, lse, target, factor, values);
        });
        for (Index row = 0; row < rows; ++row)
            sum += static_cast<double>(rowLoss[row]);
        const Store mode = begin == 0 ? storeWeights : Store::Add;
        multiply(workers, rows, width, vocabulary, {logits, vocabulary}, {wte, width}, Start::Zero, nullptr,
            dx + begin * width);
        multiply(workers, vocabulary, width, rows, {logits, vocabulary, true}, {chunk, width},
            mode == Store::Add ? Start::Keep : Start::Zero, nullptr, dwte);
        if (dbias != nullptr)
            columnSums(workers, rows, vocabulary, logits, dbias, mode);
    }
    *loss = static_cast<float>(sum / static_cast<double>(shape.rows));
}

} // namespace remat::kernels::REMAT_ISA
