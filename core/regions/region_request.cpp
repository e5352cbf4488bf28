// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_request.h"

#include <utility>

#include "core/model/step_bounds.h"
#include "core/torch/torch_step.h"

namespace remat {

namespace {

constexpr MessageCode kTooLong{"torch-sequence-too-long",
    REMAT_TR("A sequence of {0} tokens is longer than the {1} positions that the model knows."),
    REMAT_TR("Use at most {1} tokens."), ExitCode::Usage};
constexpr MessageCode kFixedLength{"torch-sequence-fixed",
    REMAT_TR("An image model's sequence follows from its image: {1} tokens, not {0}."), REMAT_TR("Leave the flag out."),
    ExitCode::Usage};
constexpr MessageCode kExperts{"torch-step-of-experts",
    REMAT_TR("PyTorch's grouped product of experts takes widths that are multiples of 8; here they are {0} and {1}."),
    REMAT_TR("Use such widths; describe without --profile lists the weights of this model.")};
constexpr MessageCode kTooManyLayers{"torch-too-many-layers",
    REMAT_TR("The profile pytorch simulates every layer of a step and takes at most {1} of them, not {0}."),
    REMAT_TR("Lower the layers, or use another profile."), ExitCode::Usage};
constexpr MessageCode kNotPositive{"torch-size-not-positive",
    REMAT_TR("{0} is no size: a step has at least one of each."), REMAT_TR("Use a whole number from 1."),
    ExitCode::Usage};
constexpr MessageCode kTooMuch{"torch-step-too-large",
    REMAT_TR("A step of {0} x {1} tokens passes what 61 bits can count."), REMAT_TR("Lower the batch or the sequence."),
    ExitCode::Usage};

} // namespace

Result<void> validate(const RegionRequest& request, ValueOrigin origin)
{
    if (auto valid = validateShape(request.shape, origin); !valid)
        return valid;
    const auto refuse = [origin](const MessageCode& code, const char* where, std::vector<MessageArgument> arguments) {
        Error error{&code, where, std::move(arguments)};
        if (origin == ValueOrigin::File)
            error.exit = ExitCode::BadInput;
        return error;
    };
    if (!torch::knowsTorchStep(request.shape))
        return Error{&kExperts, "model", {request.shape.hidden, request.shape.ffn}};
    if (const std::int64_t layers = request.shape.layers + request.shape.decoderLayers; layers > kMostTorchLayers)
        return refuse(kTooManyLayers, "layers", {layers, kMostTorchLayers});
    const torch::TorchSetup& setup = request.setup;
    for (const auto& [where, size] :
        {std::pair{"batch", setup.batch}, {"sequence", setup.sequence}, {"micro_batches", setup.microBatches}})
        if (size < 1)
            return refuse(kNotPositive, where, {size});
    const std::int64_t fixed = request.shape.fixedSequence();
    if (fixed > 0 && setup.sequence != fixed)
        return refuse(kFixedLength, "sequence", {setup.sequence, fixed});
    if (fixed == 0 && setup.sequence > request.shape.maxPositions)
        return refuse(kTooLong, "sequence", {setup.sequence, request.shape.maxPositions});
    TrainingSetup counted;
    counted.batch = setup.batch;
    counted.sequence = setup.sequence;
    counted.microBatches = setup.microBatches;
    if (!stepBounds(request.shape, counted))
        return refuse(kTooMuch, "batch", {setup.batch, setup.sequence});
    return {};
}

} // namespace remat
