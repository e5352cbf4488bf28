// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/exhaustive.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "core/base/checked.h"

namespace remat {

namespace {

constexpr MessageCode kTooManyStages{"exhaustive-too-many-stages",
    REMAT_TR("An exhaustive search takes chains of up to {0} stages; this one has {1}."),
    REMAT_TR("Search a shorter chain, or trust the planner's class.")};
constexpr MessageCode kTooManyOptions{"exhaustive-too-many-options",
    REMAT_TR("An exhaustive search takes up to {0} options a stage; stage {1} has {2}."),
    REMAT_TR("Search a chain with fewer options.")};
constexpr MessageCode kTooLarge{"exhaustive-too-large",
    REMAT_TR("The exhaustive search of this chain needs more than {0} partial schedules."),
    REMAT_TR("Search a chain with fewer stages or options.")};

constexpr int kOptionBits = 6;
constexpr std::size_t kMostOptions = (1u << kOptionBits) - 2;
constexpr std::uint32_t kNoParent = ~std::uint32_t{0};
/// Labels between two looks at the stop token.
constexpr std::size_t kCancelStride = 4096;

/// Which objects exist and which stages have gone backward, packed into 60 bits.
struct State {
    std::uint64_t bits = 0;

    int backwardsLeft() const { return static_cast<int>(bits & 15); }
    void setBackwardsLeft(int count) { bits = (bits & ~std::uint64_t{15}) | static_cast<std::uint64_t>(count); }
    bool hasOutput(int stage) const { return (bits >> (4 + stage) & 1) != 0; }
    void flipOutput(int stage) { bits ^= std::uint64_t{1} << (4 + stage); }
    /// The option whose interior exists, or kNoOption.
    int saved(int stage) const { return static_cast<int>(bits >> shiftOf(stage) & kMask) - 1; }
    void setSaved(int stage, int option)
    {
        bits = (bits & ~(kMask << shiftOf(stage))) | (static_cast<std::uint64_t>(option + 1) << shiftOf(stage));
    }

    /// Told apart only where it matters, for stages that run once.
    bool hasRun(int stage) const
    {
        return (bits >> (shiftOf(static_cast<int>(kMostExhaustiveStages)) + stage) & 1) != 0;
    }
    void setRun(int stage) { bits |= std::uint64_t{1} << (shiftOf(static_cast<int>(kMostExhaustiveStages)) + stage); }

private:
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << kOptionBits) - 1;
    static int shiftOf(int stage) { return 4 + static_cast<int>(kMostExhaustiveStages) + kOptionBits * stage; }
};

struct Label {
    std::int64_t time = 0;
    std::int64_t reruns = 0; ///< forwards, and reruns of options
    std::int64_t peak = 0;
    std::int64_t resident = 0;
    State state;
    std::uint32_t parent = kNoParent;
    ScheduleOp op;

    auto key() const { return std::tuple(time, reruns, peak); }
};

class Search {
public:
    Search(const Chain& chain, const ExhaustiveLimits& limits)
        : m_chain(chain),
          m_limits(limits),
          m_stages(static_cast<int>(chain.stages.size())),
          m_later(Later{&m_labels})
    { }

    Result<ExhaustiveFrontier> run();

private:
    struct Later {
        const std::vector<Label>* labels;
        bool operator()(std::uint32_t a, std::uint32_t b) const
        {
            // Equal labels in the order in which they were made, so that the answer is always the same.
            return std::tuple((*labels)[a].key(), a) > std::tuple((*labels)[b].key(), b);
        }
    };

    const Stage& stage(int i) const { return m_chain.stages[static_cast<std::size_t>(i)]; }
    const Option& option(int i, int o) const { return stage(i).options[static_cast<std::size_t>(o)]; }
    bool hasInput(State state, int i) const { return i == 0 || state.hasOutput(i - 1); }

    void expand(std::uint32_t parent);
    void forward(const Label& from, int i, int o);
    void backward(const Label& from);
    /// Takes the label in unless a better one of its state was taken before.
    void offer(Label label, std::int64_t opPeak, std::int64_t opTime);
    void complete(std::uint32_t last);

