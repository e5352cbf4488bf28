// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategies_segments.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"

namespace remat {

namespace {

/// Stage numbers of the layers, in order.
std::vector<int> layersOf(const StepTape& tape)
{
    std::vector<int> layers;
    for (std::size_t s = 0; s < tape.stages.size(); ++s)
        if (tape.stages[s].layer >= 0)
            layers.push_back(static_cast<int>(s));
    return layers;
}

/// Groups of `length` layers from the first on; the last may be shorter.  Megatron-LM's --recompute-method uniform
/// (megatron/core/transformer/transformer_block.py) with --recompute-num-layers; with 1, every layer on its own.
std::vector<Segment> uniformGroups(const std::vector<int>& layers, std::size_t length)
{
    std::vector<Segment> segments;
    for (std::size_t i = 0; i < layers.size(); i += length)
        segments.push_back({layers[i], layers[std::min(i + length, layers.size()) - 1]});
    return segments;
}

/// Chen et al. 2016 (arXiv 1604.06174), section 4.1: n layers in segments of sqrt(n), rounded down as Checkmate's
/// CHEN_SQRTN does.
std::vector<Segment> squareRootGroups(const std::vector<int>& layers)
{
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(layers.size())));
    return uniformGroups(layers, std::max<std::size_t>(root, 1));
}

/// One pass of Chen's Algorithm 3: a segment ends with the layer that takes what it made above `limit` bytes.
struct GreedyPass {
    std::vector<Segment> segments;
    Bytes checkpoints;    ///< x: what lies between segments
    Bytes largestSegment; ///< y
};

GreedyPass greedyPass(const StepTape& tape, const std::vector<int>& layers, double limit)
{
    GreedyPass pass;
    Bytes made;
    int first = layers.front();
    for (const int layer : layers) {
        const StageTape& stage = tape.tapeOf(layer);
        for (const int op : stage.candidates())
            for (const int t : stage.ops[at(op)].writes)
                if (t != stage.output)
                    made += stage.tensors[at(t)].bytes;
        const Bytes output = stage.tensors[at(stage.output)].bytes;
        made += output;
        if (static_cast<double>(made.value) <= limit && layer != layers.back())
            continue;
        pass.segments.push_back({first, layer});
        pass.checkpoints += output;
        pass.largestSegment = std::max(pass.largestSegment, made);
        made = {};
        first = layer + 1;
    }
    return pass;
}

/// Chen et al. 2016, Algorithm 3 and the search around it: with limit 0 the pass gives x and y, limits from
/// sqrt(x y / 2) to sqrt(2 x y) are tried in six steps, and the pass with least x + y counts.
std::vector<Segment> greedyGroups(const StepTape& tape, const std::vector<int>& layers)
{
    const GreedyPass start = greedyPass(tape, layers, 0);
    const double middle
        = std::sqrt(static_cast<double>(start.checkpoints.value) * static_cast<double>(start.largestSegment.value));
    GreedyPass best = start;
    constexpr int kSteps = 6;
    for (int step = 0; step < kSteps; ++step) {
        const double exponent = static_cast<double>(step) / (kSteps - 1) - 0.5;
        const GreedyPass pass = greedyPass(tape, layers, middle * std::exp2(exponent));
        if (pass.checkpoints + pass.largestSegment < best.checkpoints + best.largestSegment)
            best = pass;
    }
    return best.segments;
}

std::vector<Segment> ruleOf(const Strategy& strategy, const StepTape& tape)
{
    const std::vector<int> layers = layersOf(tape);
    switch (strategy.kind) {
    case Strategy::Kind::ChenSqrt:
        return squareRootGroups(layers);
    case Strategy::Kind::ChenGreedy:
        return greedyGroups(tape, layers);
    case Strategy::Kind::MegatronUniform:
        return uniformGroups(layers, static_cast<std::size_t>(strategy.k));
    default:
        return uniformGroups(layers, 1);
    }
}

} // namespace

std::vector<Segment> segmentsOf(const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules)
{
    const auto runsOnce = [&](int stage) { return !rules.empty() && rules[at(stage)].mustKeep != 0; };
    std::vector<Segment> parted;
    for (const Segment& segment : ruleOf(strategy, tape))
        for (int stage = segment.first; stage <= segment.last; ++stage) {
            if (runsOnce(stage))
                continue;
            if (stage > segment.first && !runsOnce(stage - 1))
                parted.back().last = stage;
            else
                parted.push_back({stage, stage});
        }
    return parted;
}

Schedule segmentSchedule(const Chain& chain, const std::vector<Segment>& segments)
{
    using Kind = ScheduleOp::Kind;
    const int count = static_cast<int>(chain.stages.size());
    std::vector<const Segment*> segmentOf(chain.stages.size(), nullptr);
    for (const Segment& segment : segments)
        for (int i = segment.first; i <= segment.last; ++i)
            segmentOf[at(i)] = &segment;
    const auto option = [&](int i) -> const Option& { return chain.stages[at(i)].options.front(); };
    // Whether the output of stage i is held over the first sweep.
    const auto isHeld = [&](int i) {
        const bool forItself = !segmentOf[at(i)] && option(i).needsOutput;
        const int next = i + 1;
        const bool forNext
            = next < count && (segmentOf[at(next)] ? segmentOf[at(next)]->first == next : option(next).needsInput);
        return forItself || forNext;
    };

    Schedule schedule;
    std::vector<bool> exists(chain.stages.size(), false);
    const auto forward = [&](int i, int chosen) {
        schedule.push_back({Kind::Forward, i, chosen});
        exists[at(i)] = true;
    };
    const auto release = [&](int i) {
        if (i >= 0 && exists[at(i)])
            schedule.push_back({Kind::FreeOutput, i});
        if (i >= 0)
            exists[at(i)] = false;
    };
    for (int i = 0; i < count; ++i) {
        forward(i, segmentOf[at(i)] ? ScheduleOp::kNoOption : 0);
        if (i > 0 && !isHeld(i - 1))
            release(i - 1);
    }
    if (!isHeld(count - 1))
        release(count - 1);
    for (int i = count - 1; i >= 0; --i) {
        if (segmentOf[at(i)] && segmentOf[at(i)]->last == i) {
            for (int again = segmentOf[at(i)]->first; again <= i; ++again) {
                forward(again, 0);
                const bool isFirst = again == segmentOf[at(i)]->first;
                if (!isFirst && !option(again).needsInput && !option(again - 1).needsOutput)
                    release(again - 1);
            }
            if (!option(i).needsOutput)
                release(i);
        }
        schedule.push_back({Kind::Backward, i});
        if (i == 0)
            break;
        release(i);
        // The output of a segment is made again; of a stage that runs once it may be read by its own backward.
        if (!option(i - 1).needsOutput || (segmentOf[at(i - 1)] && segmentOf[at(i - 1)]->last == i - 1))
            release(i - 1);
    }
    return schedule;
}

} // namespace remat
