// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/chain/step_chain.h"
#include "core/cost/device_traits.h"
#include "core/model/presets.h"

namespace remat::testing {

/// BERT-large widened to 96 layers, batch 8, sequence 512, every option: the chain of the planner's speed bar.
inline Chain wideBertChain(const Device& device)
{
    ModelShape shape = findPreset("bert-large").value();
    shape.layers = 96;
    TrainingSetup setup;
    setup.batch = 8;
    setup.sequence = 512;
    Chain chain = buildStepChain(buildStepTape(shape, setup, machineTraits(device)), device, {}).chain;
    chain.name = shape.name + ", 96 layers, " + device.name;
    return chain;
}

} // namespace remat::testing
