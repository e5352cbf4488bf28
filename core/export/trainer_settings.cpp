// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/trainer_settings.h"

#include <algorithm>
#include <tuple>

#include "core/base/format_units.h"
#include "core/base/plain_text.h"
#include "core/export/plan_table.h"
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

/// "0.46 GiB above the plan".
std::string peakDifference(Bytes setting, Bytes plan)
{
    if (setting == plan)
        return "as the plan";
    return setting > plan ? formatBytes(setting - plan) + " above the plan"
                          : formatBytes(plan - setting) + " below the plan";
}

std::string timeDifference(const Plan& setting, const Plan& plan)
{
    const Nanoseconds of = setting.prediction.stepTime(setting.setup()),
                      planned = plan.prediction.stepTime(plan.setup());
    if (of == planned)
        return "as fast as the plan";
    const Nanoseconds difference = of > planned ? of - planned : planned - of;
    return formatDuration(difference) + " a step (" + formatThreeDigits(100 * ratio(difference, planned)) + " %) "
        + (of > planned ? "slower" : "faster") + " than the plan";
}

std::vector<std::string> remarksOf(const Plan& plan, Trainer trainer)
{
    if (trainer == Trainer::Megatron)
        return {"Megatron-LM has one rule for all layers, or the first ones; a plan chooses for each layer and op.",
            "Its \"block\" and \"uniform\" count the layers of one pipeline stage; here that is all of them."};
    std::vector<std::string> remarks{
        "torchtitan has one rule for all layers, or every K-th; a plan chooses for each layer and op.",
        "selective_ac_option is of releases that save every second product; later ones list what to save by name."};
    if (plan.shape().norm != NormKind::RmsNorm)
        remarks.push_back(
            "torchtitan trains models like LLaMA: of " + plan.shape().modelType + " this is what its rule would do.");
    return remarks;
}

std::string settingsText(const Plan& plan, Trainer trainer, const Candidate& candidate, bool fits)
{
    const Plan& chosen = candidate.plan;
    const std::string name = trainer == Trainer::Megatron ? "Megatron-LM" : "torchtitan";
    std::vector<std::string> lines{
        name + ": the settings nearest to a plan of RematScope for " + plan.shape().name + ", batch "
            + std::to_string(plan.setup().batch) + ", sequence " + std::to_string(plan.setup().sequence) + ", on "
            + plan.device.name,
        "The plan: " + verdict(plan),
        "These settings, replayed on the same model and device: peak " + formatBytes(chosen.prediction.peak) + ", "
            + peakDifference(chosen.prediction.peak, plan.prediction.peak) + "; " + formatPercent(chosen.extraTime())
            + " time, " + timeDifference(chosen, plan),
    };
    if (!fits)
        lines.push_back("No settings of " + name + " keep the step within "
            + formatBytes(plan.budget.value_or(plan.prediction.peak)) + ": these have the lowest peak.");
    for (const std::string& remark : remarksOf(plan, trainer))
        lines.push_back(remark);
    std::string text;
    for (const std::string& line : lines)
        text += "# " + plainText(line) + "\n";
    if (candidate.lines.empty())
        text += "# No flags: nothing is recomputed.\n";
    for (const std::string& line : candidate.lines)
        text += line + "\n";
    return text;
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
    std::string text = settingsText(plan, trainer, best, fits);
    return TrainerSettings{std::move(text), std::move(best.plan), fits};
}

} // namespace remat