    const Chain& m_chain;
    const ExhaustiveLimits& m_limits;
    const int m_stages;
    std::vector<Label> m_labels;
    std::uint32_t m_parent = kNoParent;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> m_later;
    std::unordered_map<std::uint64_t, std::int64_t> m_leastPeak; ///< of labels taken, by state
    std::int64_t m_leastComplete = std::numeric_limits<std::int64_t>::max();
    ExhaustiveFrontier m_result;
};

Result<ExhaustiveFrontier> Search::run()
{
    Label start;
    start.resident = m_chain.baseBytes.value;
    start.peak = start.resident + m_chain.stepEndBytes.value;
    for (const Stage& one : m_chain.stages)
        start.peak += one.weightGradBytes.value;
    start.state.setBackwardsLeft(m_stages);
    m_labels.push_back(start);
    m_later.push(0);
    for (std::size_t taken = 0; !m_later.empty(); ++taken) {
        if (taken % kCancelStride == 0 && m_limits.cancel.stop_requested())
            return solveCancelled(m_chain);
        if (m_labels.size() > m_limits.maxLabels)
            return Error{&kTooLarge, m_chain.name, {static_cast<std::int64_t>(m_limits.maxLabels)}};
        const std::uint32_t index = m_later.top();
        m_later.pop();
        const Label& label = m_labels[index];
        const auto [least, isFirst] = m_leastPeak.try_emplace(label.state.bits, label.peak);
        if ((!isFirst && least->second <= label.peak) || label.peak >= m_leastComplete)
            continue;
        least->second = label.peak;
        if (label.state.backwardsLeft() == 0)
            complete(index);
        else
            expand(index);
    }
    std::reverse(m_result.points.begin(), m_result.points.end());
    std::reverse(m_result.schedules.begin(), m_result.schedules.end());
    return std::move(m_result);
}

void Search::expand(std::uint32_t parent)
{
    m_parent = parent;
    const Label from = m_labels[parent];
    const int left = from.state.backwardsLeft();
    backward(from);
    for (int i = 0; i < left; ++i) {
        if (hasInput(from.state, i) && !from.state.hasOutput(i)) {
            const int most
                = from.state.saved(i) == ScheduleOp::kNoOption ? static_cast<int>(stage(i).options.size()) : 0;
            for (int o = ScheduleOp::kNoOption; o < most; ++o)
                forward(from, i, o);
        }
        if (from.state.hasOutput(i)) {
            Label next = from;
            next.state.flipOutput(i);
            next.resident -= stage(i).outBytes.value;
            next.op = {ScheduleOp::Kind::FreeOutput, i};
            offer(next, from.resident, 0);
        }
        if (const int o = from.state.saved(i); o != ScheduleOp::kNoOption) {
            Label next = from;
            next.state.setSaved(i, ScheduleOp::kNoOption);
            next.resident -= option(i, o).savedBytes.value;
            next.op = {ScheduleOp::Kind::FreeSaved, i};
            offer(next, from.resident, 0);
        }
    }
}

void Search::forward(const Label& from, int i, int o)
{
    if (from.state.hasRun(i))
        return;
    Label next = from;
    if (stage(i).runsOnce)
        next.state.setRun(i);
    next.state.flipOutput(i);
    next.resident += stage(i).outBytes.value;
    std::int64_t temp = stage(i).forwardTempBytes.value;
    if (o != ScheduleOp::kNoOption) {
        next.state.setSaved(i, o);
        next.resident += option(i, o).savedBytes.value;
        temp = option(i, o).forwardTempBytes.value;
    }
    ++next.reruns;
    next.op = {ScheduleOp::Kind::Forward, i, o};
    offer(next, next.resident + temp, stage(i).forwardTime.value);
}

void Search::backward(const Label& from)
{
    const int i = from.state.backwardsLeft() - 1;
    const int o = from.state.saved(i);
    if (o == ScheduleOp::kNoOption)
        return;
    const Option& used = option(i, o);
    if ((used.needsInput && !hasInput(from.state, i)) || (used.needsOutput && !from.state.hasOutput(i)))
        return;
    Label next = from;
    // The gradient of the last output appears with its backward.
    next.resident += i + 1 == m_stages ? stage(i).gradBytes.value : 0;
    const std::int64_t peak = next.resident + used.backwardTempBytes.value;
    next.resident += stage(i).weightGradBytes.value - stage(i).gradBytes.value - used.savedBytes.value;
    next.resident += i > 0 ? stage(i - 1).gradBytes.value : 0;
    const std::int64_t after = next.resident;
    next.reruns += used.reruns;
    next.state.setSaved(i, ScheduleOp::kNoOption);
    next.state.setBackwardsLeft(i);
    if (from.state.hasOutput(i)) {
        next.state.flipOutput(i);
        next.resident -= stage(i).outBytes.value;
    }
    next.op = {ScheduleOp::Kind::Backward, i};
    offer(next, std::max(peak, after), used.backwardTime.value);
}

void Search::offer(Label label, std::int64_t opPeak, std::int64_t opTime)
{
    const auto time = checkedAdd(label.time, opTime);
    label.peak = std::max(label.peak, opPeak);
    if (!time || label.peak >= m_leastComplete)
        return;
    const auto known = m_leastPeak.find(label.state.bits);
    if (known != m_leastPeak.end() && known->second <= label.peak)
        return;
    label.time = *time;
    label.parent = m_parent;
    m_labels.push_back(label);
    m_later.push(static_cast<std::uint32_t>(m_labels.size() - 1));
}

void Search::complete(std::uint32_t last)
{
    const Label& label = m_labels[last];
    m_leastComplete = label.peak;
    m_result.points.push_back({{label.peak}, {label.time}, label.reruns - m_stages});
    Schedule schedule;
    for (std::uint32_t index = last; m_labels[index].parent != kNoParent; index = m_labels[index].parent) {
        const Label& one = m_labels[index];
        const bool isBackward = one.op.kind == ScheduleOp::Kind::Backward;
        // After the last backward nothing may follow.
        if (isBackward && one.op.stage > 0 && m_labels[one.parent].state.hasOutput(one.op.stage))
            schedule.push_back({ScheduleOp::Kind::FreeOutput, one.op.stage});
        schedule.push_back(one.op);
    }
    std::reverse(schedule.begin(), schedule.end());
    m_result.schedules.push_back(std::move(schedule));
}

} // namespace

