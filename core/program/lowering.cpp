// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/lowering.h"

#include <cstdlib>
#include <map>

#include "core/base/index.h"
#include "core/chain/stage_script.h"

namespace remat {

namespace {

using SlotKind = ScriptSlot::Kind;

class Lowering {
public:
    explicit Lowering(const StepChain& step)
        : m_step(step),
          m_keptBy(step.tape.stages.size(), -1),
          m_hasRun(step.tape.stages.size()),
          m_boundaryGradient(step.tape.stages.size(), -1)
    {
        m_program.gradientOf.assign(step.tape.parameters.size(), -1);
        for (std::size_t s = 0; s < step.tape.stages.size(); ++s) {
            m_hasRun[s].assign(step.tape.tapeOf(static_cast<int>(s)).ops.size(), false);
            nameValues(static_cast<int>(s));
        }
    }

    Program run(const Schedule& schedule)
    {
        for (const ScheduleOp& op : schedule) {
            switch (op.kind) {
            case ScheduleOp::Kind::Forward:
                forward(op.stage, op.option);
                break;
            case ScheduleOp::Kind::Backward:
                backward(op.stage);
                break;
            case ScheduleOp::Kind::FreeOutput:
                release(m_valueBuffer[at(op.stage)][at(tapeOf(op.stage).output)]);
                break;
            case ScheduleOp::Kind::FreeSaved:
                freeSaved(op.stage);
                break;
            }
        }
        m_program.instructions.push_back({.kind = Instruction::Kind::OptimizerStep});
        return std::move(m_program);
    }

private:
    const StageTape& tapeOf(int stage) const { return m_step.tape.tapeOf(stage); }
    const GradientFlow& flowOf(int stage) const { return m_step.tape.flowOf(stage); }

    int addBuffer(int stage, const std::string& name, Bytes bytes, BufferRole role, int tensor = -1)
    {
        m_program.buffers.push_back({m_step.tape.stages[at(stage)].name + ": " + name, bytes, role, stage, tensor});
        return static_cast<int>(m_program.buffers.size()) - 1;
    }

    static BufferRole roleOf(const Tensor& tensor, bool isOutput)
    {
        if (tensor.role == TensorRole::WeightGradient)
            return BufferRole::WeightGradient;
        return isOutput ? BufferRole::Boundary : BufferRole::Saved;
    }

    void nameValues(int stage)
    {
        const StageTape& tape = tapeOf(stage);
        std::vector<int> buffers;
        for (std::size_t t = 0; t < tape.tensors.size(); ++t) {
            const Tensor& tensor = tape.tensors[t];
            const int index = static_cast<int>(t);
            if (index == tape.input)
                buffers.push_back(m_valueBuffer[at(stage - 1)][at(tapeOf(stage - 1).output)]);
            else
                buffers.push_back(
                    addBuffer(stage, tensor.name, tensor.bytes, roleOf(tensor, index == tape.output), index));
        }
        if (tape.outputIsLoss)
            m_program.lossBuffer = buffers[at(tape.output)];
        m_valueBuffer.push_back(std::move(buffers));
    }

    const StageScript& script(int stage, int option)
    {
        const int kind = m_step.tape.stages[at(stage)].kind;
        const KeepSet keep = option == ScheduleOp::kNoOption ? 0 : m_step.keepSet(stage, option);
        const auto [entry, isNew] = m_scripts.try_emplace({kind, keep});
        if (isNew)
            entry->second
                = buildStageScript(tapeOf(stage), flowOf(stage), keep, m_step.tape.setup.hasGradientsInBase());
        return entry->second;
    }

    void forward(int stage, int option)
    {
        // A forward that keeps nothing runs the same steps as the option that saves nothing.
        const StageScript& steps = script(stage, option);
        if (option != ScheduleOp::kNoOption)
            m_keptBy[at(stage)] = option;
        const std::size_t first = m_program.instructions.size();
        play(stage, steps.forward);
        std::vector<bool> isHeld(m_program.buffers.size(), false);
        isHeld[at(m_valueBuffer[at(stage)][at(tapeOf(stage).output)])] = true;
        for (const int t : steps.savedTensors)
            isHeld[at(m_valueBuffer[at(stage)][at(t)])] = true;
        for (std::size_t i = first; i < m_program.instructions.size(); ++i)
            if (m_program.instructions[i].kind == Instruction::Kind::Allocate)
                m_program.instructions[i].isHeld = isHeld[at(m_program.instructions[i].buffer)];
    }

