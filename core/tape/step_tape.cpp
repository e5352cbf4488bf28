// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/step_tape.h"

#include <map>

#include "core/model/module_paths.h"
#include "core/tape/article_tape.h"
#include "core/tape/block_builder.h"

namespace remat {

namespace {

class StepTapeBuilder {
public:
    StepTapeBuilder(const ModelShape& shape, const TrainingSetup& setup, MachineTraits traits)
    {
        m_step.shape = shape;
        m_step.setup = setup;
        m_step.traits = traits;
        const BlockBuilder builder(shape, setup, traits);
        m_step.kinds = {builder.embedding(), builder.block(), builder.head()};
        for (const StageTape& tape : m_step.kinds)
            m_step.flows.push_back(gradientFlow(tape));
    }

    StepTape build()
    {
        const ModulePaths& paths = modulePathsOf(m_step.shape);
        addStage("embedding", paths.embedding, 0, -1);
        for (int layer = 0; layer < m_step.shape.layers; ++layer)
            addStage("layer " + std::to_string(layer), paths.layers + std::to_string(layer), 1, layer);
        addStage("head", paths.head, 2, -1);
        sumBase();
        return std::move(m_step);
    }

private:
    void addStage(std::string name, std::string module, int kind, int layer)
    {
        StageInstance stage{std::move(name), std::move(module), kind, layer, {}};
        for (const StageParameter& row : m_step.kinds[static_cast<std::size_t>(kind)].parameters) {
            const auto shared = m_shared.find(row.sharedName);
            int number = static_cast<int>(m_step.parameters.size());
            if (row.isShared && shared != m_shared.end())
                number = shared->second;
            else
                m_step.parameters.push_back({stage.pathOf(row.name), row.elements, row.bytes,
                    roundUp({row.elements * bytesOf(ElementType::Fp32)}, m_step.traits.granule), row.initialization,
                    row.decays});
            if (row.isShared)
                m_shared[row.sharedName] = number;
            stage.parameters.push_back(number);
        }
        m_step.stages.push_back(std::move(stage));
    }

    void sumBase()
    {
        BaseBytes& base = m_step.base;
        const TrainingSetup& setup = m_step.setup;
        for (const Parameter& parameter : m_step.parameters) {
            base.weights += parameter.bytes;
            base.optimizer += setup.optimizerCopies() * parameter.stateBytes;
        }
        if (setup.hasGradientsInBase())
            base.gradients = base.weights;
        // Token ids and targets: one 32-bit number a token each.
        base.inputs = 2 * roundUp({4 * setup.batch * setup.sequence}, m_step.traits.granule);
        base.workspace = m_step.traits.residentWorkspace;
    }

    StepTape m_step;
    std::map<std::string, int> m_shared;
};

} // namespace

std::int64_t StepTape::parameterCount() const
{
    std::int64_t count = 0;
    for (const Parameter& parameter : parameters)
        count += parameter.elements;
    return count;
}

Bytes StepTape::weightGradBytes(int stage) const
{
    Bytes sum;
    if (setup.hasGradientsInBase())
        return sum;
    for (const StageParameter& row : tapeOf(stage).parameters)
        if (!row.gradientIsMadeLater)
            sum += row.bytes;
    return sum;
}

StepTape buildStepTape(const ModelShape& shape, const TrainingSetup& setup, MachineTraits traits)
{
    if (setup.profile == Profile::Article)
        return buildArticleTape(shape, setup);
    return StepTapeBuilder(shape, setup, traits).build();
}

} // namespace remat
