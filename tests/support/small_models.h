// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <random>
#include <vector>

#include "core/chain/keep_set.h"
#include "core/cost/device.h"
#include "core/cost/device_traits.h"
#include "core/tape/step_tape.h"

namespace remat::testing {

/// A CPU with round figures, so that times are easy to reason about.
inline Device roundCpu(std::int64_t threads = 1)
{
    Device device;
    device.name = "cpu";
    device.peak.fp32 = 1e11;
    device.bytesPerSecond = 2e10;
    device.launchOverhead = {300};
    device.threads = threads;
    device.memory = {std::int64_t{16} << 30};
    return device;
}

/// How many heads share keys and values.
enum class Sharing { None, Pairs, All };

/// Which kernels a small model uses; every combination of these is a variant that laws must hold for.
struct Variety {
    bool isBert = false;
    AttentionKind attention = AttentionKind::Blocked;
    std::int64_t headChunks = 1;
    bool hasDropout = false;
    std::int64_t microBatches = 1;
    bool isTied = true;
    OptimizerKind optimizer = OptimizerKind::AdamW;
    bool isLlama = false; ///< RMSNorm, RoPE, SwiGLU; not with isBert
    bool hasQkvBias = false;
    Sharing sharing = Sharing::None;
    // Of LLaMA too: heads x head width other than the width, and LlamaConfig's attention_bias and mlp_bias.
    bool hasOwnHeadWidth = false;
    bool hasAttentionOutBias = false;
    bool hasFfnBias = false;
};

inline const char* familyOf(const Variety& v)
{
    if (v.isLlama)
        return v.hasQkvBias && !v.hasAttentionOutBias ? "qwen2" : "llama";
    return v.isBert ? "bert" : "gpt2";
}

inline Variety randomVariety(std::mt19937& random)
{
    const auto coin = [&] { return (random() & 1) != 0; };
    Variety v;
    switch (random() % 3) {
    case 0:
        v.isBert = true;
        break;
    case 1:
        v.isLlama = true;
        v.hasQkvBias = coin();
        v.sharing = static_cast<Sharing>(random() % 3);
        v.hasOwnHeadWidth = coin();
        v.hasAttentionOutBias = coin();
        v.hasFfnBias = coin();
        break;
    default:
        break;
    }
    v.attention = coin() ? AttentionKind::Blocked : AttentionKind::Stored;
    v.headChunks = coin() ? 1 : 2 + static_cast<std::int64_t>(random() % 3);
    v.hasDropout = coin();
    v.microBatches = random() % 4 == 0 ? 2 : 1;
    v.isTied = v.isLlama ? coin() : random() % 4 != 0;
    v.optimizer = static_cast<OptimizerKind>(random() % 3);
    return v;
}

inline ModelShape smallShape(const Variety& v, std::int64_t layers, std::int64_t heads, std::int64_t headWidth,
    std::int64_t ffn, std::int64_t vocabulary, std::int64_t maxPositions)
{
    ModelShape shape;
    shape.modelType = familyOf(v);
    shape.name = "small " + shape.modelType;
    shape.layers = layers;
    shape.heads = heads;
    shape.hidden = heads * headWidth;
    shape.ffn = ffn;
    shape.vocabulary = vocabulary;
    shape.maxPositions = maxPositions;
    shape.tokenTypes = v.isBert ? 2 : 0;
    shape.normPlace = v.isBert ? NormPlace::Post : NormPlace::Pre;
    shape.activation = v.isBert ? Activation::Gelu : Activation::GeluTanh;
    if (v.isLlama) {
        shape.norm = NormKind::RmsNorm;
        shape.positions = PositionKind::Rotary;
        shape.rotaryBase = 50;
        shape.activation = Activation::Silu;
        shape.ffnKind = FfnKind::Gated;
        shape.hasQkvBias = v.hasQkvBias;
        shape.hasAttentionOutBias = v.hasAttentionOutBias;
        shape.hasFfnBias = v.hasFfnBias;
        if (v.hasOwnHeadWidth) {
            shape.hidden += 3;
            shape.ownHeadWidth = headWidth;
        }
        setGroups(shape, v.sharing == Sharing::All ? 1 : v.sharing == Sharing::Pairs ? heads / 2 : heads);
    }
    shape.head = v.isBert ? HeadKind::MaskedLm : HeadKind::CausalLm;
    shape.hasEmbeddingNorm = shape.hasHeadBias = v.isBert;
    shape.hasFinalNorm = !v.isBert;
    shape.isCausal = !v.isBert;
    shape.hasTiedHead = v.isTied;
    if (v.hasDropout)
        shape.dropout = v.isLlama ? Dropouts{.attention = 0.2} : Dropouts{0.1, 0.2, 0.1};
    return shape;
}

inline ModelShape randomShape(const Variety& v, std::mt19937& random)
{
    const auto between = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
    };
    const std::int64_t layers = between(1, 4);
    std::int64_t heads = between(1, 3), headWidth = between(2, 9);
    if (v.isLlama) {
        heads = v.sharing == Sharing::Pairs ? 2 * between(1, 2) : heads;
        headWidth = 2 * (headWidth / 2); // turned in pairs
    }
    return smallShape(v, layers, heads, headWidth, between(3, 40), between(5, 50), 24);
}

inline TrainingSetup setupOf(const Variety& v, std::int64_t batch, std::int64_t sequence)
{
    TrainingSetup setup;
    setup.batch = batch;
    setup.sequence = sequence;
    setup.attention = v.attention;
    setup.headChunks = v.headChunks;
    setup.loss = v.headChunks > 1 ? LossKind::ChunkedCrossEntropy : LossKind::CrossEntropy;
    setup.microBatches = v.microBatches;
    setup.optimizer = v.optimizer;
    return setup;
}

inline TrainingSetup randomSetup(const Variety& v, std::mt19937& random)
{
    return setupOf(v, 1 + static_cast<std::int64_t>(random() % 3), 5 + static_cast<std::int64_t>(random() % 17));
}

/// Any set of ops that can be kept.
inline KeepSet randomKeepSet(const StageTape& tape, std::mt19937& random)
{
    KeepSet set = 0;
    for (const int op : tape.candidates())
        if (random() & 1)
            set |= KeepSet{1} << op;
    return set;
}

inline std::vector<KeepSet> randomKeepSets(const StepTape& tape, std::mt19937& random)
{
    std::vector<KeepSet> sets;
    for (std::size_t s = 0; s < tape.stages.size(); ++s)
        sets.push_back(randomKeepSet(tape.tapeOf(static_cast<int>(s)), random));
    return sets;
}

} // namespace remat::testing