    void backward(int stage)
    {
        const GradientFlow& flow = flowOf(stage);
        m_slotBuffer.assign(flow.slotBytes.size(), -1);
        if (flow.incoming >= 0)
            m_slotBuffer[at(flow.incoming)] = m_boundaryGradient[at(stage)];
        play(stage, script(stage, m_keptBy[at(stage)]).backward);
        if (flow.outgoing >= 0)
            m_boundaryGradient[at(stage - 1)] = m_slotBuffer[at(flow.outgoing)];
    }

    void freeSaved(int stage)
    {
        for (const int t : script(stage, m_keptBy[at(stage)]).savedTensors)
            release(m_valueBuffer[at(stage)][at(t)]);
        m_keptBy[at(stage)] = -1;
    }

    void play(int stage, const std::vector<ScriptStep>& steps)
    {
        for (const ScriptStep& step : steps) {
            switch (step.kind) {
            case ScriptStep::Kind::Allocate:
                m_program.instructions.push_back(
                    {.kind = Instruction::Kind::Allocate, .buffer = bufferFor(stage, step.slot, step.bytes)});
                break;
            case ScriptStep::Kind::Release:
                release(bufferOf(stage, step.slot));
                break;
            case ScriptStep::Kind::Move:
                rename(stage, step.slot, step.target);
                break;
            case ScriptStep::Kind::Forward:
            case ScriptStep::Kind::Backward:
                call(stage, step);
                break;
            }
        }
    }

    /// The buffer that an allocation of this slot fills; made on first use.
    int bufferFor(int stage, ScriptSlot slot, Bytes bytes)
    {
        switch (slot.kind) {
        case SlotKind::Value:
            return m_valueBuffer[at(stage)][at(slot.index)];
        case SlotKind::DiscardedOutput:
            return m_discarded
                = named(stage, "discarded " + tapeOf(stage).tensors[at(slot.index)].name, bytes, BufferRole::Saved);
        case SlotKind::Gradient:
            return m_slotBuffer[at(slot.index)]
                = named(stage, flowOf(stage).slotNames[at(slot.index)], bytes, BufferRole::Gradient);
        case SlotKind::WeightGradient: {
            const int parameter = m_step.tape.stages[at(stage)].parameters[at(slot.index)];
            return m_program.gradientOf[at(parameter)]
                = named(stage, "d " + tapeOf(stage).parameters[at(slot.index)].name, bytes, BufferRole::WeightGradient);
        }
        case SlotKind::Workspace:
            return m_workspace
                = named(stage, "workspace of " + tapeOf(stage).ops[at(slot.index)].name, bytes, BufferRole::Workspace);
        case SlotKind::BackwardWorkspace:
            return m_workspace = named(stage, "workspace of " + tapeOf(stage).ops[at(slot.index)].name + " backward",
                       bytes, BufferRole::Workspace);
        }
        std::abort();
    }

    int named(int stage, const std::string& name, Bytes bytes, BufferRole role)
    {
        const auto [entry, isNew] = m_named.try_emplace({stage, name}, -1);
        if (isNew)
            entry->second = addBuffer(stage, name, bytes, role);
        return entry->second;
    }

    int bufferOf(int stage, ScriptSlot slot) const
    {
        switch (slot.kind) {
        case SlotKind::Value:
            return m_valueBuffer[at(stage)][at(slot.index)];
        case SlotKind::DiscardedOutput:
            return m_discarded;
        case SlotKind::Gradient:
            return m_slotBuffer[at(slot.index)];
        case SlotKind::WeightGradient:
            return m_program.gradientOf[at(m_step.tape.stages[at(stage)].parameters[at(slot.index)])];
        case SlotKind::Workspace:
        case SlotKind::BackwardWorkspace:
            return m_workspace;
        }
        std::abort();
    }

