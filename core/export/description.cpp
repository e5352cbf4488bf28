// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/description.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/chain/keep_options.h"
#include "core/chain/stage_script.h"

namespace remat {

namespace {

/// Adds `other`, so many times.
void add(SublayerRow& sum, const SublayerRow& other, std::int64_t times = 1)
{
    sum.kept += times * other.kept;
    sum.made += times * other.made;
    sum.weights += times * other.weights;
    sum.tied += times * other.tied;
    sum.forwardFlops += times * other.forwardFlops;
    sum.backwardFlops += times * other.backwardFlops;
    sum.forwardTime += times * other.forwardTime;
    sum.backwardTime += times * other.backwardTime;
}

class KindDescriber {
public:
    explicit KindDescriber(const StageFacts& facts) : m_facts(facts), m_tape(facts.tape)
    {
        m_result.kind = m_tape.kind;
        for (const StageParameter& parameter : m_tape.parameters)
            (parameter.isCountedEarlier() ? m_result.tiedParameters : m_result.parameters) += parameter.elements;
    }

    KindDescription describe()
    {
        describeTensors();
        describeOps();
        for (const SublayerRow& row : m_result.sublayers)
            add(m_result.total, row);
        return std::move(m_result);
    }

private:
    void describeTensors()
    {
        const StageScript script = buildStageScript(m_tape, m_facts.flow, keepAll(m_tape), m_facts.gradientsInBase);
        for (std::size_t t = 0; t < m_tape.tensors.size(); ++t) {
            TensorRow row{.tensor = m_tape.tensors[t]};
            const int index = static_cast<int>(t);
            row.isKept
                = std::find(script.savedTensors.begin(), script.savedTensors.end(), index) != script.savedTensors.end();
            if (row.tensor.producer >= 0)
                row.madeBy = m_tape.ops[at(row.tensor.producer)].name;
            for (const Op& op : m_tape.ops)
                if (std::find(op.backwardReads.begin(), op.backwardReads.end(), index) != op.backwardReads.end())
                    row.readBy.push_back(op.name);
            if (row.isKept)
                priceRecompute(row);
            m_result.tensors.push_back(std::move(row));
        }
    }

    void priceRecompute(TensorRow& row) const
    {
        const KeepSet dropped = KeepSet{1} << row.tensor.producer;
        row.recomputeTime = priceOfDropping(m_facts, dropped).time;
        const StageScript script
            = buildStageScript(m_tape, m_facts.flow, keepAll(m_tape) & ~dropped, m_facts.gradientsInBase);
        for (const ScriptStep& step : script.backward)
            if (step.isRerun)
                row.recomputedOps.push_back(m_tape.ops[at(step.op)].name);
    }

    void describeOps()
    {
        const KeepSet all = keepAll(m_tape);
        for (std::size_t i = 0; i < m_tape.ops.size(); ++i) {
            const Op& op = m_tape.ops[i];
            OpRow row{.op = op, .canBeKept = keeps(all, static_cast<int>(i)), .times = m_facts.times[i]};
            for (const int t : op.backwardReads)
                row.backwardReads.push_back(m_tape.tensors[at(t)].name);
            m_result.ops.push_back(std::move(row));
            SublayerRow& sum = rowOf(op.sublayer);
            for (const int t : op.writes) {
                const TensorRow& made = m_result.tensors[at(t)];
                sum.made += made.tensor.bytes;
                if (made.isKept)
                    sum.kept += made.tensor.bytes;
            }
            for (const int p : op.parameters) {
                const StageParameter& parameter = m_tape.parameters[at(p)];
                (parameter.isCountedEarlier() ? sum.tied : sum.weights) += parameter.bytes;
            }
            sum.forwardFlops += op.forwardFlops;
            sum.backwardFlops += op.backwardFlops;
            sum.forwardTime += m_facts.times[i].forward;
            sum.backwardTime += m_facts.times[i].backward;
        }
    }

    SublayerRow& rowOf(Sublayer sublayer)
    {
        for (SublayerRow& row : m_result.sublayers)
            if (row.sublayer == sublayer)
                return row;
        m_result.sublayers.push_back({.sublayer = sublayer});
        return m_result.sublayers.back();
    }

    const StageFacts& m_facts;
    const StageTape& m_tape;
    KindDescription m_result;
};

} // namespace

KindDescription describeKind(const StageFacts& facts)
{
    return KindDescriber(facts).describe();
}

Description describe(const StepTape& tape, const Device& device)
{
    Description result;
    std::vector<KeepSet> keepEverything;
    for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s) {
        keepEverything.push_back(keepAll(tape.tapeOf(s)));
        if (!tape.tapeOf(s).outputIsLoss) {
            ++result.boundaries;
            result.boundaryBytes += tape.tapeOf(s).tensors[at(tape.tapeOf(s).output)].bytes;
        }
    }
    const Plan plan = derivePlan(tape, device, std::move(keepEverything));
    for (std::size_t k = 0; k < tape.kinds.size(); ++k) {
        const StageFacts facts{tape.kinds[k], tape.flows[k], plan.step->times[k], tape.setup.hasGradientsInBase()};
        KindDescription kind = describeKind(facts);
        kind.count = std::count_if(tape.stages.begin(), tape.stages.end(),
            [&](const StageInstance& stage) { return stage.kind == static_cast<int>(k); });
        add(result.total, kind.total, kind.count);
        result.kinds.push_back(std::move(kind));
    }
    result.base = tape.base;
    result.keepAll = plan.prediction;
    return result;
}

} // namespace remat
