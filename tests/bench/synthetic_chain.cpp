// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/synthetic_chain.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <random>

#include "core/base/units.h"

namespace remat {

namespace {

using namespace literals;

constexpr int kInput = -1;

/// An op of the layer: the tensor that it makes, what it reads, and whether backward reads the tensor.
struct LayerOp {
    Bytes bytes;
    Nanoseconds time;
    std::array<int, 3> reads; ///< earlier ops, or kInput; the last ones may repeat
    bool isReadInBackward;
};

/// A model's layer, and the times and sizes that its ops are made of.
struct LayerShape {
    Bytes unit;       ///< one residual tensor
    Nanoseconds gemm; ///< a matrix of its width
    Nanoseconds pass; ///< one pass over a residual tensor
    std::vector<LayerOp> ops;
    Nanoseconds forward;
    Nanoseconds backward; ///< of a layer that keeps everything
    Bytes backwardTemp;   ///< of one, too
};

constexpr Bytes share(Bytes unit, std::int64_t times, std::int64_t of)
{
    return {unit.value / of * times};
}

/// 8 x 512 x 1024 in fp32; a matrix is 8.6 GFLOP.
LayerShape bertLayer()
{
    constexpr Bytes kUnit = 16_MiB;
    constexpr Nanoseconds kGemm = 571'357_ns;
    constexpr Nanoseconds kPass = 33'481_ns;
    return {kUnit, kGemm, kPass,
        {
            {3 * kUnit, 3 * kGemm, {kInput, kInput, kInput}, true},                  // 0 q, k, v
            {kUnit + 256_KiB, 2 * kGemm + 117_ns, {0, 0, 0}, true},                  // 1 attention output, row sums
            {kUnit, kGemm, {1, 1, 1}, false},                                        // 2 projection
            {share(kUnit, 1, 4), {kPass.value / 3}, {kInput, kInput, kInput}, true}, // 3 dropout mask
            {kUnit, 2 * kPass, {2, 3, 3}, true},                                     // 4 residual sum
            {32_KiB, {kPass.value - 211}, {4, 4, 4}, true},                          // 5 mean and deviation
            {kUnit, kPass, {4, 5, 5}, true},                                         // 6 normalised
            {4 * kUnit, 4 * kGemm + 1033_ns, {6, 6, 6}, true},                       // 7 first matrix of the FFN
            {4 * kUnit, 5 * kPass, {7, 7, 7}, true},                                 // 8 GELU
            {kUnit, 4 * kGemm, {8, 8, 8}, false},                                    // 9 second matrix
            {share(kUnit, 1, 4), {kPass.value / 3 + 59}, {kInput, kInput, kInput}, true}, // 10 dropout mask
            {kUnit, 2 * kPass + 71_ns, {9, 10, 10}, true},                                // 11 residual sum
            {32_KiB, {kPass.value - 197}, {11, 11, 11}, true},                            // 12 mean and deviation
        },
        15 * kGemm, 29 * kGemm, 6 * kUnit + 48_MiB};
}

/// 8192 x 16384 in bf16, 8 of 128 heads for keys and values; a matrix is 4.4 TFLOP.
LayerShape llamaLayer()
{
    constexpr Bytes kUnit = 256_MiB;
    constexpr Nanoseconds kGemm = 7'329'113_ns;
    constexpr Nanoseconds kPass = 214'783_ns;
    constexpr Bytes kHeads = share(kUnit, 1, 16);
    constexpr Bytes kWide = share(kUnit, 13, 4);
    constexpr Nanoseconds kWideGemm{kGemm.value / 4 * 13};
    constexpr Nanoseconds kHeadGemm{kGemm.value / 16};
    return {kUnit, kGemm, kPass,
        {
            {32_KiB, {kPass.value / 2 + 31}, {kInput, kInput, kInput}, true}, // 0 root of mean square
            {kUnit, kPass, {0, kInput, kInput}, true},                        // 1 normalised
            {kUnit, kGemm, {1, 1, 1}, false},                                 // 2 q
            {kHeads, kHeadGemm, {1, 1, 1}, false},                            // 3 k
            {kHeads, kHeadGemm + 103_ns, {1, 1, 1}, true},                    // 4 v
            {kUnit, kPass + 211_ns, {2, 2, 2}, true},                         // 5 q, rotated
            {kHeads, {kPass.value / 16}, {3, 3, 3}, true},                    // 6 k, rotated
            {kUnit + 4_MiB, kGemm + 907_ns, {4, 5, 6}, true},                 // 7 attention output, row sums
            {kUnit, kGemm + 13_ns, {7, 7, 7}, false},                         // 8 projection
            {kUnit, {kPass.value * 3 / 2}, {8, kInput, kInput}, true},        // 9 residual sum
            {32_KiB, {kPass.value / 2 + 67}, {9, 9, 9}, true},                // 10 root of mean square
            {kUnit, kPass + 59_ns, {9, 10, 10}, true},                        // 11 normalised
            {kWide, kWideGemm, {11, 11, 11}, true},                           // 12 gate
            {kWide, kWideGemm + 401_ns, {11, 11, 11}, true},                  // 13 up
            {kWide, {kPass.value * 5}, {12, 13, 13}, true},                   // 14 gated
            {kUnit, kWideGemm + 17_ns, {14, 14, 14}, false},                  // 15 down
        },
        13 * kGemm, 26 * kGemm, 6 * kUnit + 2 * kWide};
}

using KeepSet = std::bitset<16>;

/// Replays one keep-set: what is read in backward and not kept runs again, with all that it reads.
Option optionOf(const LayerShape& layer, KeepSet kept)
{
    const std::size_t count = layer.ops.size();
    KeepSet reruns;
    for (std::size_t op = count; op-- > 0;) {
        bool isWanted = layer.ops[op].isReadInBackward;
        for (std::size_t later = op + 1; later < count; ++later)
            isWanted |= reruns[later]
                && std::count(layer.ops[later].reads.begin(), layer.ops[later].reads.end(), static_cast<int>(op)) > 0;
        reruns[op] = isWanted && !kept[op];
    }
    Option option;
    option.name = kept.to_string();
    option.backwardTime = layer.backward;
    option.backwardTempBytes = layer.backwardTemp;
    for (std::size_t op = 0; op < count; ++op) {
        if (kept[op])
            option.savedBytes += layer.ops[op].bytes;
        if (reruns[op]) {
            option.backwardTempBytes += layer.ops[op].bytes;
            option.backwardTime += layer.ops[op].time;
            ++option.reruns;
        }
    }
    return option;
}

bool beats(const Option& a, const Option& b)
{
    return a.savedBytes <= b.savedBytes && a.backwardTime <= b.backwardTime
        && a.backwardTempBytes <= b.backwardTempBytes && a.reruns <= b.reruns;
}

std::vector<Option> layerOptions(const LayerShape& layer, std::size_t most)
{
    std::vector<Option> all;
    for (unsigned long bits = 0; bits < (1ul << layer.ops.size()); ++bits) {
        const KeepSet kept(bits);
        bool keepsUnread = false;
        for (std::size_t op = 0; op < layer.ops.size(); ++op)
            keepsUnread |= kept[op] && !layer.ops[op].isReadInBackward;
        if (!keepsUnread)
            all.push_back(optionOf(layer, kept));
    }
    std::vector<Option> best;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool isBeaten = false;
        for (std::size_t j = 0; j < all.size() && !isBeaten; ++j)
            isBeaten = j != i && beats(all[j], all[i]) && (!beats(all[i], all[j]) || j < i);
        if (!isBeaten)
            best.push_back(all[i]);
    }
    if (best.size() <= most)
        return best;
    std::stable_sort(
        best.begin(), best.end(), [](const Option& a, const Option& b) { return a.savedBytes < b.savedBytes; });
    std::vector<Option> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(best[i * (best.size() - 1) / (most - 1)]);
    return some;
}

std::string nameOf(const char* model, int layers)
{
    return std::string("synthetic ") + model + ", " + std::to_string(layers) + " layers";
}

} // namespace

