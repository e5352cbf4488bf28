// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/program/program.h"
#include "core/run/executor.h"
#include "core/run/op_clock.h"

namespace remat {

/// The middle time, the earlier of two middle ones; 0 of none.
Nanoseconds median(std::vector<Nanoseconds> times);

/// What one op of a kind of stage took: medians over the stages of that kind and the measured steps (their first
/// kMostSamples runs), which a page fault or another process seldom moves.
struct OpTime {
    std::string stage; ///< StageTape::kind
    std::string op;
    Nanoseconds forward, backward;
    std::int64_t forwards = 0, backwards = 0; ///< how often it ran in the measured steps; reruns are forwards too

    bool operator==(const OpTime&) const = default;
};

/// One row per op of every kind of stage, in the tape's order.
std::vector<OpTime> opTimesOf(const StepTape& tape, OpClock& clock);

/// What the ops of one stage took in a micro-batch, by what they ran for.
struct StageTime {
    Nanoseconds forward; ///< the first run of each op
    Nanoseconds rerun;   ///< what ran again because it had not been kept
    Nanoseconds backward;

    bool operator==(const StageTime&) const = default;
};

/// As predicted: the times of the program's instructions.
std::vector<StageTime> stageTimes(const StepTape& tape, const Program& program);
/// The points of a micro-batch on the clock that timed its ops, where the machine works after its calls return: an op's
/// point is when it ended, and what stands before it ended when it began.  `moments`: of the step, the micro-batch's
/// last.
void putOnOpClock(const Program& program, const std::vector<OpMoment>& moments, std::vector<ObservedPoint>& points);
/// As measured: from the end of each op's predecessor to its own.  `points`: one an instruction, all of a micro-batch.
std::vector<StageTime> stageTimes(
    const StepTape& tape, const Program& program, const std::vector<ObservedPoint>& points);
/// The medians of several steps, stage by stage and part by part.
std::vector<StageTime> medianTimes(const std::vector<std::vector<StageTime>>& steps);

} // namespace remat
