// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategies_knapsack.h"

#include <algorithm>
#include <cmath>

#include "core/chain/stage_script.h"

namespace remat {

namespace {

std::int64_t quantized(double share)
{
    return std::llround(share * static_cast<double>(kKnapsackQuanta));
}

/// What a layer holds between forward and backward for the op's sake: its outputs that some backward reads.
Bytes savedBytes(const StageTape& tape, int op)
{
    Bytes bytes;
    for (const int t : tape.ops[static_cast<std::size_t>(op)].writes) {
        const bool isRead = std::any_of(tape.ops.begin(), tape.ops.end(), [t](const Op& reader) {
            return std::find(reader.backwardReads.begin(), reader.backwardReads.end(), t) != reader.backwardReads.end();
        });
        if (isRead && t != tape.output)
            bytes += tape.tensors[static_cast<std::size_t>(t)].bytes;
    }
    return bytes;
}

/// FLOPs of the op and of those before it that cannot be kept themselves.
std::int64_t flopsToRerun(const StageTape& tape, int op)
{
    const KeepSet candidates = keepAll(tape);
    std::int64_t flops = tape.ops[static_cast<std::size_t>(op)].forwardFlops.value;
    for (const int t : tape.ops[static_cast<std::size_t>(op)].reads) {
        const int producer = tape.tensors[static_cast<std::size_t>(t)].producer;
        if (producer >= 0 && !keeps(candidates, producer))
            flops += flopsToRerun(tape, producer);
    }
    return flops;
}

/// What is live at the end of the forward beyond base when embedding and head keep all and layers nothing.
Bytes leastSaved(const StepTape& tape)
{
    Bytes bytes;
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const int stage = static_cast<int>(s);
        const StageTape& kind = tape.tapeOf(stage);
        const KeepSet keep = tape.stages[s].layer >= 0 ? 0 : keepAll(kind);
        const bool inBase = tape.setup.hasGradientsInBase();
        for (const int t : buildStageScript(kind, tape.flowOf(stage), keep, inBase).savedTensors)
            bytes += kind.tensors[static_cast<std::size_t>(t)].bytes;
        bytes += kind.tensors[static_cast<std::size_t>(kind.output)].bytes;
    }
    return bytes;
}

} // namespace

std::vector<bool> quantizedKnapsack(const std::vector<KnapsackItem>& items, double capacity)
{
    std::vector<bool> isTaken(items.size(), false);
    const std::int64_t room = quantized(capacity);
    if (room < 0)
        return isTaken;
    const std::size_t width = static_cast<std::size_t>(room) + 1;
    std::vector<std::int64_t> best(width, 0);
    std::vector<bool> improves(items.size() * width, false);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto weight = static_cast<std::size_t>(quantized(items[i].weight));
        for (std::size_t j = width; j-- > weight;) {
            const std::int64_t taken = best[j - weight] + items[i].value;
            if (taken > best[j]) {
                best[j] = taken;
                improves[i * width + j] = true;
            }
        }
    }
    std::size_t j = width - 1;
    for (std::size_t i = items.size(); i-- > 0;) {
        isTaken[i] = improves[i * width + j];
        if (isTaken[i])
            j -= static_cast<std::size_t>(quantized(items[i].weight));
    }
    return isTaken;
}

std::vector<KeepSet> knapsackKeepSets(const StepTape& tape, Bytes savedLimit)
{
    struct Place {
        std::size_t stage;
        int op;
        Bytes bytes;
        std::int64_t flops;
    };
    std::vector<Place> places;
    std::vector<KeepSet> keep;
    Bytes all;
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        keep.push_back(tape.stages[s].layer >= 0 ? 0 : keepAll(stage));
        if (tape.stages[s].layer < 0)
            continue;
        for (const int op : stage.candidates()) {
            places.push_back({s, op, savedBytes(stage, op), std::max<std::int64_t>(flopsToRerun(stage, op), 1)});
            all += places.back().bytes;
        }
    }
    if (all == Bytes{0})
        return keep;
    std::vector<KnapsackItem> items;
    items.reserve(places.size());
    for (const Place& place : places)
        items.push_back({ratio(place.bytes, all), place.flops});
    const Bytes room = savedLimit - leastSaved(tape);
    const std::vector<bool> isSaved = quantizedKnapsack(items, std::min(ratio(room, all), 1.0));
    for (std::size_t i = 0; i < places.size(); ++i)
        if (isSaved[i] || room >= all)
            keep[places[i].stage] |= KeepSet{1} << places[i].op;
    return keep;
}

} // namespace remat
