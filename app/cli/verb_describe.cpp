// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/chain/pins.h"
#include "core/cost/device_traits.h"
#include "core/export/description_table.h"

namespace remat::cli {

namespace {

using nlohmann::json;

json sumJson(const SublayerRow& row)
{
    return {{"kept_bytes", row.kept.value}, {"made_bytes", row.made.value}, {"weight_bytes", row.weights.value},
        {"tied_weight_bytes", row.tied.value}, {"forward_flops", row.forwardFlops.value},
        {"backward_flops", row.backwardFlops.value}, {"forward_ns", row.forwardTime.value},
        {"backward_ns", row.backwardTime.value}};
}

json tensorJson(const TensorRow& row)
{
    const Tensor& tensor = row.tensor;
    return {{"name", tensor.name}, {"sublayer", sublayerName(tensor.sublayer)}, {"shape", tensor.shape},
        {"shape_text", tensor.shapeText}, {"type", toName(tensor.element)}, {"bytes", tensor.bytes.value},
        {"role", roleName(tensor.role)}, {"made_by", row.madeBy.empty() ? json(nullptr) : json(row.madeBy)},
        {"read_in_backward_by", row.readBy}, {"kept", row.isKept},
        {"recompute_ns", row.recomputeTime ? json(row.recomputeTime->value) : json(nullptr)},
        {"recomputed_ops", row.recomputedOps}};
}

json opJson(const OpRow& row)
{
    const Op& op = row.op;
    return {{"name", op.name}, {"sublayer", sublayerName(op.sublayer)}, {"modules", op.modules},
        {"reads_in_backward", row.backwardReads}, {"can_be_kept", row.canBeKept},
        {"forward_flops", op.forwardFlops.value}, {"backward_flops", op.backwardFlops.value},
        {"forward_bytes", op.forwardBytes.value}, {"backward_bytes", op.backwardBytes.value},
        {"forward_ns", row.times.forward.value}, {"backward_ns", row.times.backward.value},
        {"forward_workspace_bytes", op.forwardWorkspace.value}, {"random", op.isRandom}};
}

json kindJson(const KindDescription& kind)
{
    json sublayers = json::array(), tensors = json::array(), ops = json::array();
    for (const SublayerRow& row : kind.sublayers) {
        sublayers.push_back(sumJson(row));
        sublayers.back()["sublayer"] = sublayerName(row.sublayer);
    }
    for (const TensorRow& row : kind.tensors)
        tensors.push_back(tensorJson(row));
    for (const OpRow& row : kind.ops)
        ops.push_back(opJson(row));
    return {{"kind", kind.kind}, {"count", kind.count}, {"parameters", kind.parameters},
        {"tied_parameters", kind.tiedParameters}, {"total", sumJson(kind.total)}, {"sublayers", sublayers},
        {"tensors", tensors}, {"ops", ops}};
}

json descriptionJson(const Description& description)
{
    json kinds = json::array();
    for (const KindDescription& kind : description.kinds)
        kinds.push_back(kindJson(kind));
    const BaseBytes& base = description.base;
    const Prediction& all = description.keepAll;
    return {{"format", "remat-description"}, {"version", 1}, {"kinds", kinds}, {"total", sumJson(description.total)},
        {"boundaries", {{"count", description.boundaries}, {"bytes", description.boundaryBytes.value}}},
        {"base",
            {{"weight_bytes", base.weights.value}, {"gradient_bytes", base.gradients.value},
                {"optimizer_bytes", base.optimizer.value}, {"input_bytes", base.inputs.value},
                {"workspace_bytes", base.workspace.value}, {"total_bytes", base.total().value}}},
        {"keep_all",
            {{"peak_bytes", all.peak.value}, {"peak_at", englishText(all.peakAt)}, {"saved_bytes", all.saved.value},
                {"time_ns", all.time.value}, {"optimizer_ns", all.optimizer.value}}}};
}

std::string descriptionText(const Description& description)
{
    std::string text;
    for (const KindDescription& kind : description.kinds) {
        text += "\n" + kind.kind + (kind.count > 1 ? ", " + std::to_string(kind.count) + " times" : "") + ": "
            + std::to_string(kind.parameters) + " parameters"
            + (kind.tiedParameters > 0 ? ", and " + std::to_string(kind.tiedParameters) + " tied with embedding" : "")
            + "\n" + toText(sublayerTable(kind)) + "\n" + toText(tensorTable(kind));
    }
    const SublayerRow& total = description.total;
    const Prediction& all = description.keepAll;
    text += "\n" + toText(baseTable(description.base)) + "\nall stages: kept inside " + formatBytes(total.kept)
        + ", between stages " + formatBytes(description.boundaryBytes) + "; forward " + formatFlops(total.forwardFlops)
        + " in " + formatDuration(total.forwardTime) + ", backward " + formatFlops(total.backwardFlops) + " in "
        + formatDuration(total.backwardTime) + "\nkeep everything: peak " + formatBytes(all.peak) + ", reached in "
        + englishText(all.peakAt) + "; " + formatDuration(all.time) + " and optimizer " + formatDuration(all.optimizer)
        + "\n";
    return text;
}

} // namespace

Result<Answer> runDescribe(const Arguments& arguments, const Environment& environment)
{
    const Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const StudyRequest& request = choice->request;
    const Description description
        = describe(buildStepTape(request.shape, request.setup, machineTraits(request.device)), request.device);
    if (arguments.isJson) {
        json object = descriptionJson(description);
        addStep(object, *choice);
        return jsonAnswer(object);
    }
    return Answer{
        stepHeading(*choice) + descriptionText(description) + defaultsLine(choice->defaults), choice->notes, 0};
}

} // namespace remat::cli
