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

constexpr Bytes kUnit = 16_MiB;           ///< one residual tensor: 8 x 512 x 1024 fp32
constexpr Nanoseconds kGemm = 571'357_ns; ///< 8.6 GFLOP
constexpr Nanoseconds kSmall = 33'481_ns; ///< one pass over a residual tensor
constexpr int kInput = -1;

/// An op of the layer: the tensor that it makes, what it reads, and whether backward reads the tensor.
struct LayerOp {
    Bytes bytes;
    Nanoseconds time;
    std::array<int, 2> reads; ///< earlier ops, or kInput
    bool isReadInBackward;
};

constexpr Bytes part(int quarters)
{
    return {kUnit.value / 4 * quarters};
}

constexpr std::array<LayerOp, 13> kOps{{
    {3 * kUnit, 3 * kGemm, {kInput, kInput}, true},             // 0 q, k, v
    {kUnit + 256_KiB, 2 * kGemm + 117_ns, {0, 0}, true},        // 1 attention output and row sums
    {kUnit, kGemm, {1, 1}, false},                              // 2 projection
    {part(1), {kSmall.value / 3}, {kInput, kInput}, true},      // 3 dropout mask
    {kUnit, 2 * kSmall, {2, 3}, true},                          // 4 residual sum
    {32_KiB, {kSmall.value - 211}, {4, 4}, true},               // 5 mean and deviation
    {kUnit, kSmall, {4, 5}, true},                              // 6 normalised
    {4 * kUnit, 4 * kGemm + 1033_ns, {6, 6}, true},             // 7 first matrix of the FFN
    {4 * kUnit, 5 * kSmall, {7, 7}, true},                      // 8 GELU
    {kUnit, 4 * kGemm, {8, 8}, false},                          // 9 second matrix
    {part(1), {kSmall.value / 3 + 59}, {kInput, kInput}, true}, // 10 dropout mask
    {kUnit, 2 * kSmall + 71_ns, {9, 10}, true},                 // 11 residual sum
    {32_KiB, {kSmall.value - 197}, {11, 11}, true},             // 12 mean and deviation
}};

using KeepSet = std::bitset<kOps.size()>;

/// Replays one keep-set: what is read in backward and not kept runs again, with all that it reads.
Option optionOf(KeepSet kept)
{
    KeepSet reruns;
    for (std::size_t op = kOps.size(); op-- > 0;) {
        bool isWanted = kOps[op].isReadInBackward;
        for (std::size_t later = op + 1; later < kOps.size(); ++later)
            isWanted |= reruns[later]
                && std::count(kOps[later].reads.begin(), kOps[later].reads.end(), static_cast<int>(op)) > 0;
        reruns[op] = isWanted && !kept[op];
    }
    Option option;
    option.name = kept.to_string();
    option.backwardTime = 29 * kGemm;
    option.backwardTempBytes = 6 * kUnit + 48_MiB;
    for (std::size_t op = 0; op < kOps.size(); ++op) {
        if (kept[op])
            option.savedBytes += kOps[op].bytes;
        if (reruns[op]) {
            option.backwardTempBytes += kOps[op].bytes;
            option.backwardTime += kOps[op].time;
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

std::vector<Option> layerOptions()
{
    std::vector<Option> all;
    for (unsigned long bits = 0; bits < (1ul << kOps.size()); ++bits) {
        KeepSet kept(bits);
        const bool keepsUnread = (kept[2] || kept[9]);
        if (!keepsUnread)
            all.push_back(optionOf(kept));
    }
    std::vector<Option> best;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool isBeaten = false;
        for (std::size_t j = 0; j < all.size() && !isBeaten; ++j)
            isBeaten = j != i && beats(all[j], all[i]) && (!beats(all[i], all[j]) || j < i);
        if (!isBeaten)
            best.push_back(all[i]);
    }
    return best;
}

} // namespace

Chain syntheticBertChain(int layers)
{
    Chain chain;
    chain.name = "synthetic bert-large, " + std::to_string(layers) + " layers";
    chain.baseBytes = 18_GiB;
    chain.stepEndBytes = 128_MiB;

    Stage embedding{"embedding", "", kUnit, kUnit, 125_MiB, 2 * kSmall, 0_B, {}};
    embedding.options.push_back({"all", part(5), true, false, 0_B, 3 * kSmall, 160_MiB, 0});
    embedding.options.push_back({"lean", part(1), true, false, 0_B, 4 * kSmall, 192_MiB, 1});
    chain.stages.push_back(embedding);

    Stage layer{"layer", "layer", kUnit, kUnit, 48_MiB, 15 * kGemm, 9 * kUnit, layerOptions()};
    for (int i = 0; i < layers; ++i)
        chain.stages.push_back(layer);

    Stage head{"head", "", 512_B, 0_B, 4_MiB, 60 * kGemm, 1000_MiB, {}};
    head.options.push_back({"all", 492_MiB, true, false, 0_B, 120 * kGemm, 600_MiB, 0});
    head.options.push_back({"lean", 20_MiB, true, false, 480_MiB, 180 * kGemm, 1000_MiB, 1});
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
