// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/attention.h"
#include "core/run/kernels/isa_kernels.h"

// Attention that stores the probabilities [B,H,T,T] and their gradient, as two ops: softmax of the scores, and context.
namespace remat::kernels::REMAT_ISA {
namespace {

/// kept[i,j] = mask P for one block, 0 where the query does not see the key.
void dropBlock(
    const Head& head, Index query, Index key, Index keys, DropoutMask& mask, const float* probabilities, float* kept)
{
    for (Index i = 0; i < head.queries(query); ++i) {
        const float* row = probabilities + head.probabilityRow(query + i) + key;
        float* out = kept + i * kKeys;
        const Index visible = head.visible(query + i, key, keys);
        zero(out + visible, keys - visible);
        if (visible == 0)
            continue;
        const float* factors = mask.factors(static_cast<std::uint64_t>(head.probabilityRow(query + i) + key), visible);
        forVectors(visible, [&](Index j, auto read, auto write) { write(out + j, read(row + j) * load(factors + j)); });
    }
}

/// mask P of one block: a copy in `room`, or the probabilities themselves when nothing is dropped.
MatrixView keptBlock(
    const Head& head, Index query, Index key, Index keys, DropoutMask& mask, const float* probabilities, float* room)
{
    if (mask.dropsNothing())
        return {probabilities + head.probabilityRow(query) + key, head.sequence};
    dropBlock(head, query, key, keys, mask, probabilities, room);
    return {room, kKeys};
}

/// dP = mask (dcontext V^T) for one block of queries, all keys; 0 where a query does not see a key.
void gradientRows(const Head& head, Index query, DropoutMask& mask, float* dprobabilities)
{
    for (Index i = 0; i < head.queries(query); ++i) {
        float* row = dprobabilities + head.probabilityRow(query + i);
        const Index visible = head.visible(query + i, 0, head.sequence);
        for (Index key = 0; key < visible && !mask.dropsNothing(); key += kKeys) {
            const Index keys = least(kKeys, visible - key);
            const float* factors = mask.factors(static_cast<std::uint64_t>(head.probabilityRow(query + i) + key), keys);
            forVectors(keys,
                [&](Index j, auto read, auto write) { write(row + key + j, read(row + key + j) * load(factors + j)); });
        }
        zero(row + visible, head.sequence - visible);
    }
}

/// dS = P (dP - delta) of one block, delta being a row's sum of P dP.
void scoreGradients(const Head& head, Index query, Index key, Index keys, const float* delta,
    const float* probabilities, const float* dprobabilities, float* dscores)
{
    for (Index i = 0; i < head.queries(query); ++i) {
        const Index row = head.probabilityRow(query + i) + key;
        forVectors(keys, [&](Index j, auto read, auto write) {
            write(dscores + i * kKeys + j, read(probabilities + row + j) * (read(dprobabilities + row + j) - delta[i]));
        });
    }
}

} // namespace

void IsaKernels::probabilitiesForward(
    const Workers& workers, const AttentionShape& shape, const float* qkv, float* probabilities) const
{
    assertAligned(qkv, probabilities);
    forQueryBlocks(workers, shape, [&](const Head& head, Index query, const AttentionScratch& scratch) {
        const Index queries = head.queries(query);
        multiplyBlock(scratch.packing, queries, head.keysSeenByBlock(query), head.size, head.scale,
            head.queryRows(qkv, query), head.keyRows(qkv, 0, true), Start::Zero, nullptr,
            probabilities + head.probabilityRow(query), head.sequence);
        for (Index i = 0; i < queries; ++i) {
            float* row = probabilities + head.probabilityRow(query + i);
            const Index visible = head.visible(query + i, 0, head.sequence);
            const float sum = exponentialsAndSum(row, visible, largestOf(row, visible));
            scaleRow(row, visible, 1.0F / sum);
            zero(row + visible, head.sequence - visible);
        }
    });
}

void IsaKernels::contextForward(const Workers& workers, const AttentionShape& shape, const Dropout& dropout,
    const float* probabilities, const float* qkv, float* context) const
{
    assertAligned(probabilities, qkv, context);
    forQueryBlocks(workers, shape, [&](const Head& head, Index query, const AttentionScratch& scratch) {
        DropoutMask mask(dropout);
        for (Index key = 0; key < head.keysSeenByBlock(query); key += kKeys) {
            const Index keys = head.keys(query, key);
            multiplyBlock(scratch.packing, head.queries(query), head.size, keys, 1.0F,
                keptBlock(head, query, key, keys, mask, probabilities, scratch.first), head.valueRows(qkv, key),
                key == 0 ? Start::Zero : Start::Keep, nullptr,
                context + head.contextOffset + query * head.contextStride, head.contextStride);
        }
    });
}

void IsaKernels::contextBackward(const Workers& workers, const AttentionShape& shape, const Dropout& dropout,
    const float* dcontext, const float* probabilities, const float* qkv, float* dprobabilities, float* dqkv) const
{
    assertAligned(dcontext, probabilities, qkv, dprobabilities, dqkv);
    forHeads(workers, shape, [&](const Head& head, const AttentionScratch& scratch, bool isFirst) {
        DropoutMask mask(dropout);
        float* dv = dqkv + head.valueOffset;
        if (isFirst)
            zeroRows(dv, head.sequence, head.qkvStride, head.size);
        for (Index query = 0; query < head.sequence; query += kQueries) {
            const Index queries = head.queries(query);
            const MatrixView dout = head.contextRows(dcontext, query);
            multiplyBlock(scratch.packing, queries, head.keysSeenByBlock(query), head.size, 1.0F, dout,
                head.valueRows(qkv, 0, true), Start::Zero, nullptr, dprobabilities + head.probabilityRow(query),
                head.sequence);
            gradientRows(head, query, mask, dprobabilities);
            for (Index key = 0; key < head.keysSeenByBlock(query); key += kKeys) {
                const Index keys = head.keys(query, key);
                MatrixView kept = keptBlock(head, query, key, keys, mask, probabilities, scratch.first);
                kept.transposed = true;
                multiplyBlock(scratch.packing, keys, head.size, queries, 1.0F, kept, dout, Start::Keep, nullptr,
                    dv + key * head.qkvStride, head.qkvStride);
            }
        }
    });
}

void IsaKernels::probabilitiesBackward(const Workers& workers, const AttentionShape& shape, const float* dprobabilities,
    const float* probabilities, const float* qkv, float* dqkv) const
{
    assertAligned(dprobabilities, probabilities, qkv, dqkv);
    forHeads(workers, shape, [&](const Head& head, const AttentionScratch& scratch, bool isFirst) {
        float* dq = dqkv + head.queryOffset;
        float* dk = dqkv + head.keyOffset;
        float* dscores = scratch.first;
        if (isFirst)
            zeroRows(dk, head.sequence, head.qkvStride, head.size);
        float delta[kQueries];
        for (Index query = 0; query < head.sequence; query += kQueries) {
            const Index queries = head.queries(query);
            for (Index i = 0; i < queries; ++i) {
                const Index row = head.probabilityRow(query + i);
                delta[i]
                    = dotProduct(dprobabilities + row, probabilities + row, head.visible(query + i, 0, head.sequence));
            }
            for (Index key = 0; key < head.keysSeenByBlock(query); key += kKeys) {
                const Index keys = head.keys(query, key);
                scoreGradients(head, query, key, keys, delta, probabilities, dprobabilities, dscores);
                multiplyBlock(scratch.packing, queries, head.size, keys, head.scale, {dscores, kKeys},
                    head.keyRows(qkv, key), key == 0 ? Start::Zero : Start::Keep, nullptr, dq + query * head.qkvStride,
                    head.qkvStride);
                multiplyBlock(scratch.packing, keys, head.size, queries, head.scale, {dscores, kKeys, true},
                    head.queryRows(qkv, query), Start::Keep, nullptr, dk + key * head.qkvStride, head.qkvStride);
            }
        }
    });
}

} // namespace remat::kernels::REMAT_ISA
