// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/torch/dtype.h"

namespace remat::torch {

/// Half: everything in the half type.  Amp: fp32 parameters, autocast around forward and loss.
enum class TorchPrecision : std::uint8_t { Half, Amp, Fp32 };
enum class TorchAttention : std::uint8_t { Eager, Sdpa };
/// ModelLoss: the loss that the Hugging Face class computes from labels.  LogitsSum: out.logits.sum().
enum class TorchLoss : std::uint8_t { ModelLoss, LogitsSum };
enum class TorchOptimizer : std::uint8_t { None, Sgd, SgdMomentum, AdamW, AdamWFused, Adafactor, AdamW8Bit };

/// What torch.utils.checkpoint wraps in one layer.  Regions may be nested: a span around blocks, a block around its
/// parts.
struct LayerRegions {
    bool isBlock = false;         ///< the layer's forward
    bool isAttention = false;     ///< the attention module (BERT: with its LayerNorm)
    bool isFfn = false;           ///< the FFN module (BERT: feed_forward_chunk, with its LayerNorm)
    bool isAttentionCore = false; ///< softmax(Q K) V alone
    // With the norm before the module inside the region, which then keeps the norm's input (pre-norm serial blocks),
    // and with a dropout that ends the module outside, so that the last product need not run again.
    bool hasAttentionNorm = false, hasFfnNorm = false;
    bool hasAttentionTail = false, hasFfnTail = false;
    int span = 0;                   ///< of the first of k consecutive layers in one region: k
    std::vector<std::string> saved; ///< module paths inside the layer whose products are saved by policy
    bool savesSdpa = false;         ///< so is the fused attention op
    /// No region: single tensors are dropped and made again (core/torch/exact_layer.h), all but the outputs of the ops
    /// named in `kept`.
    bool isExact = false;
    std::vector<std::string> kept;

    bool isSaving() const { return savesSdpa || !saved.empty(); }
    bool isAny() const { return isBlock || isAttention || isFfn || isAttentionCore || span > 1 || isExact; }
    bool operator==(const LayerRegions&) const = default;
};

/// Everything that decides what real PyTorch code asks of the allocator, besides the model.
struct TorchSetup {
    std::int64_t batch = 1;
    std::int64_t sequence = 0;
    TorchPrecision precision = TorchPrecision::Half;
    DType half = DType::BFloat16; ///< the half type of Half and Amp
    TorchAttention attention = TorchAttention::Sdpa;
    double embeddingDropout = 0.0, attentionDropout = 0.0, residualDropout = 0.0;
    TorchLoss loss = TorchLoss::ModelLoss;
    bool hasOldLossShift = false;  ///< older transformers: fp32 logits are returned, and copied shifted
    bool keepsOutputs = false;     ///< the caller holds the model's output during backward
    bool usesCache = false;        ///< keys and values go into the output
    bool hasResidentGrads = false; ///< zero_grad(set_to_none=False)
    std::int64_t microBatches = 1;
    TorchOptimizer optimizer = TorchOptimizer::None;
    bool stopsEarly = true;
    bool isReentrant = false;
    /// Regions of whole layers are the model's own (gradient_checkpointing_enable()), not wrapped from outside: T5 then
    /// wants gradients of its cross attention's zero bias, so that a region has an input that needs one.
    bool hasOwnCheckpointing = false;
    std::vector<LayerRegions> layers; ///< of both stacks, the decoder's last; empty: no regions
};

} // namespace remat::torch