Chain syntheticBertChain(int layers, std::size_t mostOptions)
{
    const LayerShape shape = bertLayer();
    Chain chain;
    chain.name = nameOf("bert-large", layers);
    chain.baseBytes = 18_GiB;
    chain.stepEndBytes = 128_MiB;

    Stage embedding{"embedding", "", shape.unit, shape.unit, 125_MiB, 2 * shape.pass, 0_B, {}};
    embedding.options.push_back({"all", share(shape.unit, 5, 4), true, false, 0_B, 3 * shape.pass, 160_MiB, 0});
    embedding.options.push_back({"lean", share(shape.unit, 1, 4), true, false, 0_B, 4 * shape.pass, 192_MiB, 1});
    chain.stages.push_back(embedding);

    const Stage layer{"layer", "layer", shape.unit, shape.unit, 48_MiB, shape.forward, 9 * shape.unit,
        layerOptions(shape, mostOptions)};
    chain.stages.insert(chain.stages.end(), static_cast<std::size_t>(layers), layer);

    Stage head{"head", "", 512_B, 0_B, 4_MiB, 60 * shape.gemm, 1000_MiB, {}};
    head.options.push_back({"all", 492_MiB, true, false, 0_B, 120 * shape.gemm, 600_MiB, 0});
    head.options.push_back({"lean", 20_MiB, true, false, 480_MiB, 180 * shape.gemm, 1000_MiB, 1});
    chain.stages.push_back(head);
    return chain;
}

Chain syntheticLlamaChain(int layers, std::size_t mostOptions)
{
    const LayerShape shape = llamaLayer();
    Chain chain;
    chain.name = nameOf("llama-405b", layers);
    chain.baseBytes = 64_GiB;

    Stage embedding{"embedding", "", shape.unit, shape.unit, 0_B, shape.pass, 0_B, {}};
    embedding.options.push_back({"all", 64_KiB, true, false, 0_B, 2 * shape.pass, 0_B, 0});
    chain.stages.push_back(embedding);

    const Stage layer{"layer", "layer", shape.unit, shape.unit, 0_B, shape.forward, share(shape.unit, 51, 4),
        layerOptions(shape, mostOptions)};
    chain.stages.insert(chain.stages.end(), static_cast<std::size_t>(layers), layer);

    // Logits of 128,256 words, whole or in sixteen chunks.
    Stage head{"head", "", 512_B, 0_B, 0_B, 8 * shape.gemm, 6012_MiB, {}};
    head.options.push_back({"all", 4008_MiB, true, false, 2004_MiB, 16 * shape.gemm, 4264_MiB, 0});
    head.options.push_back({"chunks", shape.unit, true, false, 760_MiB, 24 * shape.gemm, 1016_MiB, 1});
    chain.stages.push_back(head);
    return chain;
}

Chain jittered(Chain chain, const std::string& name)
{
    std::mt19937_64 random(32);
    const auto vary = [&](std::int64_t& value) { value += value / 1000 * static_cast<std::int64_t>(random() % 60); };
    chain.name = name;
    for (Stage& stage : chain.stages) {
        stage.kind.clear();
        vary(stage.forwardTime.value);
        for (Option& option : stage.options) {
            vary(option.backwardTime.value);
            vary(option.savedBytes.value);
        }
    }
    return chain;
}

} // namespace remat
