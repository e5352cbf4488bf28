// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/isa.h"
#include "core/run/kernels/kernels.h"

namespace remat::kernels::REMAT_ISA {

/// The kernels for one instruction set; kernels.h documents each, and the file named after the layer has its body.
class IsaKernels final : public CpuKernels {
public:
    constexpr IsaKernels() = default;

    const char* name() const override;
    void gemm(
        const Workers&, const Gemm&, const float* a, const float* b, const float* bias, float* c, Store) const override;
    void embeddingForward(const Workers&, const EmbeddingShape&, const std::int32_t* ids, const float* wte,
        const float* wpe, const float* wtt, float* out) const override;
    void embeddingBackward(const Workers&, const EmbeddingShape&, const std::int32_t* ids, const float* dout,
        float* dwte, Store storeTokens, float* dwpe, float* dwtt, Store storeOthers) const override;
    void layerNormForward(const Workers&, const RowsShape&, float epsilon, const float* x, const float* gamma,
        const float* beta, float* y, float* mean, float* rstd) const override;
    void layerNormBackward(const Workers&, const RowsShape&, const float* dy, const float* x, const float* mean,
        const float* rstd, const float* gamma, float* dx, Store storeDx, float* dgamma, float* dbeta,
        Store storeWeights) const override;
    void rmsNormForward(const Workers&, const RowsShape&, float epsilon, const float* x, const float* gamma, float* y,
        float* rstd) const override;
    void rmsNormBackward(const Workers&, const RowsShape&, const float* dy, const float* x, const float* rstd,
        const float* gamma, float* dx, Store storeDx, float* dgamma, Store storeWeights) const override;
    void rotary(const Workers&, const RotaryShape&, Turn, const float* in, float* out) const override;
    void linearForward(const Workers&, const LinearShape&, const float* x, const float* weight, const float* bias,
        float* y) const override;
    void linearBackward(const Workers&, const LinearShape&, const float* dy, const float* x, const float* weight,
        float* dx, Store storeDx, float* dweight, float* dbias, Store storeWeights) const override;
    void activationForward(const Workers&, Activation, std::int64_t count, const float* x, float* y) const override;
    void activationBackward(
        const Workers&, Activation, std::int64_t count, const float* dy, const float* x, float* dx) const override;
    void gatedForward(
        const Workers&, Activation, std::int64_t count, const float* gate, const float* up, float* y) const override;
    void gatedBackward(const Workers&, Activation, std::int64_t count, const float* dy, const float* gate,
        const float* up, float* dgate, float* dup) const override;
    void dropout(const Workers&, const Dropout&, std::int64_t count, const float* in, float* out) const override;
    void add(const Workers&, std::int64_t count, const float* a, const float* b, float* out) const override;
    void attentionForward(const Workers&, const AttentionShape&, const Dropout&, const float* qkv, float* context,
        float* lse) const override;
    void attentionBackward(const Workers&, const AttentionShape&, const Dropout&, const float* dcontext,
        const float* qkv, const float* context, const float* lse, float* dqkv) const override;
    void probabilitiesForward(
        const Workers&, const AttentionShape&, const float* qkv, float* probabilities) const override;
    void contextForward(const Workers&, const AttentionShape&, const Dropout&, const float* probabilities,
        const float* qkv, float* context) const override;
    void contextBackward(const Workers&, const AttentionShape&, const Dropout&, const float* dcontext,
        const float* probabilities, const float* qkv, float* dprobabilities, float* dqkv) const override;
    void probabilitiesBackward(const Workers&, const AttentionShape&, const float* dprobabilities,
        const float* probabilities, const float* qkv, float* dqkv) const override;
    void crossEntropyForward(const Workers&, const RowsShape& logitsShape, const float* logits,
        const std::int32_t* targets, float* lse, float* loss) const override;
    void crossEntropyBackward(const Workers&, const RowsShape& logitsShape, const float* logits, const float* lse,
        const std::int32_t* targets, float scale, float* dlogits) const override;
    void chunkedHead(const Workers&, const HeadShape&, const float* x, const float* wte, const float* bias,
        const std::int32_t* targets, float scale, float* loss, float* dx, float* dwte, float* dbias, Store storeWeights,
        float* workspace) const override;
    void adamW(const Workers&, const AdamW&, std::int64_t count, const float* gradient, float* parameter,
        float* momentum, float* variance) const override;
    void sgd(
        const Workers&, float learningRate, std::int64_t count, const float* gradient, float* parameter) const override;
    void fill(const Workers&, std::int64_t count, float value, float* out) const override;
    void fillNormal(
        const Workers&, const RandomStream&, std::int64_t count, float standardDeviation, float* out) const override;
    void fillTokens(const Workers&, const RandomStream&, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) const override;
    void randomWords(
        const RandomStream&, std::uint64_t firstBlock, std::int64_t blocks, std::uint32_t* out) const override;
};

const CpuKernels& allKernels();

} // namespace remat::kernels::REMAT_ISA
