// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/weight_answer.h"

#include <nlohmann/json.hpp>

#include "core/export/table.h"
#include "core/model/buffers.h"
#include "core/model/model_json.h"
#include "core/model/weights.h"

namespace remat::cli {

namespace {

using nlohmann::json;

const char* placeName(WeightPlace place)
{
    switch (place) {
    case WeightPlace::Embedding:
        return "embedding";
    case WeightPlace::Layer:
        return "layer";
    case WeightPlace::Bridge:
        return "bridge";
    case WeightPlace::DecoderLayer:
        return "decoder layer";
    case WeightPlace::Head:
        break;
    }
    return "head";
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "1" : text;
}

json weightsJson(const ModelShape& shape)
{
    json groups = json::array();
    for (const WeightGroup& group : weightGroups(shape)) {
        json weights = json::array();
        for (const Weight& weight : group.weights)
            weights.push_back({{"name", weight.name}, {"shape", weight.shape}, {"tied", weight.isTied}});
        groups.push_back({{"place", placeName(group.place)}, {"prefix", group.prefix},
            {"first_layer", group.firstLayer}, {"count", group.count}, {"weights", weights}});
    }
    return groups;
}

json buffersJson(const ModelShape& shape)
{
    json buffers = json::array();
    for (const ModelBuffer& buffer : modelBuffers(shape))
        buffers.push_back({{"name", buffer.name}, {"shape", buffer.shape}, {"number_bytes", buffer.numberBytes},
            {"count", buffer.count}});
    return buffers;
}

std::string weightsText(const ModelShape& shape)
{
    Table table{{"place", "times", "weight", "shape", "numbers"}, {}};
    for (const WeightGroup& group : weightGroups(shape))
        for (const Weight& weight : group.weights)
            table.rows.push_back({placeName(group.place), std::to_string(group.count), group.nameOf(weight, 0),
                shapeText(weight.shape), weight.isTied ? "tied" : std::to_string(weight.elements())});
    return toText(table);
}

} // namespace

Answer describeWeights(const ImportedModel& model, bool isJson)
{
    std::vector<std::string> notes;
    for (const Message& note : model.notes)
        notes.push_back(englishText(note));
    notes.push_back("No profile of this release describes the training step of type " + model.shape.modelType
        + ": only weights and buffers are listed.");
    const std::int64_t count = parameterCount(model.shape);
    if (!isJson)
        return Answer{model.shape.name + ": " + std::to_string(count) + " parameters\n\n" + weightsText(model.shape),
            std::move(notes), 0};
    json shape = toJson(model.shape);
    shape["parameters"] = count;
    return jsonAnswer({{"format", "remat-description"}, {"version", 1}, {"model", std::move(shape)},
        {"weights", weightsJson(model.shape)}, {"buffers", buffersJson(model.shape)}, {"notes", notes}});
}

} // namespace remat::cli
