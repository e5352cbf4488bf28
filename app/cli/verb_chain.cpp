// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/verbs.h"
#include "core/chain/chain_file.h"
#include "core/cost/device_traits.h"

namespace remat::cli {

Result<Answer> runChain(const Arguments& arguments, const Environment& environment)
{
    const Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const StudyRequest& request = choice->request;
    const StepChain step = buildStepChain(
        buildStepTape(request.shape, request.setup, machineTraits(request.device)), request.device, {});
    // The chain is a file for other programs, so its text is JSON for people too.
    nlohmann::json object = toJson(step.chain);
    addStep(object, *choice);
    Answer answer = jsonAnswer(object);
    answer.notes = choice->notes;
    return answer;
}

} // namespace remat::cli
