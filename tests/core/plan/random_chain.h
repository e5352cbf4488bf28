// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "core/chain/chain.h"

namespace remat {

/// What a random chain is like; the defaults give small sizes with many ties.
struct RandomChainShape {
    int mostStages = 5;
    int mostOptions = 4;
    std::int64_t mostBytes = 12;
    std::int64_t mostTime = 9;
    std::int64_t mostReruns = 2;
};

/// A valid chain with every flag, zero sizes, weight gradients and a step end; the same seed gives the same chain.
inline Chain randomChain(std::mt19937_64& random, const RandomChainShape& shape = {})
{
    // The standard's distributions differ between libraries, so a remainder is taken instead.
    const auto below
        = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1)); };
    const auto isTrue = [&](int percent) { return below(99) < percent; };
    Chain chain;
    chain.name = "random";
    chain.baseBytes = {below(20)};
    if (isTrue(30))
        chain.stepEndBytes = {below(2 * shape.mostBytes)};
    const std::int64_t stages = 1 + below(shape.mostStages - 1);
    const int needsInput = isTrue(30) ? 100 : 60;
    const int needsOutput = isTrue(30) ? 0 : 30;
    for (std::int64_t i = 0; i < stages; ++i) {
        Stage stage;
        stage.name = "stage " + std::to_string(i + 1);
        stage.outBytes = {below(shape.mostBytes)};
        stage.gradBytes = {i + 1 == stages ? 0 : below(shape.mostBytes)};
        stage.weightGradBytes = {isTrue(50) ? below(shape.mostBytes) : 0};
        stage.forwardTime = {below(shape.mostTime)};
        stage.forwardTempBytes = {below(shape.mostBytes)};
        const std::int64_t made = stage.weightGradBytes.value + (i == 0 ? 0 : chain.stages.back().gradBytes.value);
        const std::int64_t options = 1 + below(shape.mostOptions - 1);
        for (std::int64_t o = 0; o < options; ++o) {
            Option option;
            option.name = "o" + std::to_string(o);
            option.savedBytes = {below(2 * shape.mostBytes)};
            option.needsInput = isTrue(needsInput);
            option.needsOutput = isTrue(needsOutput);
            option.forwardTempBytes = {below(shape.mostBytes)};
            option.backwardTime = {below(shape.mostTime)};
            option.backwardTempBytes
                = {std::max<std::int64_t>(0, made - stage.gradBytes.value - option.savedBytes.value)
                    + below(2 * shape.mostBytes)};
            option.reruns = below(shape.mostReruns);
            stage.options.push_back(option);
        }
        // Repeating a stage makes ties between orders, which are the hard part of determinism.
        if (i > 0 && i + 1 < stages && isTrue(30)) {
            const Stage& previous = chain.stages.back();
            const Bytes inputGrad = i == 1 ? Bytes{} : chain.stages[static_cast<std::size_t>(i) - 2].gradBytes;
            if (previous.gradBytes <= inputGrad)
                stage = previous;
        }
        chain.stages.push_back(stage);
    }
    return chain;
}

/// The chain with all sizes `factor` times as large.
inline Chain scaledBytes(Chain chain, std::int64_t factor)
{
    chain.baseBytes.value *= factor;
    chain.stepEndBytes.value *= factor;
    for (Stage& stage : chain.stages) {
        for (Bytes* bytes : {&stage.outBytes, &stage.gradBytes, &stage.weightGradBytes, &stage.forwardTempBytes})
            bytes->value *= factor;
        for (Option& option : stage.options)
            for (Bytes* bytes : {&option.savedBytes, &option.forwardTempBytes, &option.backwardTempBytes})
                bytes->value *= factor;
    }
    return chain;
}

/// The chain with all times `factor` times as long.
inline Chain scaledTimes(Chain chain, std::int64_t factor)
{
    for (Stage& stage : chain.stages) {
        stage.forwardTime.value *= factor;
        for (Option& option : stage.options)
            option.backwardTime.value *= factor;
    }
    return chain;
}

/// The chain with one stage cut in two between which nothing is handed over: the first half takes half of what is kept,
/// of the time and all weight gradients, the second the temporaries and what the stage says of its output.
inline Chain withStageInTwo(const Chain& chain, std::size_t at)
{
    const Stage& whole = chain.stages[at];
    const Bytes inputGrad = at == 0 ? Bytes{} : chain.stages[at - 1].gradBytes;
    Stage first{"first half", "", {}, {}, whole.weightGradBytes, Nanoseconds{whole.forwardTime.value / 2}, {}, {}};
    Stage second = whole;
    second.name = "second half";
    second.weightGradBytes = {};
    second.forwardTime -= first.forwardTime;
    for (std::size_t o = 0; o < whole.options.size(); ++o) {
        Option half;
        half.name = whole.options[o].name;
        half.savedBytes = Bytes{whole.options[o].savedBytes.value / 2};
        half.needsInput = whole.options[o].needsInput;
        half.backwardTime = Nanoseconds{whole.options[o].backwardTime.value / 2};
        half.backwardTempBytes = std::max(Bytes{}, inputGrad + whole.weightGradBytes - half.savedBytes);
        second.options[o].savedBytes -= half.savedBytes;
        second.options[o].backwardTime -= half.backwardTime;
        second.options[o].needsInput = false;
        first.options.push_back(half);
    }
    Chain longer = chain;
    longer.stages[at] = second;
    longer.stages.insert(longer.stages.begin() + static_cast<std::ptrdiff_t>(at), first);
    return longer;
}

/// Equal layers with so many options of about equal worth that a few layers have ten thousands of plans.
inline Chain denseChain(std::mt19937_64& random, std::size_t stages, int options)
{
    const auto below
        = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1)); };
    Stage stage{"layer", "", {100'000}, {100'000}, {1000}, {2'000'000}, {50'000}, {}};
    for (int o = 0; o < options; ++o) {
        const std::int64_t saved = below(1'000'000);
        stage.options.push_back(Option{
            "o" + std::to_string(o), {saved}, true, false, {0}, {5'000'000 - saved + below(2000)}, {1'500'000}, 0});
    }
    Chain chain;
    chain.name = "dense";
    chain.stages.assign(stages, stage);
    chain.stages.back().gradBytes = {};
    return chain;
}

/// Many equal layers between two odd stages, as networks have them: what an option keeps, it roughly saves in time.
inline Chain layeredChain(std::mt19937_64& random)
{
    const auto below
        = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1)); };
    const auto stageOf = [&](std::int64_t mostOptions, std::int64_t scale) {
        Stage stage{"stage", "", {scale / 8}, {scale / 8}, {below(scale / 4)}, {2 * scale}, {below(scale)}, {}};
        const std::int64_t options = 1 + below(mostOptions - 1);
        const std::int64_t needsInput = below(1) * 50;
        for (std::int64_t o = 0; o < options; ++o) {
            const std::int64_t saved = below(scale);
            Option option{"o" + std::to_string(o), {saved}, below(99) >= needsInput, below(99) < needsInput,
                {below(scale)}, {3 * scale + (scale - saved) * (50 + below(100)) / 100}, {scale / 2 + below(3 * scale)},
                below(3)};
            stage.options.push_back(option);
        }
        return stage;
    };
    Chain chain;
    chain.name = "layered";
    chain.baseBytes = {below(1'000'000)};
    chain.stages.assign(static_cast<std::size_t>(20 + below(60)), stageOf(30, 1'000'000));
    chain.stages.front() = stageOf(4, 600'000);
    chain.stages.back() = stageOf(4, 4'000'000);
    chain.stages.back().gradBytes = {};
    return chain;
}

} // namespace remat
