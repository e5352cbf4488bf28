// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "core/program/program.h"

namespace remat {

/// What is alive at one instant, by cause; the sum with base is the live total.
struct LiveBytes {
    Bytes weightGradients;
    Bytes saved;   ///< boundaries and values held from a forward to a backward
    Bytes working; ///< everything else: gradients of activations, recomputed values, workspaces
};

/// One instant at which the live bytes changed or an op ran.
struct TimelinePoint {
    Nanoseconds time; ///< when the instruction ends
    Bytes live;       ///< with base
    int instruction = 0;
};

/// The dry replay of a program: nothing is computed, every byte and nanosecond is counted.
struct Timeline {
    Bytes peak;
    int peakInstruction = 0; ///< the allocation that reached the peak
    int peakOp = 0;          ///< the op instruction for which it was made
    LiveBytes atPeak;
    std::vector<int> aliveAtPeak; ///< buffers, largest first
    Nanoseconds time;             ///< forward, loss and backward; without the optimizer step
    Nanoseconds forwardEnd;       ///< when the last stage's first forward ended
    std::int64_t reruns = 0;
    std::vector<std::vector<int>> rerunsOfOp; ///< of each stage and op
    std::vector<TimelinePoint> points;
};

/// Replays a program on top of what is resident.  O(instructions).
Timeline replayDry(const Program& program, const StepTape& tape);

/// A buffer that is alive at an instant.
struct AliveBuffer {
    int buffer = 0;
    bool isHeld = false; ///< from a forward to its backward; otherwise it is working memory or a weight's gradient
};

/// What is alive once an instruction has run, largest first, ties in the order of their numbers; with the base it adds
/// up to the live bytes of that instruction's point.  O(instructions).
/// Precondition: 0 <= instruction < instructions.
std::vector<AliveBuffer> aliveAfter(const Program& program, int instruction);

} // namespace remat
