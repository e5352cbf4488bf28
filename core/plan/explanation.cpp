// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/explanation.h"

#include "core/base/index.h"
#include "core/chain/chain_replay.h"

namespace remat {

namespace {

/// What exists between ops, by kind.
struct Resident {
    Bytes boundaries, interiors, gradient, weightGradients;
};

class Walk {
public:
    explicit Walk(const Chain& chain) : m_chain(chain), m_option(chain.stages.size(), ScheduleOp::kNoOption) { }

    void run(const ScheduleOp& op)
    {
        const Stage& stage = m_chain.stages[at(op.stage)];
        int& option = m_option[at(op.stage)];
        switch (op.kind) {
        case ScheduleOp::Kind::Forward:
            m_resident.boundaries += stage.outBytes;
            if (op.option == ScheduleOp::kNoOption)
                break;
            option = op.option;
            m_resident.interiors += stage.options[at(option)].savedBytes;
            break;
        case ScheduleOp::Kind::FreeOutput:
            m_resident.boundaries -= stage.outBytes;
            break;
        case ScheduleOp::Kind::FreeSaved:
            m_resident.interiors -= stage.options[at(option)].savedBytes;
            break;
        case ScheduleOp::Kind::Backward:
            m_resident.interiors -= stage.options[at(option)].savedBytes;
            m_resident.gradient = op.stage > 0 ? m_chain.stages[at(op.stage - 1)].gradBytes : Bytes{};
            m_resident.weightGradients += stage.weightGradBytes;
            break;
        }
    }
    const Resident& resident() const { return m_resident; }

private:
    const Chain& m_chain;
    std::vector<int> m_option;
    Resident m_resident;
};

std::vector<OpReason> reasonsOf(const StageFacts& facts, KeepSet keep, const KeepRule& rule)
{
    std::vector<OpReason> reasons;
    for (const int op : facts.tape.candidates()) {
        const KeepSet bit = KeepSet{1} << op;
        const DropPrice price = priceBetween(facts, keep | bit, keep & ~bit);
        reasons.push_back({facts.tape.ops[at(op)].name, keeps(keep, op), keeps(rule.mustKeep | rule.mustDrop, op),
            price.freed, price.time});
    }
    return reasons;
}

} // namespace

std::vector<PeakPart> peakParts(const Chain& chain, const Schedule& schedule)
{
    const ReplayResult result = replay(chain, schedule).value();
    const bool isInOp = result.peakMoment == PeakMoment::DuringOp || result.peakMoment == PeakMoment::AfterOp;
    const std::size_t end = isInOp ? result.peakOp : result.peakMoment == PeakMoment::StepEnd ? schedule.size() : 0;
    Walk walk(chain);
    for (std::size_t i = 0; i < end; ++i)
        walk.run(schedule[i]);
    Resident there = walk.resident();
    // At the step's end only base and the weight gradients count, whatever outputs are left over.
    if (result.peakMoment == PeakMoment::StepEnd)
        there.boundaries = there.interiors = there.gradient = Bytes{};
    using Kind = PeakPart::Kind;
    std::vector<PeakPart> parts{{Kind::Base, chain.baseBytes}, {Kind::Boundaries, there.boundaries},
        {Kind::Interiors, there.interiors}, {Kind::Gradient, there.gradient},
        {Kind::WeightGradients, there.weightGradients}, {Kind::Work, result.peak}};
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        parts.back().bytes -= parts[i].bytes;
    return parts;
}

Explanation explain(const Plan& plan)
{
    const StepTape& tape = plan.step->tape;
    const std::vector<KeepRule> rules = pinRules(tape, plan.pins).value();
    const std::vector<int> forwards = forwardCounts(plan.schedule, plan.keep.size());
    Explanation explanation{peakParts(plan.step->chain, plan.schedule), {}};
    for (std::size_t s = 0; s < plan.keep.size(); ++s) {
        const int stage = static_cast<int>(s);
        const StageFacts facts = plan.step->factsOf(stage);
        StageReason reason{stage, stage, forwards[s], keepSetName(facts.tape, plan.keep[s]),
            reasonsOf(facts, plan.keep[s], rules.empty() ? KeepRule{} : rules[s])};
        const bool isAlike = s > 0 && tape.stages[s].layer >= 0 && tape.stages[s - 1].layer >= 0
            && explanation.stages.back().forwards == reason.forwards
            && explanation.stages.back().keepSet == reason.keepSet && explanation.stages.back().ops == reason.ops;
        if (isAlike)
            explanation.stages.back().last = stage;
        else
            explanation.stages.push_back(std::move(reason));
    }
    return explanation;
}

} // namespace remat
