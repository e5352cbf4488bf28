// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_times.h"

#include <algorithm>

#include "core/base/index.h"

namespace remat {

namespace {

/// Where an op's time belongs; null for what is no op.
Nanoseconds* partOf(std::vector<StageTime>& stages, const Instruction& step)
{
    if (step.kind == Instruction::Kind::Backward)
        return &stages[at(step.stage)].backward;
    if (step.kind == Instruction::Kind::Forward)
        return step.isRerun ? &stages[at(step.stage)].rerun : &stages[at(step.stage)].forward;
    return nullptr;
}

} // namespace

Nanoseconds median(std::vector<Nanoseconds> times)
{
    if (times.empty())
        return {0};
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::vector<OpTime> opTimesOf(const StepTape& tape, OpClock& clock)
{
    std::vector<OpTime> rows;
    for (const StageTape& kind : tape.kinds)
        for (const Op& op : kind.ops) {
            const OpRuns runs = clock.runsOf(op);
            rows.push_back({kind.kind, op.name, median(runs.forward.times), median(runs.backward.times),
                runs.forward.runs, runs.backward.runs});
        }
    return rows;
}

std::vector<StageTime> stageTimes(const StepTape& tape, const Program& program)
{
    std::vector<StageTime> stages(tape.stages.size());
    for (const Instruction& step : program.instructions)
        if (Nanoseconds* part = partOf(stages, step))
            *part += step.time;
    return stages;
}

void putOnOpClock(const Program& program, const std::vector<OpMoment>& moments, std::vector<ObservedPoint>& points)
{
    // Backwards from the micro-batch's last op, since earlier micro-batches have moments too.
    auto moment = moments.rbegin();
    Nanoseconds after = moment->end - moments.front().start;
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
        const Instruction::Kind kind = program.instructions[at(point->instruction)].kind;
        const bool isOp = kind == Instruction::Kind::Forward || kind == Instruction::Kind::Backward;
        point->time = isOp ? moment->end - moments.front().start : after;
        if (isOp)
            after = (moment++)->start - moments.front().start;
    }
}

std::vector<StageTime> stageTimes(
    const StepTape& tape, const Program& program, const std::vector<ObservedPoint>& points)
{
    std::vector<StageTime> stages(tape.stages.size());
    for (std::size_t i = 1; i < points.size(); ++i)
        if (Nanoseconds* part = partOf(stages, program.instructions[at(points[i].instruction)]))
            *part += points[i].time - points[i - 1].time;
    return stages;
}

std::vector<StageTime> medianTimes(const std::vector<std::vector<StageTime>>& steps)
{
    if (steps.empty())
        return {};
    const auto middle = [&](std::size_t stage, Nanoseconds StageTime::*part) {
        std::vector<Nanoseconds> times;
        times.reserve(steps.size());
        for (const std::vector<StageTime>& step : steps)
            times.push_back(step[stage].*part);
        return median(std::move(times));
    };
    std::vector<StageTime> medians;
    for (std::size_t s = 0; s < steps.front().size(); ++s)
        medians.push_back(
            {middle(s, &StageTime::forward), middle(s, &StageTime::rerun), middle(s, &StageTime::backward)});
    return medians;
}

} // namespace remat
