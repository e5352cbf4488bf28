// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/chain_replay.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/checked.h"

namespace remat {

namespace {

#define REMAT_REPLAY_REMEDY REMAT_TR("Export the schedule again; it does not belong to this chain or was edited.")
constexpr MessageCode kNoSuchStage{
    "replay-no-such-stage", REMAT_TR("Op {0} names stage {1}, but the chain has {2}."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kNoSuchOption{
    "replay-no-such-option", REMAT_TR("Op {0} uses option {1} of stage {2}, which has {3}."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kMissingInput{"replay-missing-input",
    REMAT_TR("Op {0} needs the input of stage {1}, which does not exist."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kMissingOutput{"replay-missing-output",
    REMAT_TR("Op {0} needs the output of stage {1}, which does not exist."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kMissingSaved{"replay-missing-saved",
    REMAT_TR("Op {0} needs what stage {1} keeps inside, which does not exist."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kOutputExists{"replay-output-exists",
    REMAT_TR("Op {0} makes the output of stage {1}, which exists already."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kSavedExists{"replay-saved-exists",
    REMAT_TR("Op {0} makes what stage {1} keeps inside, which exists already."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kRunsOnce{"replay-runs-once",
    REMAT_TR("Op {0} runs the forward of stage {1} again, which may run once only."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kBackwardOrder{"replay-backward-order",
    REMAT_TR("Op {0} is the backward of stage {1}, but stage {2} is the next to go backward."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kBackwardTwice{
    "replay-backward-twice", REMAT_TR("Op {0} is a second backward of stage {1}."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kAfterEnd{
    "replay-after-end", REMAT_TR("Op {0} comes after the last backward, which ends the step."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kIncomplete{"replay-incomplete",
    REMAT_TR("The schedule ends after {0} ops, before the backward of stage {1}."), REMAT_REPLAY_REMEDY};
constexpr MessageCode kTimeTooLarge{
    "replay-time-too-large", REMAT_TR("At op {0} the time passes 2^61 ns."), REMAT_REPLAY_REMEDY};
#undef REMAT_REPLAY_REMEDY

/// The memory of one step while its ops run.
class Replayer {
public:
    Replayer(const Chain& chain, const Schedule& schedule)
        : m_chain(chain),
          m_schedule(schedule),
          m_stages(chain.stages.size()),
          m_backwardsLeft(chain.stages.size()),
          m_resident(chain.baseBytes)
    { }

    Result<ReplayResult> run(ReplayTrace trace);

private:
    struct StageState {
        bool hasOutput = false;
        bool hasRun = false;
        std::optional<std::size_t> saved; ///< the option whose interior exists
    };

    std::optional<Error> runOp(const ScheduleOp& op);
    std::optional<Error> forward(const ScheduleOp& op);
    std::optional<Error> backward(std::size_t i);
    std::optional<Error> freeOutput(std::size_t i);
    std::optional<Error> freeSaved(std::size_t i);
    std::optional<Error> spend(Nanoseconds time);
    void reach(Bytes value, PeakMoment moment);
    /// The input of the first stage belongs to base.
    bool hasInput(std::size_t i) const { return i == 0 || m_stages[i - 1].hasOutput; }

    Error error(const MessageCode& code, std::vector<MessageArgument> more) const
    {
        std::vector<MessageArgument> arguments{static_cast<std::int64_t>(m_index)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return {&code, "schedule[" + std::to_string(m_index) + "]", std::move(arguments)};
    }
    Error errorAt(const MessageCode& code, std::size_t stage) const { return error(code, {number(stage)}); }
    /// People count stages from 1, as files do.
    static std::int64_t number(std::size_t stage) { return static_cast<std::int64_t>(stage) + 1; }

    const Chain& m_chain;
    const Schedule& m_schedule;
    std::vector<StageState> m_stages;
    std::size_t m_backwardsLeft; ///< stages below this index have not gone backward
    std::size_t m_index = 0;
    Bytes m_resident;
    Bytes m_opPeak;
    ReplayResult m_result;
};

Result<ReplayResult> Replayer::run(ReplayTrace trace)
{
    m_result.peak = m_resident;
    for (m_index = 0; m_index < m_schedule.size(); ++m_index) {
        const Bytes before = m_resident;
        m_opPeak = before;
        if (const std::optional<Error> problem = runOp(m_schedule[m_index]))
            return *problem;
        reach(m_opPeak, PeakMoment::DuringOp);
        reach(m_resident, PeakMoment::AfterOp);
        if (trace == ReplayTrace::EveryOp)
            m_result.trace.push_back({before, m_opPeak, m_resident});
    }
    if (m_backwardsLeft > 0)
        return errorAt(kIncomplete, m_backwardsLeft - 1);

    Bytes stepEnd = m_chain.baseBytes + m_chain.stepEndBytes;
    for (const Stage& stage : m_chain.stages)
        stepEnd += stage.weightGradBytes;
    reach(stepEnd, PeakMoment::StepEnd);
    m_result.overhead = m_result.time - leastTime(m_chain);
    return std::move(m_result);
}

std::optional<Error> Replayer::runOp(const ScheduleOp& op)
{
    if (m_backwardsLeft == 0)
        return error(kAfterEnd, {});
    const auto count = static_cast<std::int64_t>(m_chain.stages.size());
    if (op.stage < 0 || op.stage >= count)
        return error(kNoSuchStage, {std::int64_t{op.stage} + 1, count});
    const auto i = static_cast<std::size_t>(op.stage);
    switch (op.kind) {
    case ScheduleOp::Kind::Forward:
        return forward(op);
    case ScheduleOp::Kind::Backward:
        return backward(i);
    case ScheduleOp::Kind::FreeOutput:
        return freeOutput(i);
    case ScheduleOp::Kind::FreeSaved:
        return freeSaved(i);
    }
    return std::nullopt;
}

std::optional<Error> Replayer::forward(const ScheduleOp& op)
{
    const auto i = static_cast<std::size_t>(op.stage);
    const Stage& stage = m_chain.stages[i];
    StageState& state = m_stages[i];
    const bool keepsInterior = op.option != ScheduleOp::kNoOption;
    const auto options = static_cast<std::int64_t>(stage.options.size());
    if (keepsInterior && (op.option < 0 || op.option >= options))
        return error(kNoSuchOption, {std::int64_t{op.option} + 1, number(i), options});
    if (!hasInput(i))
        return errorAt(kMissingInput, i);
    if (state.hasOutput)
        return errorAt(kOutputExists, i);
    if (keepsInterior && state.saved)
        return errorAt(kSavedExists, i);
    if (state.hasRun && stage.runsOnce)
        return errorAt(kRunsOnce, i);

    Bytes temp = stage.forwardTempBytes;
    m_resident += stage.outBytes;
    if (keepsInterior) {
        state.saved = static_cast<std::size_t>(op.option);
        m_resident += stage.options[*state.saved].savedBytes;
        temp = stage.options[*state.saved].forwardTempBytes;
    }
    m_opPeak = m_resident + temp;
    state.hasOutput = true;
    if (state.hasRun)
        ++m_result.reruns;
    else if (i + 1 == m_stages.size())
        m_result.savedBytes = m_resident - m_chain.baseBytes;
    state.hasRun = true;
    return spend(stage.forwardTime);
}

std::optional<Error> Replayer::backward(std::size_t i)
{
    if (i >= m_backwardsLeft)
        return errorAt(kBackwardTwice, i);
    if (i + 1 != m_backwardsLeft)
        return error(kBackwardOrder, {number(i), number(m_backwardsLeft - 1)});
    const Stage& stage = m_chain.stages[i];
    StageState& state = m_stages[i];
    if (!state.saved)
        return errorAt(kMissingSaved, i);
    const Option& option = stage.options[*state.saved];
    if (option.needsInput && !hasInput(i))
        return errorAt(kMissingInput, i);
    if (option.needsOutput && !state.hasOutput)
        return errorAt(kMissingOutput, i);

    // Every other y_i was made by the backward after it; that of the loss appears only now.
    if (i + 1 == m_stages.size())
        m_resident += stage.gradBytes;
    m_opPeak = m_resident + option.backwardTempBytes;
    m_resident += stage.weightGradBytes - stage.gradBytes - option.savedBytes;
    if (i > 0)
        m_resident += m_chain.stages[i - 1].gradBytes;
    m_result.reruns += option.reruns;
    state.saved.reset();
    m_backwardsLeft = i;
    return spend(option.backwardTime);
}

std::optional<Error> Replayer::freeOutput(std::size_t i)
{
    if (!m_stages[i].hasOutput)
        return errorAt(kMissingOutput, i);
    m_stages[i].hasOutput = false;
    m_resident -= m_chain.stages[i].outBytes;
    return std::nullopt;
}

std::optional<Error> Replayer::freeSaved(std::size_t i)
{
    if (!m_stages[i].saved)
        return errorAt(kMissingSaved, i);
    m_resident -= m_chain.stages[i].options[*m_stages[i].saved].savedBytes;
    m_stages[i].saved.reset();
    return std::nullopt;
}

std::optional<Error> Replayer::spend(Nanoseconds time)
{
    const std::optional<std::int64_t> sum = checkedAdd(m_result.time.value, time.value);
    if (!sum)
        return error(kTimeTooLarge, {});
    m_result.time = {*sum};
    return std::nullopt;
}

void Replayer::reach(Bytes value, PeakMoment moment)
{
    if (value > m_result.peak) {
        m_result.peak = value;
        m_result.peakMoment = moment;
        m_result.peakOp = moment == PeakMoment::StepEnd ? 0 : m_index;
    }
}

} // namespace

Result<ReplayResult> replay(const Chain& chain, const Schedule& schedule, ReplayTrace trace)
{
    return Replayer(chain, schedule).run(trace);
}

Nanoseconds leastTime(const Chain& chain)
{
    Nanoseconds sum;
    for (const Stage& stage : chain.stages) {
        const auto fastest = std::min_element(stage.options.begin(), stage.options.end(),
            [](const Option& a, const Option& b) { return a.backwardTime < b.backwardTime; });
        sum += stage.forwardTime + fastest->backwardTime;
    }
    return sum;
}

} // namespace remat
