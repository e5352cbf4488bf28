// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/timeline.h"

#include <algorithm>

#include "core/base/index.h"

namespace remat {

namespace {

/// Whether a buffer comes before another in lists of what is alive.
auto bySize(const Program& program)
{
    return [&program](int a, int b) {
        return program.buffers[at(a)].bytes != program.buffers[at(b)].bytes
            ? program.buffers[at(a)].bytes > program.buffers[at(b)].bytes
            : a < b;
    };
}

} // namespace

std::vector<AliveBuffer> aliveAfter(const Program& program, int instruction)
{
    std::vector<int> allocation(program.buffers.size(), -1); // the instruction that made a buffer that is alive
    for (int i = 0; i <= instruction; ++i) {
        const Instruction& step = program.instructions[at(i)];
        if (step.kind == Instruction::Kind::Allocate)
            allocation[at(step.buffer)] = i;
        else if (step.kind == Instruction::Kind::Release)
            allocation[at(step.buffer)] = -1;
    }
    std::vector<AliveBuffer> alive;
    for (std::size_t buffer = 0; buffer < allocation.size(); ++buffer)
        if (allocation[buffer] >= 0)
            alive.push_back({static_cast<int>(buffer), program.instructions[at(allocation[buffer])].isHeld});
    std::sort(alive.begin(), alive.end(), [comesFirst = bySize(program)](const AliveBuffer& a, const AliveBuffer& b) {
        return comesFirst(a.buffer, b.buffer);
    });
    return alive;
}

Timeline replayDry(const Program& program, const StepTape& tape)
{
    Timeline result;
    result.points.reserve(program.instructions.size());
    for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s)
        result.rerunsOfOp.emplace_back(tape.tapeOf(s).ops.size(), 0);
    std::vector<bool> isHeld(program.buffers.size(), false);
    std::vector<int> alive;
    const Bytes base = tape.base.total();
    LiveBytes live;
    const auto bandOf = [&](int buffer) -> Bytes& {
        if (program.buffers[at(buffer)].role == BufferRole::WeightGradient)
            return live.weightGradients;
        return isHeld[at(buffer)] ? live.saved : live.working;
    };
    const int lastStage = static_cast<int>(tape.stages.size()) - 1;
    const int lastOp = static_cast<int>(tape.tapeOf(lastStage).ops.size()) - 1;
    bool forwardEnded = false;
    bool awaitsOp = true;
    result.peak = base;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& step = program.instructions[i];
        const int index = static_cast<int>(i);
        switch (step.kind) {
        case Instruction::Kind::Allocate:
            isHeld[at(step.buffer)] = step.isHeld;
            bandOf(step.buffer) += program.buffers[at(step.buffer)].bytes;
            alive.push_back(step.buffer);
            break;
        case Instruction::Kind::Release:
            bandOf(step.buffer) -= program.buffers[at(step.buffer)].bytes;
            alive.erase(std::find(alive.begin(), alive.end(), step.buffer));
            break;
        case Instruction::Kind::Forward:
        case Instruction::Kind::Backward:
            result.time += step.time;
            result.reruns += step.isRerun;
            result.rerunsOfOp[at(step.stage)][at(step.op)] += step.isRerun;
            if (awaitsOp)
                result.peakOp = index;
            awaitsOp = false;
            break;
        case Instruction::Kind::OptimizerStep:
            break;
        }
        const Bytes total = base + live.weightGradients + live.saved + live.working;
        if (total > result.peak) {
            result.peak = total;
            result.peakInstruction = result.peakOp = index;
            result.atPeak = live;
            result.aliveAtPeak = alive;
            awaitsOp = true;
        }
        const bool endsForward
            = step.kind == Instruction::Kind::Forward && step.stage == lastStage && step.op == lastOp;
        if (endsForward && !forwardEnded) {
            forwardEnded = true;
            result.forwardEnd = result.time;
        }
        result.points.push_back({result.time, total, index});
    }
    std::sort(result.aliveAtPeak.begin(), result.aliveAtPeak.end(), bySize(program));
    return result;
}

} // namespace remat
