// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/attention.h"
#include "core/run/kernels/isa_kernels.h"

// Attention whose scores exist only as blocks, after FlashAttention (Dao et al. 2022): a row's maximum and sum are
// corrected as further blocks of keys come in; the backward makes the probabilities again from lse.
namespace remat::kernels::REMAT_ISA {
namespace {

/// One block of queries against all keys that it sees.
void forwardBlock(const Head& head, Index query, const AttentionScratch& scratch, DropoutMask& mask, const float* qkv,
    float* context, float* lse)
{
    const Index queries = head.queries(query);
    float* scores = scratch.first;
    float* out = context + head.contextOffset + query * head.contextStride;
    float maximum[kQueries], sum[kQueries];
    for (Index key = 0; key < head.keysSeenByBlock(query); key += kKeys) {
        const Index keys = head.keys(query, key);
        multiplyBlock(scratch.packing, queries, keys, head.size, head.scale, head.queryRows(qkv, query),
            head.keyRows(qkv, key, true), Start::Zero, nullptr, scores, kKeys);
        for (Index i = 0; i < queries; ++i) {
            float* row = scores + i * kKeys;
            const Index visible = head.visible(query + i, key, keys);
            zero(row + visible, keys - visible);
            if (visible == 0)
                continue;
            float blockMaximum = largestOf(row, visible);
            float kept = 0.0F; // the sum of earlier blocks, corrected to the new maximum
            if (key > 0 && maximum[i] >= blockMaximum) {
                blockMaximum = maximum[i];
                kept = sum[i];
            } else if (key > 0) {
                const float correction = exponential(maximum[i] - blockMaximum);
                kept = sum[i] * correction;
                scaleRow(out + i * head.contextStride, head.size, correction);
            }
            maximum[i] = blockMaximum;
            sum[i] = kept + exponentialsAndSum(row, visible, blockMaximum);
            if (!mask.dropsNothing()) {
                const float* factors
                    = mask.factors(static_cast<std::uint64_t>(head.probabilityRow(query + i) + key), visible);
                forVectors(visible,
                    [&](Index j, auto read, auto write) { write(row + j, read(row + j) * load(factors + j)); });
            }
        }
        multiplyBlock(scratch.packing, queries, head.size, keys, 1.0F, {scores, kKeys}, head.valueRows(qkv, key),
            key == 0 ? Start::Zero : Start::Keep, nullptr, out, head.contextStride);
    }
    for (Index i = 0; i < queries; ++i) {
        scaleRow(out + i * head.contextStride, head.size, 1.0F / sum[i]);
        lse[head.number * head.sequence + query + i]
            = static_cast<float>(maximum[i] + __builtin_log(static_cast<double>(sum[i])));
    }
}

/// Turns a block of scores into dropped probabilities and a block of their gradients into gradients of the scores:
/// P = exp(S - lse), dS = P (mask dP - delta), S becomes mask P.
void backwardRows(const Head& head, Index query, Index key, Index keys, DropoutMask& mask, const float* lse,
    const float* delta, float* scores, float* gradients)
{
    for (Index i = 0; i < head.queries(query); ++i) {
        float* score = scores + i * kKeys;
        float* gradient = gradients + i * kKeys;
        const Index visible = head.visible(query + i, key, keys);
        const float* factors = mask.factors(static_cast<std::uint64_t>(head.probabilityRow(query + i) + key), visible);
        const float shift = lse[head.number * head.sequence + query + i];
        forVectors(visible, [&](Index j, auto read, auto write) {
            const Vec probability = exponential(read(score + j) - shift);
            const Vec factor = load(factors + j);
            write(gradient + j, probability * (read(gradient + j) * factor - delta[i]));
            write(score + j, probability * factor);
        });
        zero(score + visible, keys - visible);
        zero(gradient + visible, keys - visible);
    }
}

void backwardHead(const Head& head, const AttentionScratch& scratch, const Dropout& dropout, const float* dcontext,
    const float* qkv, const float* context, const float* lse, float* dqkv, bool isFirst)
{
    DropoutMask mask(dropout);
    float* dq = dqkv + head.queryOffset;
    float* dk = dqkv + head.keyOffset;
    float* dv = dqkv + head.valueOffset;
    if (isFirst) {
        zeroRows(dk, head.sequence, head.qkvStride, head.size);
        zeroRows(dv, head.sequence, head.qkvStride, head.size);
    }
    float delta[kQueries]; // sum over keys of P dP, which is dcontext . context
    for (Index query = 0; query < head.sequence; query += kQueries) {
        const Index queries = head.queries(query);
        const MatrixView dout = head.contextRows(dcontext, query);
        const MatrixView out = head.contextRows(context, query);
        for (Index i = 0; i < queries; ++i)
            delta[i] = dotProduct(dout.data + i * dout.stride, out.data + i * out.stride, head.size);
        for (Index key = 0; key < head.keysSeenByBlock(query); key += kKeys) {
            const Index keys = head.keys(query, key);
            multiplyBlock(scratch.packing, queries, keys, head.size, head.scale, head.queryRows(qkv, query),
                head.keyRows(qkv, key, true), Start::Zero, nullptr, scratch.first, kKeys);
            multiplyBlock(scratch.packing, queries, keys, head.size, 1.0F, dout, head.valueRows(qkv, key, true),
                Start::Zero, nullptr, scratch.second, kKeys);
            backwardRows(head, query, key, keys, mask, lse, delta, scratch.first, scratch.second);
            multiplyBlock(scratch.packing, keys, head.size, queries, 1.0F, {scratch.first, kKeys, true}, dout,
                Start::Keep, nullptr, dv + key * head.qkvStride, head.qkvStride);
            multiplyBlock(scratch.packing, queries, head.size, keys, head.scale, {scratch.second, kKeys},
                head.keyRows(qkv, key), key == 0 ? Start::Zero : Start::Keep, nullptr, dq + query * head.qkvStride,
                head.qkvStride);
            multiplyBlock(scratch.packing, keys, head.size, queries, head.scale, {scratch.second, kKeys, true},
                head.queryRows(qkv, query), Start::Keep, nullptr, dk + key * head.qkvStride, head.qkvStride);
        }
    }
}

} // namespace

void IsaKernels::attentionForward(const Workers& workers, const AttentionShape& shape, const Dropout& dropout,
    const float* qkv, float* context, float* lse) const
{
    assertAligned(qkv, context, lse);
    forQueryBlocks(workers, shape, [&](const Head& head, Index query, const AttentionScratch& scratch) {
        DropoutMask mask(dropout);
        forwardBlock(head, query, scratch, mask, qkv, context, lse);
    });
}

void IsaKernels::attentionBackward(const Workers& workers, const AttentionShape& shape, const Dropout& dropout,
    const float* dcontext, const float* qkv, const float* context, const float* lse, float* dqkv) const
{
    assertAligned(dcontext, qkv, context, lse, dqkv);
    forHeads(workers, shape, [&](const Head& head, const AttentionScratch& scratch, bool isFirst) {
        backwardHead(head, scratch, dropout, dcontext, qkv, context, lse, dqkv, isFirst);
    });
}

} // namespace remat::kernels::REMAT_ISA
