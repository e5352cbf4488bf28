// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/keep_replay.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/chain/stage_script.h"

namespace remat {

namespace {

/// More kinds of stage than a person goes back and forth between; a kind of 2^13 keep-sets takes some megabytes.
constexpr std::size_t kMostStructures = 16;

/// Tensors come first, then gradient slots, weight gradients, workspaces of forwards and of backwards.
int numberOf(const ScriptSlot& slot, const StageTape& tape, const GradientFlow& flow)
{
    const int tensors = static_cast<int>(tape.tensors.size());
    const int slots = static_cast<int>(flow.slotBytes.size());
    switch (slot.kind) {
    case ScriptSlot::Kind::Value:
    case ScriptSlot::Kind::DiscardedOutput:
        break;
    case ScriptSlot::Kind::Gradient:
        return tensors + slot.index;
    case ScriptSlot::Kind::WeightGradient:
        return tensors + slots + slot.index;
    case ScriptSlot::Kind::Workspace:
        return tensors + slots + static_cast<int>(tape.parameters.size()) + slot.index;
    case ScriptSlot::Kind::BackwardWorkspace:
        return tensors + slots + static_cast<int>(tape.parameters.size() + tape.ops.size()) + slot.index;
    }
    return slot.index;
}

struct Peak {
    Bytes largest; ///< excess over what is there before, at least 0
    Bytes after;
};

Peak peakOf(std::span<const std::int16_t> steps, std::span<const Bytes> sizes)
{
    Peak peak;
    for (const std::int16_t step : steps) {
        if (step >= 0)
            peak.after += sizes[at(step)];
        else
            peak.after -= sizes[at(~step)];
        peak.largest = std::max(peak.largest, peak.after);
    }
    return peak;
}

/// All that the script of any keep-set depends on.
std::vector<int> structureOf(const StageFacts& stage)
{
    const auto& [tape, flow, times, gradientsInBase] = stage;
    std::vector<int> all{tape.input, tape.output, gradientsInBase ? 1 : 0};
    const auto add = [&](const std::vector<int>& numbers) {
        all.push_back(static_cast<int>(numbers.size()));
        all.insert(all.end(), numbers.begin(), numbers.end());
    };
    all.push_back(static_cast<int>(tape.tensors.size()));
    for (const Tensor& tensor : tape.tensors)
        all.push_back(tensor.producer);
    all.push_back(static_cast<int>(tape.ops.size()));
    for (const Op& op : tape.ops) {
        all.push_back(static_cast<int>(op.kind));
        all.push_back(op.forwardWorkspace.value > 0 ? 1 : 0);
        all.push_back(op.backwardWorkspace.value > 0 ? 1 : 0);
        for (const std::vector<int>* numbers : {&op.reads, &op.writes, &op.backwardReads, &op.parameters})
            add(*numbers);
    }
    all.push_back(static_cast<int>(tape.parameters.size()));
    for (const StageParameter& parameter : tape.parameters)
        all.push_back(parameter.gradientIsMadeLater ? 1 : 0);
    add(flow.lastOp);
    for (const OpGradients& op : flow.ops) {
        all.push_back(static_cast<int>(op.outgoing.size()));
        for (const GradientWrite& write : op.outgoing)
            for (const int number : {write.tensor, write.slot, static_cast<int>(write.mode), write.adoptedValue})
                all.push_back(number);
    }
    return all;
}

} // namespace

std::vector<Bytes> scriptSizes(const StageFacts& stage)
{
    std::vector<Bytes> sizes;
    for (const Tensor& tensor : stage.tape.tensors)
        sizes.push_back(tensor.bytes);
    sizes.insert(sizes.end(), stage.flow.slotBytes.begin(), stage.flow.slotBytes.end());
    for (const StageParameter& parameter : stage.tape.parameters)
        sizes.push_back(parameter.bytes);
    for (const Op& op : stage.tape.ops)
        sizes.push_back(op.forwardWorkspace);
    for (const Op& op : stage.tape.ops)
        sizes.push_back(op.backwardWorkspace);
    return sizes;
}

KeepReplay::KeepReplay(const StageFacts& stage, KeepSet keep)
{
    const StageScript script = buildStageScript(stage.tape, stage.flow, keep, stage.gradientsInBase);
    const auto record = [&](const std::vector<ScriptStep>& from, Steps& to) {
        to.reserve(from.size());
        for (const ScriptStep& step : from) {
            const int number = numberOf(step.slot, stage.tape, stage.flow);
            if (step.kind == ScriptStep::Kind::Allocate)
                to.push_back(static_cast<std::int16_t>(number));
            else if (step.kind == ScriptStep::Kind::Release)
                to.push_back(static_cast<std::int16_t>(~number));
        }
    };
    record(script.forward, m_forward);
    record(script.backward, m_backward);
    m_saved.assign(script.savedTensors.begin(), script.savedTensors.end());
    for (const ScriptStep& step : script.backward)
        if (step.kind == ScriptStep::Kind::Forward)
            m_reruns.push_back(static_cast<std::int16_t>(step.op));
}

Option KeepReplay::option(std::span<const Bytes> sizes, std::span<const OpTimes> times) const
{
    Option option;
    for (const std::int16_t tensor : m_saved)
        option.savedBytes += sizes[at(tensor)];
    const Peak forward = peakOf(m_forward, sizes);
    option.forwardTempBytes = forward.largest - forward.after;
    option.backwardTempBytes = peakOf(m_backward, sizes).largest;
    // Every op's backward runs once.
    for (const OpTimes& op : times)
        option.backwardTime += op.backward;
    for (const std::int16_t op : m_reruns)
        option.backwardTime += times[at(op)].forward;
    option.reruns = static_cast<std::int64_t>(m_reruns.size());
    return option;
}

KeepReplays::BySet& KeepReplays::of(const StageFacts& stage)
{
    std::vector<int> structure = structureOf(stage);
    if (m_entries.size() >= kMostStructures && !m_entries.contains(structure))
        m_entries.erase(std::min_element(m_entries.begin(), m_entries.end(),
            [](const auto& a, const auto& b) { return a.second.lastUse < b.second.lastUse; }));
    Entry& entry = m_entries[std::move(structure)];
    entry.lastUse = ++m_uses;
    return entry.replays;
}

} // namespace remat
