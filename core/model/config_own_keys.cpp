// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_own_keys.h"

#include <cmath>
#include <string_view>
#include <tuple>

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/activation_names.h"
#include "core/model/training_setup.h"
#include "core/model/window_layers.h"

namespace remat {

namespace {

constexpr MessageCode kPadBeyondPositions{"config-pad-beyond-positions",
    REMAT_TR("Positions start behind the padding token's number {0}, but there are {1} rows."),
    REMAT_TR("Give a pad_token_id below max_position_embeddings - 1.")};
constexpr MessageCode kNotSide{"config-image-side-unsupported",
    REMAT_TR("An image's or a patch's size is one number or a list of height and width, not {0}."),
    REMAT_TR("Give a number such as 224, or [224, 224].")};
constexpr MessageCode kBadAttentionTypes{"config-attention-types-unsupported",
    REMAT_TR("attention_types is a list of pairs of kinds and a count, not {0}."),
    REMAT_TR("Write for example [[[\"global\", \"local\"], 12]].")};
constexpr MessageCode kFalconNorms{"config-falcon-norms-unsupported",
    REMAT_TR("No Falcon has num_ln_in_parallel_attn {0} with new_decoder_architecture {1} and parallel_attn {2}."),
    REMAT_TR("Use 2 with the new architecture, or leave the key out; the new architecture is always parallel.")};
constexpr MessageCode kBadProjection{"config-feed-forward-unsupported",
    REMAT_TR("feed_forward_proj is an activation or gated-ACTIVATION, not \"{0}\"."),
    REMAT_TR("Use relu, gated-gelu or gated-silu, as published models do.")};
constexpr MessageCode kUntiedT5{"config-t5-untied",
    REMAT_TR("tie_word_embeddings is false: T5's tables stay tied, the head's input is not scaled."), ""};

/// A number for both sides, or height and width.
std::pair<std::int64_t, std::int64_t> readSides(ConfigKeys& keys, const char* key, std::int64_t otherwise)
{
    if (!keys.isGiven(key) || !keys[key].raw().is_array()) {
        const std::int64_t side = keys.integer(key, otherwise, 1, kMaxPixels);
        return {side, side};
    }
    const std::vector<JsonCursor> sides = keys[key].elements();
    if (sides.size() != 2) {
        keys[key].fail(kNotSide, {shownJson(keys[key].raw())});
        return {otherwise, otherwise};
    }
    return {sides[0].integer(1, kMaxPixels), sides[1].integer(1, kMaxPixels)};
}

/// PreTrainedConfig: num_labels where it is given, else as many as id2label names, else 2.
std::int64_t readLabels(ConfigKeys& keys)
{
    if (keys.isGiven("num_labels"))
        return keys["num_labels"].integer(0, kMaxVocabulary);
    if (keys.isGiven("id2label") && keys["id2label"].raw().is_object())
        return static_cast<std::int64_t>(keys["id2label"].raw().size());
    keys.noteDefault("id2label", "2 labels");
    return 2;
}

/// The kinds of GPT-Neo's layers: [[["global", "local"], 6]] is six times both.
std::vector<std::string> readAttentionTypes(const JsonCursor& at, std::int64_t most)
{
    std::vector<std::string> kinds;
    const auto refuse = [&] {
        at.fail(kBadAttentionTypes, {shownJson(at.raw())});
        return std::vector<std::string>{};
    };
    if (!at.raw().is_array())
        return refuse();
    for (const nlohmann::json& item : at.raw()) {
        if (!item.is_array() || item.size() != 2 || !item[0].is_array() || !item[1].is_number_integer())
            return refuse();
        const auto count = item[1].get<std::int64_t>();
        if (count < 0 || count > most)
            return refuse();
        for (std::int64_t i = 0; i < count; ++i)
            for (const nlohmann::json& kind : item[0]) {
                if (!kind.is_string() || static_cast<std::int64_t>(kinds.size()) > most)
                    return refuse();
                kinds.push_back(kind.get<std::string>());
            }
    }
    return kinds.empty() ? refuse() : kinds;
}

} // namespace

void readRobertaKeys(ConfigKeys& keys, ModelShape& shape)
{
    const std::int64_t rows = shape.maxPositions;
    shape.positionOffset = keys.integer("pad_token_id", 1, 0, kMaxPositions) + 1;
    if (shape.positionOffset >= rows)
        keys["pad_token_id"].fail(kPadBeyondPositions, {shape.positionOffset - 1, rows});
    else
        shape.maxPositions = rows - shape.positionOffset;
}

void readElectraKeys(ConfigKeys& keys, ModelShape& shape)
{
    setEmbeddingWidth(shape, keys.integer("embedding_size", 128, 1, kMaxWidth));
}

void readImageKeys(ConfigKeys& keys, ModelShape& shape)
{
    PatchGrid& image = shape.image;
    std::tie(image.height, image.width) = readSides(keys, "image_size", 224);
    std::tie(image.patchHeight, image.patchWidth) = readSides(keys, "patch_size", 16);
    image.channels = keys.integer("num_channels", 3, 1, kMaxPixels);
    shape.maxPositions = image.tokens();
    shape.labels = readLabels(keys);
}

void readGptNeoKeys(ConfigKeys& keys, ModelShape& shape)
{
    shape.slidingWindow = keys.integer("window_size", 256, 1, kMaxPositions);
    if (!keys.isGiven("attention_types")) {
        keys.noteDefault("attention_types", "[[[\"global\", \"local\"], 12]]");
        setWindowLayers(keys, shape, "attention_types", "fs");
        return;
    }
    const std::vector<std::string> kinds = readAttentionTypes(keys["attention_types"], kMaxLayers);
    setWindowLayers(keys, shape, "attention_types", patternOf(keys["attention_types"], kinds, "local", "global"));
}

void readGptjKeys(ConfigKeys& keys, ModelShape& shape)
{
    shape.rotaryWidth = keys.integer("rotary_dim", 64, 1, kMaxWidth);
}

void readGptNeoxKeys(ConfigKeys& keys, ModelShape& shape)
{
    shape.block = keys.flag("use_parallel_residual", true) ? BlockKind::ParallelTwoNorms : BlockKind::Serial;
}

void readOptKeys(ConfigKeys& keys, ModelShape& shape)
{
    const bool isPre = keys.flag("do_layer_norm_before", true);
    shape.normPlace = isPre ? NormPlace::Pre : NormPlace::Post;
    shape.hasFinalNorm = !keys.flag("_remove_final_layer_norm", false) && isPre;
    if (keys.isGiven("word_embed_proj_dim"))
        setEmbeddingWidth(shape, keys["word_embed_proj_dim"].integer(1, kMaxWidth));
    else
        keys.noteDefault("word_embed_proj_dim", std::to_string(shape.hidden));
    if (keys.isGiven("layerdrop") && keys["layerdrop"].number() != 0)
        keys.noteLeftOut("layerdrop");
}

/// FalconDecoderLayer: old blocks are serial or parallel behind one norm, new ones parallel behind one or two.
/// Other combinations fail in transformers' forward.
void readFalconKeys(ConfigKeys& keys, ModelShape& shape)
{
    const bool isNew = keys.flag("new_decoder_architecture", false);
    const bool isParallel = keys.flag("parallel_attn", true);
    std::int64_t norms = isNew ? 2 : 1;
    if (keys.isGiven("num_ln_in_parallel_attn"))
        norms = keys["num_ln_in_parallel_attn"].integer(1, 2);
    else if (!keys.isNull("num_ln_in_parallel_attn"))
        keys.noteDefault("num_ln_in_parallel_attn", std::to_string(norms));
    if ((isNew && !isParallel) || (!isNew && norms == 2 && isParallel)) {
        const char* blamed = isNew ? "parallel_attn" : "num_ln_in_parallel_attn";
        keys[blamed].fail(
            kFalconNorms, {norms, std::string(isNew ? "true" : "false"), std::string(isParallel ? "true" : "false")});
        return;
    }
    shape.block = !isParallel ? BlockKind::Serial : norms == 2 ? BlockKind::ParallelTwoNorms : BlockKind::Parallel;
    shape.attentionBranchDropout = isParallel ? BranchDropout::None : BranchDropout::Attention;
    if (keys.flag("alibi", false)) {
        shape.positions = PositionKind::Alibi;
        shape.maxPositions = kMaxPositions;
    }
    if (isNew) {
        if (keys.isGiven("num_kv_heads"))
            setGroups(shape, keys["num_kv_heads"].integer(1, kMaxWidth));
        else
            setGroups(shape, shape.heads);
        if (!keys.isGiven("num_kv_heads"))
            keys.noteDefault("num_kv_heads", std::to_string(shape.heads));
    } else {
        setGroups(shape, keys.flag("multi_query", true) ? 1 : shape.heads);
    }
}

void readPhiKeys(ConfigKeys& keys, ModelShape& shape)
{
    shape.qkNorm = keys.flag("qk_layernorm", false) ? QkNorm::Head : QkNorm::None;
}

/// The auxiliary loss of the router, and noise before it, are not described.
void readMixtralKeys(ConfigKeys& keys, ModelShape&)
{
    if (keys.isGiven("output_router_logits") && keys["output_router_logits"].boolean())
        keys.noteLeftOut("output_router_logits");
    if (keys.isGiven("router_jitter_noise") && keys["router_jitter_noise"].number() != 0)
        keys.noteLeftOut("router_jitter_noise");
}

/// GemmaConfig: "gelu" is what the first releases wrote for the tanh approximation.
void readGemmaKeys(ConfigKeys& keys, ModelShape& shape)
{
    if (keys.isGiven("hidden_act") && keys["hidden_act"].string() == "gelu")
        shape.activation = Activation::GeluTanh;
}

void readLaterGemmaKeys(ConfigKeys& keys, ModelShape& shape)
{
    shape.queryScale = 1 / std::sqrt(static_cast<double>(keys.integer("query_pre_attn_scalar", 256, 1, kMaxQuantity)));
}

/// T5Config.__post_init__: the FFN's kind is in one text, "gated-gelu" means gelu_new, and the tables are always tied;
/// an untied config is one of T5 1.1, which does not scale the head's input.
void readT5Keys(ConfigKeys& keys, ModelShape& shape)
{
    shape.decoderLayers = keys.integer("num_decoder_layers", shape.layers, 1, kMaxLayers);
    std::string name = keys.text("feed_forward_proj", "relu");
    const std::string whole = name;
    constexpr std::string_view kGated = "gated-";
    const bool isGated = name.starts_with(kGated);
    if (isGated)
        name.erase(0, kGated.size());
    if (name.find('-') != std::string::npos) {
        keys["feed_forward_proj"].fail(kBadProjection, {shortened(whole)});
        return;
    }
    shape.ffnKind = isGated ? FfnKind::Gated : FfnKind::Plain;
    setActivation(shape, keys, "feed_forward_proj", isGated && name == "gelu" ? "gelu_new" : name);
    shape.hasScaledHeadInput = keys.flag("tie_word_embeddings", true);
    if (!shape.hasScaledHeadInput)
        keys.note({&kUntiedT5, {}});
}

} // namespace remat
