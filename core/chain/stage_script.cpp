// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/stage_script.h"

#include <algorithm>

#include "core/base/index.h"

namespace remat {

namespace {

using SlotKind = ScriptSlot::Kind;
using StepKind = ScriptStep::Kind;

class ScriptBuilder {
public:
    ScriptBuilder(const StageTape& tape, const GradientFlow& flow, KeepSet keep, bool gradientsInBase)
        : m_tape(tape),
          m_flow(flow),
          m_keep(keep),
          m_gradientsInBase(gradientsInBase)
    { }

    StageScript build()
    {
        orderBackward();
        findSaved();
        writeForward();
        writeBackward();
        return std::move(m_script);
    }

private:
    /// One entry of the backward: an op run again, or an op's backward.
    struct Event {
        int op;
        bool isRerun;
    };

    const Op& opAt(int index) const { return m_tape.ops[at(index)]; }
    Bytes bytesOf(int tensor) const { return m_tape.tensors[at(tensor)].bytes; }

    void orderBackward()
    {
        m_present.assign(m_tape.tensors.size(), false);
        if (m_tape.input >= 0)
            m_present[at(m_tape.input)] = true;
        for (std::size_t i = 0; i < m_tape.ops.size(); ++i)
            if (keeps(m_keep, static_cast<int>(i)))
                for (const int w : m_tape.ops[i].writes)
                    m_present[at(w)] = w != m_tape.output;
        for (int i = static_cast<int>(m_tape.ops.size()) - 1; i >= 0; --i) {
            for (const int r : opAt(i).backwardReads)
                require(r);
            m_events.push_back({i, false});
        }
        m_lastReader.assign(m_tape.tensors.size(), -1);
        for (std::size_t e = 0; e < m_events.size(); ++e) {
            const Op& op = opAt(m_events[e].op);
            for (const int r : m_events[e].isRerun ? op.reads : op.backwardReads)
                m_lastReader[at(r)] = static_cast<int>(e);
        }
    }

    /// Makes a value present by running its producer again, producers of its inputs first.
    void require(int tensor)
    {
        if (m_present[at(tensor)])
            return;
        const int producer = m_tape.tensors[at(tensor)].producer;
        for (const int r : opAt(producer).reads)
            require(r);
        m_events.push_back({producer, true});
        for (const int w : opAt(producer).writes)
            m_present[at(w)] = true;
    }

    void findSaved()
    {
        m_isSaved.assign(m_tape.tensors.size(), false);
        for (std::size_t i = 0; i < m_tape.ops.size(); ++i)
            for (const int w : m_tape.ops[i].writes)
                if (keeps(m_keep, static_cast<int>(i)) && w != m_tape.output && m_lastReader[at(w)] >= 0) {
                    m_isSaved[at(w)] = true;
                    m_script.savedTensors.push_back(w);
                }
    }

    void writeForward()
    {
        std::vector<int> lastReader(m_tape.tensors.size(), -1);
        for (std::size_t i = 0; i < m_tape.ops.size(); ++i)
            for (const int r : m_tape.ops[i].reads)
                lastReader[at(r)] = static_cast<int>(i);
        const auto isCallers = [&](int t) { return t == m_tape.input || t == m_tape.output; };
        for (int i = 0; i < static_cast<int>(m_tape.ops.size()); ++i) {
            const Op& op = opAt(i);
            for (const int w : op.writes)
                allocate(m_script.forward, {SlotKind::Value, w}, bytesOf(w));
            runForward(m_script.forward, i, false);
            for (const int r : op.reads)
                if (lastReader[at(r)] == i && !isCallers(r) && !m_isSaved[at(r)])
                    release(m_script.forward, {SlotKind::Value, r}, bytesOf(r));
            for (const int w : op.writes)
                if (lastReader[at(w)] < 0 && !isCallers(w) && !m_isSaved[at(w)])
                    release(m_script.forward, {SlotKind::Value, w}, bytesOf(w));
        }
    }

    void writeBackward()
    {
        for (std::size_t e = 0; e < m_events.size(); ++e) {
            if (m_events[e].isRerun)
                writeRerun(m_events[e].op, static_cast<int>(e));
            else
                writeOpBackward(m_events[e].op, static_cast<int>(e));
        }
    }

    void writeRerun(int index, int event)
    {
        const Op& op = opAt(index);
        auto& steps = m_script.backward;
        const auto slotOf = [&](int w) {
            return ScriptSlot{w == m_tape.output ? SlotKind::DiscardedOutput : SlotKind::Value, w};
        };
        for (const int w : op.writes)
            allocate(steps, slotOf(w), bytesOf(w));
        runForward(steps, index, true);
        releaseReads(op.reads, event);
        for (const int w : op.writes)
            if (m_lastReader[at(w)] < event)
                release(steps, slotOf(w), bytesOf(w));
    }

