// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/torch_answer.h"

#include <nlohmann/json.hpp>

#include "app/cli/step_text.h"
#include "core/model/model_json.h"
#include "core/model/weights.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

std::string torchHeading(const RegionRequest& request)
{
    const torch::TorchSetup& setup = request.setup;
    return textOf(StepTitle{request.shape.name, parameterCount(request.shape), setup.batch, setup.microBatches,
        setup.sequence, std::string("pytorch, ") + toName(setup.precision), request.device.name});
}

void addChoice(nlohmann::json& object, const TorchChoice& choice)
{
    object["model"] = toJson(choice.request.shape);
    object["model"]["parameters"] = parameterCount(choice.request.shape);
    object["setup"] = toJson(choice.request.setup, choice.request.shape);
    object["device"] = choice.request.device.name;
    object["defaults"] = choice.defaults;
    object["notes"] = choice.notes;
}

} // namespace remat::cli
