// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/model/training_setup.h"
#include "core/tape/gradient_flow.h"
#include "core/tape/machine_traits.h"
#include "core/tape/tape.h"

namespace remat {

/// A weight of the whole model; shared weights stand here once.
struct Parameter {
    std::string name; ///< full framework name, "transformer.h.3.mlp.c_fc.weight"
    std::int64_t elements = 0;
    Bytes bytes;
    Bytes stateBytes; ///< of one fp32 copy: a moment of the optimizer, a master weight
    Initialization initialization = Initialization::Normal;
    bool decays = true;
};

/// One stage of the model: a kind of tape and which weights it uses.
struct StageInstance {
    std::string name;            ///< "embedding", "layer 3", "head"
    std::string module;          ///< framework path, "transformer.h.3"; empty for the model itself
    int kind = 0;                ///< index into StepTape::kinds
    int layer = -1;              ///< layer number, -1 for embedding and head
    std::vector<int> parameters; ///< of each StageTape parameter: index into StepTape::parameters

    /// The full path of something inside.
    std::string pathOf(const std::string& inside) const { return module.empty() ? inside : module + "." + inside; }
};

/// What is resident for the whole step, by cause.
struct BaseBytes {
    Bytes weights, gradients, optimizer, inputs, workspace;
    Bytes total() const { return weights + gradients + optimizer + inputs + workspace; }
};

/// A whole training step as tapes: the tables of its kinds of stage and the stages that use them.
struct StepTape {
    ModelShape shape;
    TrainingSetup setup;
    MachineTraits traits;
    std::vector<StageTape> kinds;
    std::vector<GradientFlow> flows; ///< one a kind
    std::vector<StageInstance> stages;
    std::vector<Parameter> parameters;
    BaseBytes base;

    const StageTape& tapeOf(int stage) const
    {
        return kinds[static_cast<std::size_t>(stages[static_cast<std::size_t>(stage)].kind)];
    }
    const GradientFlow& flowOf(int stage) const
    {
        return flows[static_cast<std::size_t>(stages[static_cast<std::size_t>(stage)].kind)];
    }
    /// Number of weights, tied ones once; depends on the shape alone.
    std::int64_t parameterCount() const;
    /// Gradient bytes that this stage's backward brings into being (0 when gradients are part of base).
    Bytes weightGradBytes(int stage) const;
};

/// The tape of a validated shape and setup (see validate() and withDefaults()) in the setup's profile.  The article's
/// model (core/tape/article_tape.h) knows no machine and leaves `traits` out.
StepTape buildStepTape(const ModelShape& shape, const TrainingSetup& setup, MachineTraits traits);

} // namespace remat
