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

using nlohmann::json;

constexpr MessageCode kUnknownType{
    "model-type-unsupported", REMAT_TR("Models of type \"{0}\" are not supported."), REMAT_TR("Use one of: {1}.")};
constexpr MessageCode kNoName{
    "preset-without-name", REMAT_TR("The name is empty."), REMAT_TR("Give the preset the name to pick it by.")};

json imageJson(const PatchGrid& image)
{
    if (!image.isGiven())
        return nullptr;
    return {{"height", image.height}, {"width", image.width}, {"patch_height", image.patchHeight},
        {"patch_width", image.patchWidth}, {"channels", image.channels}, {"extra_tokens", image.extraTokens}};
}

PatchGrid readImage(const JsonCursor& at)
{
    if (at.isNull())
        return {};
    const auto size = [&](const char* key, std::int64_t least) { return at[key].integer(least, kMaxPixels); };
    return {size("height", 1), size("width", 1), size("patch_height", 1), size("patch_width", 1), size("channels", 1),
        size("extra_tokens", 0)};
}

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

void readSize(std::int64_t& size, const JsonCursor& at, const char* key, std::int64_t most)
{
    if (at.has(key))
        size = at[key].integer(0, most);
}

void readNumber(double& number, const JsonCursor& at, const char* key)
{
    if (at.has(key))
        number = at[key].number();
}

/// The features beyond those of a plain GPT, BERT or LLaMA; absent ones are the family's.
void readFurtherFeatures(ModelShape& shape, const JsonCursor& at)
{
    readSize(shape.decoderLayers, at, "decoder_layers", kMaxLayers);
    readFeature(shape.block, at, "block");
    readFlag(shape.hasNormWeights, at, "norm_weights");
    readFlag(shape.hasNormedResidual, at, "normed_residual");
    readSize(shape.positionOffset, at, "position_offset", kMaxPositions);
    readSize(shape.rotaryWidth, at, "rotary_width", kMaxWidth);
    readSize(shape.relativeBuckets, at, "relative_buckets", kMaxVocabulary);
    if (at.has("window_pattern"))
        shape.windowPattern = at["window_pattern"].string();
    readFeature(shape.qkNorm, at, "qk_norm");
    readNumber(shape.queryScale, at, "query_scale");
    readNumber(shape.attentionSoftcap, at, "attention_softcap");
    readFlag(shape.hasFusedQkv, at, "fused_qkv");
    readFlag(shape.hasFusedGate, at, "fused_gate");
    readSize(shape.experts, at, "experts", kMaxExperts);
    readSize(shape.expertsPerToken, at, "experts_per_token", kMaxExperts);
    if (at.has("embedding_width"))
        setEmbeddingWidth(shape, at["embedding_width"].integer(1, kMaxWidth));
    readFlag(shape.hasEmbeddingNorm, at, "embedding_norm");
    readFlag(shape.hasScaledEmbedding, at, "scaled_embedding");
    readFlag(shape.hasFinalNorm, at, "final_norm");
    readFlag(shape.hasHeadBias, at, "head_bias");
    readFlag(shape.hasScaledHeadInput, at, "scaled_head_input");
    if (at.has("head_activation"))
        shape.headActivation = at["head_activation"].isNull()
            ? std::nullopt
            : std::optional(readName<Activation>(at["head_activation"]));
    readNumber(shape.finalSoftcap, at, "final_softcap");
    readSize(shape.labels, at, "labels", kMaxVocabulary);
    readFlag(shape.hasInOutWeights, at, "in_out_weights");
    readFeature(shape.attentionBranchDropout, at, "attention_branch_dropout");
    readFlag(shape.hasInnerDropouts, at, "inner_dropouts");
}

/// A file without the form is older than it: then GeluTanh has that of the family.
void readActivation(ModelShape& shape, const JsonCursor& at)
{
    readFeature(shape.activation, at, "activation");
    if (shape.activation != Activation::GeluTanh)
        shape.activationForm = ActivationForm::Fused;
    readFeature(shape.activationForm, at, "activation_form");
}