    void writeOpBackward(int index, int event)
    {
        const Op& op = opAt(index);
        const OpGradients& gradients = m_flow.ops[at(index)];
        auto& steps = m_script.backward;
        for (const GradientWrite& write : gradients.outgoing)
            if (write.mode == GradientWrite::Mode::Create)
                allocate(steps, {SlotKind::Gradient, write.slot}, m_flow.slotBytes[at(write.slot)]);
        const bool adopts = op.kind == OpKind::ChunkedHead;
        for (const int p : op.parameters)
            if (!adopts && makesGradient(p))
                allocate(steps, {SlotKind::WeightGradient, p}, m_tape.parameters[at(p)].bytes);
        const ScriptSlot workspace{SlotKind::BackwardWorkspace, index};
        if (op.backwardWorkspace.value > 0)
            allocate(steps, workspace, op.backwardWorkspace);
        steps.push_back({.kind = StepKind::Backward, .op = index});
        if (op.backwardWorkspace.value > 0)
            release(steps, workspace, op.backwardWorkspace);
        if (adopts)
            adopt(op, gradients, event);
        else
            releaseReads(op.backwardReads, event);
        for (std::size_t slot = 0; slot < m_flow.lastOp.size(); ++slot)
            if (m_flow.lastOp[slot] == index)
                release(steps, {SlotKind::Gradient, static_cast<int>(slot)}, m_flow.slotBytes[slot]);
    }

    /// The chunked head made its gradients in forward: they change their name instead of being computed.  Weight
    /// gradients that exist already were added to by the op's backward, so the head's own copy goes.
    void adopt(const Op& op, const OpGradients& gradients, int event)
    {
        auto& steps = m_script.backward;
        const GradientWrite& write = gradients.outgoing[0];
        move({SlotKind::Value, write.adoptedValue}, {SlotKind::Gradient, write.slot}, bytesOf(write.adoptedValue));
        for (std::size_t k = 0; k < op.parameters.size(); ++k) {
            const int value = op.writes[2 + k];
            if (makesGradient(op.parameters[k]))
                move({SlotKind::Value, value}, {SlotKind::WeightGradient, op.parameters[k]}, bytesOf(value));
            else if (m_lastReader[at(value)] == event)
                release(steps, {SlotKind::Value, value}, bytesOf(value));
        }
    }

    bool makesGradient(int parameter) const
    {
        return !m_gradientsInBase && !m_tape.parameters[at(parameter)].gradientIsMadeLater;
    }

    void releaseReads(const std::vector<int>& reads, int event)
    {
        for (std::size_t k = 0; k < reads.size(); ++k) {
            const int r = reads[k];
            const bool isRepeated = std::find(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(k), r)
                != reads.begin() + static_cast<std::ptrdiff_t>(k);
            if (m_lastReader[at(r)] == event && r != m_tape.input && !isRepeated)
                release(m_script.backward, {SlotKind::Value, r}, bytesOf(r));
        }
    }

    void allocate(std::vector<ScriptStep>& steps, ScriptSlot slot, Bytes bytes) const
    {
        steps.push_back({.kind = StepKind::Allocate, .slot = slot, .bytes = bytes});
    }

    void release(std::vector<ScriptStep>& steps, ScriptSlot slot, Bytes bytes) const
    {
        steps.push_back({.kind = StepKind::Release, .slot = slot, .bytes = bytes});
    }

    void move(ScriptSlot from, ScriptSlot to, Bytes bytes)
    {
        m_script.backward.push_back({.kind = StepKind::Move, .slot = from, .target = to, .bytes = bytes});
    }

    void runForward(std::vector<ScriptStep>& steps, int op, bool isRerun) const
    {
        const Bytes workspace = opAt(op).forwardWorkspace;
        const ScriptSlot slot{SlotKind::Workspace, op};
        if (workspace.value > 0)
            allocate(steps, slot, workspace);
        steps.push_back({.kind = StepKind::Forward, .op = op, .isRerun = isRerun});
        if (workspace.value > 0)
            release(steps, slot, workspace);
    }

    const StageTape& m_tape;
    const GradientFlow& m_flow;
    const KeepSet m_keep;
    const bool m_gradientsInBase;
    std::vector<Event> m_events;
    std::vector<int> m_lastReader; ///< of each value: last event of the backward that reads it, -1 for none
    std::vector<bool> m_present, m_isSaved;
    StageScript m_script;
};

} // namespace

StageScript buildStageScript(const StageTape& tape, const GradientFlow& flow, KeepSet keep, bool gradientsInBase)
{
    return ScriptBuilder(tape, flow, keep, gradientsInBase).build();
}

ScriptBytes measure(const std::vector<ScriptStep>& steps)
{
    ScriptBytes result;
    for (const ScriptStep& step : steps) {
        if (step.kind == StepKind::Allocate)
            result.after += step.bytes;
        else if (step.kind == StepKind::Release)
            result.after -= step.bytes;
        result.peak = std::max(result.peak, result.after);
    }
    return result;
}

} // namespace remat