Result<ExhaustiveFrontier> searchExhaustively(const Chain& chain, const ExhaustiveLimits& limits)
{
    if (chain.stages.size() > kMostExhaustiveStages)
        return Error{&kTooManyStages, chain.name,
            {static_cast<std::int64_t>(kMostExhaustiveStages), static_cast<std::int64_t>(chain.stages.size())}};
    for (std::size_t i = 0; i < chain.stages.size(); ++i)
        if (const std::size_t options = chain.stages[i].options.size(); options > kMostOptions)
            return Error{&kTooManyOptions, chain.name,
                {static_cast<std::int64_t>(kMostOptions), static_cast<std::int64_t>(i) + 1,
                    static_cast<std::int64_t>(options)}};
    return Search(chain, limits).run();
}

FrontierAgreement agreementOf(std::span<const FrontierPoint> truth, std::span<const FrontierPoint> planned)
{
    /// How many points of one frontier have no counterpart in the other that is as fast.
    const auto unmatched = [](std::span<const FrontierPoint> points, std::span<const FrontierPoint> others) {
        return std::count_if(points.begin(), points.end(), [&](const FrontierPoint& point) {
            const std::size_t other = lastWithin(others, point.peak);
            return other == others.size() || others[other].time > point.time;
        });
    };
    return {unmatched(truth, planned), unmatched(planned, truth)};
}

} // namespace remat