/// The value that validateShape() blames: "heads", or "dropout.embedding" for a member of a member.
JsonCursor atPath(const JsonCursor& at, const std::string& path)
{
    const auto dot = path.find('.');
    return dot == std::string::npos ? at[path] : at[path.substr(0, dot)][path.substr(dot + 1)];
}

} // namespace

json toJson(const ModelShape& shape)
{
    const json headActivation = shape.headActivation ? json(toName(*shape.headActivation)) : json(nullptr);
    return {
        {"name", shape.name},
        {"model_type", shape.modelType},
        {"layers", shape.layers},
        {"decoder_layers", shape.decoderLayers},
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
        {"norm_weights", shape.hasNormWeights},
        {"block", toName(shape.block)},
        {"normed_residual", shape.hasNormedResidual},
        {"positions", toName(shape.positions)},
        {"position_offset", shape.positionOffset},
        {"rotary_base", shape.rotaryBase},
        {"rotary_width", shape.rotaryWidth},
        {"relative_buckets", shape.relativeBuckets},
        {"sliding_window", shape.slidingWindow},
        {"window_pattern", shape.windowPattern},
        {"qk_norm", toName(shape.qkNorm)},
        {"query_scale", shape.queryScale},
        {"attention_softcap", shape.attentionSoftcap},
        {"fused_qkv", shape.hasFusedQkv},
        {"activation", toName(shape.activation)},
        {"activation_form", toName(shape.activationForm)},
        {"ffn_kind", toName(shape.ffnKind)},
        {"fused_gate", shape.hasFusedGate},
        {"experts", shape.experts},
        {"experts_per_token", shape.expertsPerToken},
        {"embedding_width", shape.embeddingWidth()},
        {"embedding_norm", shape.hasEmbeddingNorm},
        {"scaled_embedding", shape.hasScaledEmbedding},
        {"image", imageJson(shape.image)},
        {"qkv_bias", shape.hasQkvBias},
        {"attention_out_bias", shape.hasAttentionOutBias},
        {"ffn_bias", shape.hasFfnBias},
        {"head", toName(shape.head)},
        {"final_norm", shape.hasFinalNorm},
        {"head_bias", shape.hasHeadBias},
        {"scaled_head_input", shape.hasScaledHeadInput},
        {"head_activation", headActivation},
        {"final_softcap", shape.finalSoftcap},
        {"labels", shape.labels},
        {"causal", shape.isCausal},
        {"tied_head", shape.hasTiedHead},
        {"in_out_weights", shape.hasInOutWeights},
        {"norm_epsilon", shape.normEpsilon},
        {"dropout",
            {{"embedding", shape.dropout.embedding}, {"attention", shape.dropout.attention},
                {"residual", shape.dropout.residual}}},
        {"attention_branch_dropout", toName(shape.attentionBranchDropout)},
        {"inner_dropouts", shape.hasInnerDropouts},
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
    if (at.has("image"))
        shape.image = readImage(at["image"]);
    shape.vocabulary = at["vocabulary"].integer(shape.image.isGiven() ? 0 : 1, kMaxVocabulary);
    shape.maxPositions = at["max_positions"].integer(1, kMaxPositions);
    shape.tokenTypes = at.has("token_types") ? at["token_types"].integer(0, kMaxVocabulary) : 0;
    readActivation(shape, at);
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
    readFurtherFeatures(shape, at);
    if (at.failed())
        return shape;
    if (const Result<void> valid = validateShape(shape, ValueOrigin::File); !valid)
        atPath(at, valid.error().where).fail(*valid.error().code, valid.error().arguments);
    return shape;
}

Result<ModelShape> parseModelFile(std::string_view text, const std::string& where)
{
    const Result<json> file = parseJson(text, where);
    if (!file)
        return file.error();
    const JsonCursor root(*file, where);
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
    json model = toJson(shape);
    model["format"] = kModelFormat;
    model["version"] = kModelVersion;
    return jsonText(model, 2) + "\n";
}

} // namespace remat
