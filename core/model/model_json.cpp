// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/model_json.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/families.h"
#include "core/model/names.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownType{
    "model-type-unsupported", REMAT_TR("Models of type \"{0}\" are not supported."), REMAT_TR("Use one of: {1}.")};
constexpr MessageCode kNoName{
    "preset-without-name", REMAT_TR("The name is empty."), REMAT_TR("Give the preset the name to pick it by.")};

Dropouts readDropouts(const JsonCursor& at)
{
    return {at["embedding"].number(), at["attention"].number(), at["residual"].number()};
}

template <class E> void readFeature(E& feature, const JsonCursor& at, const char* key)
{
    if (at.has(key))
        feature = readName<E>(at[key]);
}

void readFlag(bool& flag, const JsonCursor& at, const char* key)
{
    if (at.has(key))
        flag = at[key].boolean();
}

/// The value that validateShape() blames: "heads", or "dropout.embedding" for a member of a member.
JsonCursor atPath(const JsonCursor& at, const std::string& path)
{
    const auto dot = path.find('.');
    return dot == std::string::npos ? at[path] : at[path.substr(0, dot)][path.substr(dot + 1)];
}

} // namespace

nlohmann::json toJson(const ModelShape& shape)
{
    return {
        {"name", shape.name},
        {"model_type", shape.modelType},
        {"layers", shape.layers},
        {"hidden", shape.hidden},
        {"heads", shape.heads},
        {"key_value_heads", shape.groups()},
        {"head_width", shape.headWidth()},
        {"ffn", shape.ffn},
        {"vocabulary", shape.vocabulary},
        {"max_positions", shape.maxPositions},
        {"token_types", shape.tokenTypes},
        {"norm_place", toName(shape.normPlace)},
        {"norm", toName(shape.norm)},
        {"positions", toName(shape.positions)},
        {"rotary_base", shape.rotaryBase},
        {"sliding_window", shape.slidingWindow},
        {"activation", toName(shape.activation)},
        {"ffn_kind", toName(shape.ffnKind)},
        {"qkv_bias", shape.hasQkvBias},
        {"attention_out_bias", shape.hasAttentionOutBias},
        {"ffn_bias", shape.hasFfnBias},
        {"head", toName(shape.head)},
        {"causal", shape.isCausal},
        {"tied_head", shape.hasTiedHead},
        {"norm_epsilon", shape.normEpsilon},
        {"dropout",
            {{"embedding", shape.dropout.embedding}, {"attention", shape.dropout.attention},
                {"residual", shape.dropout.residual}}},
    };
}

ModelShape readModelShape(const JsonCursor& at)
{
    const std::string modelType = at["model_type"].string();
    const Family* family = findFamily(modelType);
    if (!family) {
        at["model_type"].fail(kUnknownType, {shortened(modelType), supportedModelTypes()});
        return {};
    }
    ModelShape shape = family->defaults;
    shape.name = at["name"].string();
    shape.layers = at["layers"].integer(1, kMaxLayers);
    shape.hidden = at["hidden"].integer(1, kMaxWidth);
    shape.heads = at["heads"].integer(1, kMaxWidth);
    // The families' own groups fit their own heads alone.
    setGroups(shape, at.has("key_value_heads") ? at["key_value_heads"].integer(1, kMaxWidth) : shape.heads);
    setHeadWidth(shape, at.has("head_width") ? at["head_width"].integer(1, kMaxWidth) : 0);
    shape.ffn = at.has("ffn") ? at["ffn"].integer(1, kMaxFfn) : 4 * shape.hidden;
    shape.vocabulary = at["vocabulary"].integer(1, kMaxVocabulary);
    shape.maxPositions = at["max_positions"].integer(1, kMaxPositions);
    shape.tokenTypes = at.has("token_types") ? at["token_types"].integer(0, kMaxVocabulary) : 0;
    readFeature(shape.activation, at, "activation");
    readFeature(shape.norm, at, "norm");
    readFeature(shape.positions, at, "positions");
    readFeature(shape.ffnKind, at, "ffn_kind");
    readFlag(shape.hasTiedHead, at, "tied_head");
    readFlag(shape.hasQkvBias, at, "qkv_bias");
    readFlag(shape.hasAttentionOutBias, at, "attention_out_bias");
    readFlag(shape.hasFfnBias, at, "ffn_bias");
    if (at.has("norm_epsilon"))
        shape.normEpsilon = at["norm_epsilon"].number();
    if (at.has("rotary_base"))
        shape.rotaryBase = at["rotary_base"].number();
    shape.slidingWindow = at.has("sliding_window") ? at["sliding_window"].integer(0, kMaxPositions) : 0;
    shape.dropout = at.has("dropout") ? readDropouts(at["dropout"]) : Dropouts{};
    readFeature(shape.normPlace, at, "norm_place");
    readFeature(shape.head, at, "head");
    readFlag(shape.isCausal, at, "causal");
    if (at.failed())
        return shape;
    if (const Result<void> valid = validateShape(shape, ValueOrigin::File); !valid)
        atPath(at, valid.error().where).fail(*valid.error().code, valid.error().arguments);
    return shape;
}

Result<ModelShape> parseModelFile(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    root.requireFormat(kModelFormat, kModelVersion);
    if (root.failed())
        return root.error();
    ModelShape shape = readModelShape(root);
    if (shape.name.empty())
        root["name"].fail(kNoName);
    if (root.failed())
        return root.error();
    return shape;
}

std::string modelFileText(const ModelShape& shape)
{
    nlohmann::json json = toJson(shape);
    json["format"] = kModelFormat;
    json["version"] = kModelVersion;
    return jsonText(json, 2) + "\n";
}

} // namespace remat
