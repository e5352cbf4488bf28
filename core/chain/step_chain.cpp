// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/step_chain.h"

#include <functional>
#include <map>
#include <tuple>

#include "core/base/index.h"
#include "core/chain/stage_script.h"

namespace remat {

namespace {

class StepChainBuilder {
public:
    StepChainBuilder(StepTape tape, const Device& device)
    {
        m_step.tape = std::move(tape);
        for (const StageTape& kind : m_step.tape.kinds)
            m_step.times.push_back(opTimes(kind, device, effectivePrecision(m_step.tape.setup)));
        m_step.chain.name = m_step.tape.shape.name;
        m_step.chain.baseBytes = m_step.tape.base.total();
        m_step.keepList.resize(m_step.tape.stages.size());
    }

    /// Adds a stage whose options come from `options`, made once for every distinct `key`.
    template <class Key, class MakeOptions>
    void addStage(int index, std::map<Key, int>& made, Key key, MakeOptions options)
    {
        const StageFacts facts = m_step.factsOf(index);
        const StageInstance& instance = m_step.tape.stages[at(index)];
        auto [entry, isNew] = made.try_emplace(key, static_cast<int>(m_step.keepSets.size()));
        if (isNew) {
            std::vector<KeepSet> sets;
            Stage stage = bareStage(facts);
            for (KeepOption& option : options(facts)) {
                sets.push_back(option.keep);
                stage.options.push_back(std::move(option.option));
            }
            stage.kind = facts.tape.kind + " " + std::to_string(entry->second);
            m_step.keepSets.push_back(std::move(sets));
            m_prototypes.push_back(std::move(stage));
        }
        Stage stage = m_prototypes[at(entry->second)];
        stage.name = instance.name;
        stage.weightGradBytes = m_step.tape.weightGradBytes(index);
        m_step.chain.stages.push_back(std::move(stage));
        m_step.keepList[at(index)] = entry->second;
    }

    int stages() const { return static_cast<int>(m_step.tape.stages.size()); }
    int kindOf(int stage) const { return m_step.tape.stages[at(stage)].kind; }
    StepChain finish() { return std::move(m_step); }

private:
    static Stage bareStage(const StageFacts& facts)
    {
        Stage stage;
        stage.outBytes = facts.tape.tensors[at(facts.tape.output)].bytes;
        stage.gradBytes = facts.flow.incoming < 0 ? Bytes{0} : facts.flow.slotBytes[at(facts.flow.incoming)];
        for (const OpTimes& times : facts.times)
            stage.forwardTime += times.forward;
        const ScriptBytes forward = measure(buildStageScript(facts.tape, facts.flow, 0, facts.gradientsInBase).forward);
        stage.forwardTempBytes = forward.peak - forward.after;
        return stage;
    }

    StepChain m_step;
    std::vector<Stage> m_prototypes;
};

} // namespace

StageFacts StepChain::factsOf(int stage) const
{
    return {tape.tapeOf(stage), tape.flowOf(stage), times[at(tape.stages[at(stage)].kind)],
        tape.setup.hasGradientsInBase()};
}

StepChain buildStepChain(
    StepTape tape, const Device& device, const std::vector<KeepRule>& rules, KeepReplays* remembered)
{
    StepChainBuilder builder(std::move(tape), device);
    std::map<std::tuple<int, KeepSet, KeepSet>, int> made;
    for (int s = 0; s < builder.stages(); ++s) {
        const KeepRule rule = rules.empty() ? KeepRule{} : rules[at(s)];
        builder.addStage(s, made, std::tuple(builder.kindOf(s), rule.mustKeep, rule.mustDrop),
            [&](const StageFacts& facts) { return enumerateOptions(facts, rule, remembered); });
    }
    StepChain step = builder.finish();
    requireOneForward(step.chain, rules);
    return step;
}

void requireOneForward(Chain& chain, const std::vector<KeepRule>& rules)
{
    for (std::size_t s = 0; s < rules.size(); ++s)
        chain.stages[s].runsOnce = rules[s].mustKeep != 0;
}

StepChain buildFixedChain(StepTape tape, const Device& device, const std::vector<KeepSet>& keep)
{
    StepChainBuilder builder(std::move(tape), device);
    std::map<std::tuple<int, KeepSet>, int> made;
    for (int s = 0; s < builder.stages(); ++s)
        builder.addStage(s, made, std::tuple(builder.kindOf(s), keep[at(s)]), [&](const StageFacts& facts) {
            std::vector<KeepOption> one{makeOption(facts, keep[at(s)])};
            if (keep[at(s)] != keepAll(facts.tape))
                one.push_back(makeOption(facts, keepAll(facts.tape)));
            for (KeepOption& option : one)
                option.option.name = keepSetName(facts.tape, option.keep);
            return one;
        });
    return builder.finish();
}

} // namespace remat
