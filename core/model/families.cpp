// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/families.h"

#include <algorithm>
#include <array>
#include <utility>

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

constexpr SizeKey kLlamaSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
constexpr DropoutKey kLlamaDropouts[] = {{"attention_dropout", "dropout.attention", &Dropouts::attention, nullptr}};
constexpr BiasKey kLlamaBiases[] = {
    {"attention_bias", &ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias},
    {"mlp_bias", &ModelShape::hasFfnBias, nullptr},
};
constexpr AttentionKeys kLlamaAttention{"num_key_value_heads", 0, "head_dim", nullptr, 0, nullptr};
constexpr AttentionKeys kMistralAttention{"num_key_value_heads", 8, "head_dim", "sliding_window", 4096, nullptr};
constexpr AttentionKeys kQwen2Attention{
    "num_key_value_heads", 32, "head_dim", "sliding_window", 4096, "use_sliding_window"};
constexpr FixedKey kLlamaFixed[] = {
    {"is_encoder_decoder", "false"},
    {"partial_rotary_factor", "1.0"},
    {"pruned_heads", "{}"},
    {"quantization_config", "null"},
};
// Slices of the products over tensor-parallel ranks change nothing on one device.
constexpr IgnoredKey kLlamaIgnored[]
    = {{"pretraining_tp", "1"}, {"output_attentions", "false"}, {"output_hidden_states", "false"}};

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
    shape.activationForm = ActivationForm::GeluNew;
    shape.hasFusedQkv = true;
    shape.hasInOutWeights = true;
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
    shape.hasEmbeddingNorm = true;
    shape.hasFinalNorm = false;
    shape.hasHeadBias = true;
    shape.normEpsilon = 1e-12;
    shape.dropout = {0.1, 0.1, 0.1};
    return shape;
}

/// LlamaConfig; those of Mistral and Qwen2 differ in sizes.
ModelShape llamaDefaults()
{
    ModelShape shape;
    shape.modelType = "llama";
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    shape.ffn = 11008;
    shape.vocabulary = 32000;
    shape.maxPositions = 2048;
    shape.normPlace = NormPlace::Pre;
    shape.norm = NormKind::RmsNorm;
    shape.positions = PositionKind::Rotary;
    shape.activation = Activation::Silu;
    shape.ffnKind = FfnKind::Gated;
    shape.head = HeadKind::CausalLm;
    shape.isCausal = true;
    shape.hasTiedHead = false;
    shape.hasQkvBias = false;
    shape.hasAttentionOutBias = false;
    shape.hasFfnBias = false;
    shape.normEpsilon = 1e-6;
    return shape;
}

ModelShape mistralDefaults()
{
    ModelShape shape = llamaDefaults();
    shape.modelType = "mistral";
    shape.ffn = 14336;
    shape.maxPositions = 131072;
    return shape;
}

ModelShape qwen2Defaults()
{
    ModelShape shape = llamaDefaults();
    shape.modelType = "qwen2";
    shape.ffn = 22016;
    shape.vocabulary = 151936;
    shape.maxPositions = 32768;
    shape.hasQkvBias = true;
    return shape;
}

// Class GPT2LMHeadModel of modeling_gpt2.py: the final norm stands in the transformer, the head beside it.
constexpr const char* kGpt2Qkv[] = {"attn.c_attn"};
constexpr ModulePaths kGpt2Modules{"transformer", "transformer.h.", "", "wte", "wpe", "", "", "ln_1", "ln_2", kGpt2Qkv,
    "attn.c_proj", "", "mlp.c_fc", "mlp.c_proj", "", "transformer.ln_f", "lm_head"};
// Class BertForMaskedLM of modeling_bert.py.
constexpr const char* kBertQkv[] = {"attention.self.query", "attention.self.key", "attention.self.value"};
constexpr ModulePaths kBertModules{"bert.embeddings", "bert.encoder.layer.", "cls.predictions", "word_embeddings",
    "position_embeddings", "token_type_embeddings", "LayerNorm", "attention.output.LayerNorm", "output.LayerNorm",
    kBertQkv, "attention.output.dense", "", "intermediate.dense", "output.dense", "transform.dense",
    "transform.LayerNorm", "decoder"};

// Class LlamaForCausalLM of modeling_llama.py; modeling_mistral.py and modeling_qwen2.py name theirs alike.
constexpr const char* kLlamaQkv[] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
constexpr ModulePaths kLlamaModules{"model", "model.layers.", "", "embed_tokens", "", "", "", "input_layernorm",
    "post_attention_layernorm", kLlamaQkv, "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj", "",
    "model.norm", "lm_head"};

/// model_types that are decoders with learned positions or layer norms and an ungated FFN, as GPT-2.
constexpr std::string_view kGpt2Like[] = {"bloom", "codegen", "ctrl", "falcon", "gpt_bigcode", "gpt_neo", "gpt_neox",
    "gptj", "mpt", "openai-gpt", "opt", "phi", "t5", "xglm"};

/// model_types whose blocks look both ways, as BERT's do; every other one is nearer to LLaMA.
constexpr std::string_view kEncoders[]
    = {"albert", "beit", "camembert", "clip_vision_model", "convbert", "data2vec-text", "deberta", "deberta-v2", "deit",
        "dinov2", "distilbert", "electra", "ernie", "flaubert", "layoutlm", "mobilebert", "modernbert", "mpnet",
        "nomic_bert", "roberta", "siglip_vision_model", "squeezebert", "vit", "wav2vec2", "xlm", "xlm-roberta"};

/// A family of LLaMA's layers, keys and module names; what a class adds is given.
Family llamaFamily(
    ModelShape defaults, std::span<const BiasKey> biases, const AttentionKeys& attention, std::string_view modelClass)
{
    const std::int64_t ffn = defaults.ffn;
    return {std::move(defaults), kLlamaSizes, "intermediate_size", ffn, kLlamaDropouts, biases, attention, "hidden_act",
        "rms_norm_eps", kLlamaFixed, kLlamaIgnored, modelClass, kLlamaModules, true};
}

} // namespace

std::span<const Family> families()
{
    static const std::array<Family, 5> kFamilies{{
        {bertDefaults(), kBertSizes, "intermediate_size", 3072, kBertDropouts, {}, {}, "hidden_act", "layer_norm_eps",
            kBertFixed, kBertIgnored, "BertForMaskedLM", kBertModules, true},
        {gpt2Defaults(), kGpt2Sizes, "n_inner", 0, kGpt2Dropouts, {}, {}, "activation_function", "layer_norm_epsilon",
            kGpt2Fixed, kGpt2Ignored, "GPT2LMHeadModel", kGpt2Modules, true},
        llamaFamily(llamaDefaults(), kLlamaBiases, kLlamaAttention, "LlamaForCausalLM"),
        llamaFamily(mistralDefaults(), {}, kMistralAttention, "MistralForCausalLM"),
        llamaFamily(qwen2Defaults(), {}, kQwen2Attention, "Qwen2ForCausalLM"),
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

std::string runtimeModelTypes()
{
    std::string list;
    for (const Family& family : families())
        if (family.isInRuntime)
            list += (list.empty() ? "" : ", ") + family.defaults.modelType;
    return list;
}

std::string_view nearestModelType(std::string_view modelType)
{
    const auto isOneOf = [&](const auto& types) {
        return std::find(std::begin(types), std::end(types), modelType) != std::end(types);
    };
    return isOneOf(kEncoders) ? "bert" : isOneOf(kGpt2Like) ? "gpt2" : "llama";
}

} // namespace remat
