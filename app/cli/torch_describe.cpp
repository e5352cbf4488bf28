// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/torch_answer.h"
#include "app/cli/torch_verbs.h"
#include "app/cli/weight_answer.h"
#include "core/base/format_units.h"
#include "core/export/region_plan_table.h"
#include "core/model/module_paths.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

/// Saved bytes of one inner layer by module and op.
json layerTensors(const RegionRequest& request, Table& table)
{
    const torch::TorchStep step = torch::simulateTorchStep(request.shape, request.setup);
    const std::int64_t layer = std::min<std::int64_t>(request.shape.layers - 1, 1);
    const std::string prefix = modulePathsOf(request.shape).layers + std::to_string(layer);
    json list = json::array();
    for (const torch::SavedTensor& tensor : step.savedTensors) {
        if (tensor.module != prefix && !tensor.module.starts_with(prefix + "."))
            continue;
        std::string shape;
        json sizes = json::array();
        for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.sizes.count()); ++i) {
            shape += (shape.empty() ? "" : " x ") + std::to_string(tensor.sizes[static_cast<int>(i)]);
            sizes.push_back(tensor.sizes[static_cast<int>(i)]);
        }
        const std::string module = tensor.module.size() > prefix.size() ? tensor.module.substr(prefix.size() + 1) : "";
        list.push_back({{"module", module}, {"op", tensor.op}, {"shape", sizes}, {"dtype", nameOf(tensor.dtype)},
            {"bytes", tensor.bytes.value}, {"weight_cast", tensor.isWeightCast}});
        table.rows.push_back({module.empty() ? "(layer)" : module, tensor.op, shape, std::string(nameOf(tensor.dtype)),
            formatBytes(tensor.bytes)});
    }
    return list;
}

} // namespace

Result<Answer> describeTorch(const Arguments& arguments, const Environment& environment)
{
    const Result<ImportedModel> model = chooseModel(arguments.model, environment);
    if (!model)
        return model.error();
    // Of a step that no profile describes, the weights are all that can be said.
    if (!arguments.setup.profile && !torch::knowsTorchStep(model->shape))
        return describeWeights(*model, arguments.isJson);
    const Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const RegionRequest& request = choice->request;
    const RegionPrediction p = predict(request, {});
    const Bytes perLayer = torch::savedBytesPerLayer(request.shape, request.setup);
    Table tensors{{"module in a layer", "op", "shape", "type", "bytes"}, {}};
    const json list = layerTensors(request, tensors);
    if (arguments.isJson) {
        json object{{"format", "remat-description"}, {"version", 1},
            {"keep_all", toJson(p, request.setup.microBatches)},
            {"saved",
                {{"total_bytes", p.saved.value}, {"per_layer_bytes", perLayer.value},
                    {"weight_cast_bytes", p.weightCasts.value}}},
            {"layer_tensors", list}};
        addChoice(object, *choice);
        return jsonAnswer(object);
    }
    return Answer{torchHeading(request) + "saved by each layer: " + formatBytes(perLayer) + "\n\n"
            + toText(predictionTable(p, request.setup.microBatches)) + "\n" + toText(tensors) + "\n"
            + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
