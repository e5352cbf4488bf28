// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/families.h"

#include <algorithm>
#include <array>

#include "core/model/training_setup.h"

namespace remat {

namespace {

// The names of transformers' GPT2Config.attribute_map are aliases; n_ctx is the older name of n_positions.
constexpr SizeKey kGpt2Sizes[] = {
    {"n_layer", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"n_embd", "hidden_size", &ModelShape::hidden, "hidden", kMaxWidth},
    {"n_head", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"n_positions", "max_position_embeddings", &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
constexpr DropoutKey kGpt2Dropouts[] = {
    {"embd_pdrop", "dropout.embedding", &Dropouts::embedding, nullptr},
    {"attn_pdrop", "dropout.attention", &Dropouts::attention, nullptr},
    {"resid_pdrop", "dropout.residual", &Dropouts::residual, nullptr},
};
constexpr FixedKey kGpt2Fixed[] = {
    {"add_cross_attention", "false"},
    {"is_encoder_decoder", "false"},
    {"scale_attn_weights", "true"},
    {"scale_attn_by_inverse_layer_idx", "false"},
    {"pruned_heads", "{}"},
    {"quantization_config", "null"},
};
// In fp32 the upcast changes nothing; the outputs and the cache are of inference.
constexpr IgnoredKey kGpt2Ignored[]
    = {{"reorder_and_upcast_attn", "false"}, {"output_attentions", "false"}, {"output_hidden_states", "false"}};

constexpr SizeKey kBertSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
    {"type_vocab_size", nullptr, &ModelShape::tokenTypes, "token_types", kMaxVocabulary},
};
constexpr DropoutKey kBertDropouts[] = {
    {"hidden_dropout_prob", "dropout.embedding", &Dropouts::embedding, &Dropouts::residual},
    {"attention_probs_dropout_prob", "dropout.attention", &Dropouts::attention, nullptr},
};
constexpr FixedKey kBertFixed[] = {
    {"is_decoder", "false"},
    {"add_cross_attention", "false"},
    {"is_encoder_decoder", "false"},
    {"position_embedding_type", "\"absolute\""},
    {"chunk_size_feed_forward", "0"},
    {"pruned_heads", "{}"},
    {"quantization_config", "null"},
};
constexpr IgnoredKey kBertIgnored[] = {{"output_attentions", "false"}, {"output_hidden_states", "false"}};

ModelShape gpt2Defaults()
{
    ModelShape shape;
    shape.modelType = "gpt2";
    shape.layers = 12;
    shape.hidden = 768;
    shape.heads = 12;
    shape.ffn = 3072;
    shape.vocabulary = 50257;
    shape.maxPositions = 1024;
    shape.normPlace = NormPlace::Pre;
    shape.activation = Activation::GeluTanh;
    shape.head = HeadKind::CausalLm;
    shape.isCausal = true;
    shape.normEpsilon = 1e-5;
    shape.dropout = {0.1, 0.1, 0.1};
    return shape;
}

ModelShape bertDefaults()
{
    ModelShape shape;
    shape.modelType = "bert";
    shape.layers = 12;
    shape.hidden = 768;
    shape.heads = 12;
    shape.ffn = 3072;
    shape.vocabulary = 30522;
    shape.maxPositions = 512;
    shape.tokenTypes = 2;
    shape.normPlace = NormPlace::Post;
    shape.activation = Activation::Gelu;
    shape.head = HeadKind::MaskedLm;
    shape.isCausal = false;
    shape.normEpsilon = 1e-12;
    shape.dropout = {0.1, 0.1, 0.1};
    return shape;
}

// Class GPT2LMHeadModel of modeling_gpt2.py: the final norm stands in the transformer, the head beside it.
constexpr const char* kGpt2Qkv[] = {"attn.c_attn"};
constexpr ModulePaths kGpt2Modules{"transformer", "transformer.h.", "", "wte", "wpe", "", "", "ln_1", "ln_2", kGpt2Qkv,
    "attn.c_proj", "mlp.c_fc", "mlp.c_proj", "", "transformer.ln_f", "lm_head"};
// Class BertForMaskedLM of modeling_bert.py.
constexpr const char* kBertQkv[] = {"attention.self.query", "attention.self.key", "attention.self.value"};
constexpr ModulePaths kBertModules{"bert.embeddings", "bert.encoder.layer.", "cls.predictions", "word_embeddings",
    "position_embeddings", "token_type_embeddings", "LayerNorm", "attention.output.LayerNorm", "output.LayerNorm",
    kBertQkv, "attention.output.dense", "intermediate.dense", "output.dense", "transform.dense", "transform.LayerNorm",
    "decoder"};

/// model_types whose blocks look both ways, as BERT's do; every other one is nearer to GPT-2.
constexpr std::string_view kEncoders[]
    = {"albert", "beit", "camembert", "clip_vision_model", "convbert", "data2vec-text", "deberta", "deberta-v2", "deit",
        "dinov2", "distilbert", "electra", "ernie", "flaubert", "layoutlm", "mobilebert", "modernbert", "mpnet",
        "nomic_bert", "roberta", "siglip_vision_model", "squeezebert", "vit", "wav2vec2", "xlm", "xlm-roberta"};

} // namespace

std::span<const Family> families()
{
    static const std::array<Family, 2> kFamilies{{
        {bertDefaults(), kBertSizes, "intermediate_size", 3072, kBertDropouts, "hidden_act", "layer_norm_eps",
            kBertFixed, kBertIgnored, "BertForMaskedLM", kBertModules},
        {gpt2Defaults(), kGpt2Sizes, "n_inner", 0, kGpt2Dropouts, "activation_function", "layer_norm_epsilon",
            kGpt2Fixed, kGpt2Ignored, "GPT2LMHeadModel", kGpt2Modules},
    }};
    return kFamilies;
}

const Family* findFamily(std::string_view modelType)
{
    for (const Family& family : families())
        if (family.defaults.modelType == modelType)
            return &family;
    return nullptr;
}

const ModulePaths& modulePathsOf(const ModelShape& shape)
{
    if (const Family* family = findFamily(shape.modelType))
        return family->modules;
    for (const Family& family : families())
        if (family.defaults.normPlace == shape.normPlace)
            return family.modules;
    return families().front().modules;
}

std::string supportedModelTypes()
{
    std::string list;
    for (const Family& family : families())
        list += (list.empty() ? "" : ", ") + family.defaults.modelType;
    return list;
}

std::string_view nearestModelType(std::string_view modelType)
{
    const bool isEncoder = std::find(std::begin(kEncoders), std::end(kEncoders), modelType) != std::end(kEncoders);
    return isEncoder ? "bert" : "gpt2";
}

} // namespace remat