    void rename(int stage, ScriptSlot from, ScriptSlot to)
    {
        const int buffer = bufferOf(stage, from);
        if (to.kind == SlotKind::Gradient)
            m_slotBuffer[at(to.index)] = buffer;
        else
            m_program.gradientOf[at(m_step.tape.stages[at(stage)].parameters[at(to.index)])] = buffer;
    }

    void release(int buffer)
    {
        m_program.instructions.push_back({.kind = Instruction::Kind::Release, .buffer = buffer});
    }

    void call(int stage, const ScriptStep& step)
    {
        const bool isForward = step.kind == ScriptStep::Kind::Forward;
        const Op& op = tapeOf(stage).ops[at(step.op)];
        const OpTimes& times = m_step.times[at(m_step.tape.stages[at(stage)].kind)][at(step.op)];
        const auto values = [&](const std::vector<int>& tensors) {
            std::vector<int> buffers;
            buffers.reserve(tensors.size());
            for (const int t : tensors)
                buffers.push_back(m_valueBuffer[at(stage)][at(t)]);
            return buffers;
        };
        OpCall call;
        if (isForward) {
            call.reads = values(op.reads);
            call.writes = values(op.writes);
            // A rerun's copy of the stage's output must not overwrite a live one.
            for (std::size_t k = 0; k < op.writes.size(); ++k)
                if (step.isRerun && op.writes[k] == tapeOf(stage).output)
                    call.writes[k] = m_discarded;
            call.workspace = op.forwardWorkspace.value > 0 ? m_workspace : -1;
        } else {
            call.backwardReads = values(op.backwardReads);
            call.workspace = op.backwardWorkspace.value > 0 ? m_workspace : -1;
            fillGradients(stage, step.op, call);
        }
        std::vector<bool>& hasRun = m_hasRun[at(stage)];
        const bool isRerun = isForward && hasRun[at(step.op)];
        if (isForward)
            hasRun[at(step.op)] = true;
        m_program.calls.push_back(std::move(call));
        m_program.instructions.push_back({.kind = isForward ? Instruction::Kind::Forward : Instruction::Kind::Backward,
            .stage = stage,
            .op = step.op,
            .call = static_cast<int>(m_program.calls.size()) - 1,
            .isRerun = isRerun,
            .time = isForward ? times.forward : times.backward});
    }

    void fillGradients(int stage, int opIndex, OpCall& call) const
    {
        const Op& op = tapeOf(stage).ops[at(opIndex)];
        const OpGradients& gradients = flowOf(stage).ops[at(opIndex)];
        for (const int slot : gradients.incoming)
            call.gradientsIn.push_back(slot >= 0 ? m_slotBuffer[at(slot)] : -1);
        for (const GradientWrite& write : gradients.outgoing) {
            const bool isWritten
                = write.mode == GradientWrite::Mode::Create || write.mode == GradientWrite::Mode::Accumulate;
            call.gradientsOut.push_back(
                {isWritten ? m_slotBuffer[at(write.slot)] : -1, write.mode == GradientWrite::Mode::Accumulate});
        }
        const bool inBase = m_step.tape.setup.hasGradientsInBase();
        for (const int p : op.parameters)
            call.weightGradients.push_back({m_program.gradientOf[at(m_step.tape.stages[at(stage)].parameters[at(p)])],
                inBase || tapeOf(stage).parameters[at(p)].gradientIsMadeLater});
    }

    const StepChain& m_step;
    Program m_program;
    std::map<std::pair<int, KeepSet>, StageScript> m_scripts;
    std::map<std::pair<int, std::string>, int> m_named;
    std::vector<std::vector<int>> m_valueBuffer; ///< of each stage and tensor
    std::vector<int> m_keptBy;                   ///< option of each stage's last keeping forward
    std::vector<std::vector<bool>> m_hasRun;
    std::vector<int> m_boundaryGradient; ///< of each stage: buffer of the gradient of its output
    std::vector<int> m_slotBuffer;       ///< gradient slots of the stage whose backward is being lowered
    int m_workspace = -1;
    int m_discarded = -1;
};

} // namespace

Program lower(const StepChain& step, const Schedule& schedule)
{
    return Lowering(step).run(schedule);
}

} // namespace remat
