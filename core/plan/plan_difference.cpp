// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_difference.h"

#include <algorithm>
#include <map>

#include "core/base/index.h"

namespace remat {

namespace {

constexpr double kNoticeable = 0.005; ///< of a step: as moreBudget() has it

bool haveSameOps(const StageTape& a, const StageTape& b)
{
    return std::equal(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end(),
        [](const Op& x, const Op& y) { return x.name == y.name; });
}

/// What a stage holds for one op when the rest of its keep-set is as given.
class HeldBytes {
public:
    Bytes of(const Plan& plan, int stage, int op)
    {
        const KeepSet bit = KeepSet{1} << op, keep = plan.keep[at(stage)];
        const auto [entry, isNew] = m_known.try_emplace({plan.step->tape.stages[at(stage)].kind, keep, op});
        if (isNew)
            entry->second = priceBetween(plan.step->factsOf(stage), keep | bit, keep & ~bit).freed;
        return entry->second;
    }

private:
    std::map<std::tuple<int, KeepSet, int>, Bytes> m_known;
};

/// The last point below the plan's peak that takes noticeably longer, or else the one before it.
const StudyPoint* pointBelow(std::span<const StudyPoint> points, const Plan& plan)
{
    const Prediction& p = plan.prediction;
    const StudyPoint* nearest = nullptr;
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
        if (point->cost.peak >= p.peak || point->cost.time <= p.time)
            continue;
        if (!nearest)
            nearest = &*point;
        const double lost
            = shareAbove(p.keepAll, point->cost.time, p.optimizer, plan.setup().microBatches) - plan.extraTime();
        if (lost >= kNoticeable)
            return &*point;
    }
    return nearest;
}

} // namespace

std::optional<std::vector<OpFlip>> flipsBetween(const Plan& first, const Plan& second)
{
    const StepTape &a = first.step->tape, &b = second.step->tape;
    if (a.stages.size() != b.stages.size())
        return std::nullopt;
    std::vector<OpFlip> flips;
    HeldBytes heldByFirst, heldBySecond;
    for (int stage = 0; stage < static_cast<int>(a.stages.size()); ++stage) {
        if (!haveSameOps(a.tapeOf(stage), b.tapeOf(stage)))
            return std::nullopt;
        const KeepSet candidates = keepAll(a.tapeOf(stage)) & keepAll(b.tapeOf(stage));
        const KeepSet differing = (first.keep[at(stage)] ^ second.keep[at(stage)]) & candidates;
        for (int op = 0; op < static_cast<int>(a.tapeOf(stage).ops.size()); ++op) {
            if (!keeps(differing, op))
                continue;
            const bool isKeptBySecond = keeps(second.keep[at(stage)], op);
            const std::string& name = a.tapeOf(stage).ops[at(op)].name;
            auto flip = std::find_if(flips.begin(), flips.end(),
                [&](const OpFlip& f) { return f.op == name && f.isKeptBySecond == isKeptBySecond; });
            if (flip == flips.end())
                flip = flips.insert(flips.end(), {name, isKeptBySecond, {}, {}});
            flip->stages.push_back(stage);
            flip->bytes += isKeptBySecond ? heldBySecond.of(second, stage, op) : heldByFirst.of(first, stage, op);
        }
    }
    std::stable_sort(flips.begin(), flips.end(), [](const OpFlip& x, const OpFlip& y) { return x.bytes > y.bytes; });
    return flips;
}

BudgetMoves budgetMoves(
    std::span<const StudyPoint> points, const Plan& plan, const std::function<Result<Plan>(Bytes)>& planWithin)
{
    BudgetMoves moves;
    const auto moveTo = [&](const StudyPoint& point) -> std::optional<BudgetMove> {
        const Result<Plan> there = planWithin(point.cost.peak);
        if (!there)
            return std::nullopt;
        return BudgetMove{
            there->prediction.peak, there->extraTime(), flipsBetween(plan, *there).value_or(std::vector<OpFlip>{})};
    };
    if (const std::optional<MoreBudget> more = moreBudget(points, plan))
        moves.more = moveTo(more->point);
    if (const StudyPoint* point = pointBelow(points, plan))
        moves.less = moveTo(*point);
    return moves;
}

} // namespace remat
