// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/trainer_settings.h"

#include <algorithm>
#include <tuple>

#include "core/export/plan_table.h"
#include "core/export/settings_text.h"
#include "core/model/names.h"

namespace remat {

namespace {

constexpr MessageCode kNoOps{"settings-without-ops",
    REMAT_TR("Plans of the profile {0} know no ops that a trainer's settings could name."),
    REMAT_TR("Make the plan with --profile runtime, or export it as csv or markdown.")};

/// One way to set a trainer.
struct Candidate {
    std::vector<std::string> lines;
    Plan plan;
};

class Settings {
public:
    explicit Settings(const Plan& plan) : m_plan(plan), m_tape(plan.step->tape)
    {
        for (std::size_t s = 0; s < m_tape.stages.size(); ++s)
            m_layers += m_tape.stages[s].layer >= 0;
    }

    std::vector<Candidate> megatron()
    {
        addDropped({}, [](const Op&) { return false; });
        // megatron/training/arguments.py and megatron/core/transformer/transformer_config.py
        for (unsigned set = 1; set < 8; ++set) {
            std::string modules;
            for (const auto& [bit, name] : {std::pair(1u, " core_attn"), {2u, " mlp"}, {4u, " layernorm"}})
                modules += (set & bit) != 0 ? name : "";
            addDropped({"--recompute-granularity selective", "--recompute-modules" + modules}, [set](const Op& op) {
                const bool isNorm = op.sublayer == Sublayer::Norm1 || op.sublayer == Sublayer::Norm2;
                return ((set & 1u) != 0 && (op.kind == OpKind::Attention || op.kind == OpKind::AttentionProbs))
                    || ((set & 2u) != 0 && op.sublayer == Sublayer::Ffn) || ((set & 4u) != 0 && isNorm);
            });
        }
        for (int k = 1; k <= m_layers; ++k) {
            const std::string count = "--recompute-num-layers " + std::to_string(k);
            if (m_layers % k == 0)
                addRule({"--recompute-granularity full", "--recompute-method uniform", count},
                    {Strategy::Kind::MegatronUniform, k});
            addRule({"--recompute-granularity full", "--recompute-method block", count},
                {Strategy::Kind::MegatronBlock, k});
        }
        return std::move(m_candidates);
    }

    std::vector<Candidate> torchtitan()
    {
        const std::string table = "[activation_checkpoint]";
        addDropped({table, "mode = \"none\""}, [](const Op&) { return false; });
        addRule({table, "mode = \"full\""}, {Strategy::Kind::Full});
        addRule({table, "mode = \"selective\"", "selective_ac_option = \"op\""}, {Strategy::Kind::TorchtitanSelective});
        // torchtitan/distributed/activation_checkpoint.py counts layers from 1 and takes those that k divides.
        for (int k = 2; k <= m_layers; ++k)
            add({table, "mode = \"selective\"", "selective_ac_option = \"" + std::to_string(k) + "\""},
                [k](const StageInstance& stage, const Op&) { return (stage.layer + 1) % k == 0; });
        return std::move(m_candidates);
    }

private:
    /// Ops of layers that are not kept; embedding and head keep everything.
    template <class Claim> void add(std::vector<std::string> lines, const Claim& isDropped)
    {
        std::vector<KeepSet> keep;
        for (std::size_t s = 0; s < m_tape.stages.size(); ++s) {
            const StageTape& tape = m_tape.tapeOf(static_cast<int>(s));
            keep.push_back(keepAll(tape));
            for (std::size_t i = 0; m_tape.stages[s].layer >= 0 && i < tape.ops.size(); ++i)
                if (isDropped(m_tape.stages[s], tape.ops[i]))
                    keep.back() &= ~(KeepSet{1} << i);
        }
        m_candidates.push_back({std::move(lines), derivePlan(m_tape, m_plan.device, std::move(keep))});
    }

    template <class Claim> void addDropped(std::vector<std::string> lines, const Claim& isDropped)
    {
        add(std::move(lines), [&](const StageInstance&, const Op& op) { return isDropped(op); });
    }

    void addRule(std::vector<std::string> lines, const Strategy& strategy)
    {
        const std::vector<KeepRule> none(m_tape.stages.size());
        if (Result<Plan> plan = fixedPlan(m_tape, m_plan.device, strategy, none, m_plan.budget))
            m_candidates.push_back({std::move(lines), *std::move(plan)});
    }

    const Plan& m_plan;
    const StepTape& m_tape;
    int m_layers = 0;
    std::vector<Candidate> m_candidates;
};

SettingsFigures figuresOf(const Plan& plan)
{
    return {plan.prediction.peak, plan.prediction.stepTime(plan.setup()), plan.extraTime()};
}

} // namespace

Result<TrainerSettings> nearestSettings(const Plan& plan, Trainer trainer)
{
    if (plan.setup().profile == Profile::Article)
        return Error{&kNoOps, "--to", {std::string(toName(plan.setup().profile))}};
    Settings settings(plan);
    std::vector<Candidate> candidates = trainer == Trainer::Megatron ? settings.megatron() : settings.torchtitan();
    const Bytes limit = plan.budget.value_or(plan.prediction.peak);
    const auto rank = [&](const Candidate& candidate) {
        const Prediction& p = candidate.plan.prediction;
        const bool isOver = p.peak > limit;
        return std::tuple(isOver, isOver ? p.peak.value : p.time.value, isOver ? p.time.value : p.peak.value);
    };
    Candidate& best = *std::min_element(candidates.begin(), candidates.end(),
        [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    const bool fits = best.plan.prediction.peak <= limit;
    best.plan.budget = plan.budget;
    std::string text = settingsText(
        {plan.shape(), plan.setup().batch, plan.setup().sequence, plan.device.name, verdict(plan), figuresOf(plan)},
        trainer, best.lines, figuresOf(best.plan), fits ? std::nullopt : std::optional(limit));
    return TrainerSettings{std::move(text), std::move(best.plan), fits};
}

} // namespace remat
