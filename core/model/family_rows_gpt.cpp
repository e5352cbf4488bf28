// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_own_keys.h"
#include "core/model/family_rows.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

// The names of the classes' attribute_map are aliases; n_ctx is the older name of n_positions.
constexpr SizeKey kGpt2Sizes[] = {
    {"n_layer", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"n_embd", "hidden_size", &ModelShape::hidden, "hidden", kMaxWidth},
    {"n_head", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"n_positions", "max_position_embeddings", &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
constexpr SizeKey kGptNeoSizes[] = {
    {"num_layers", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_heads", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
constexpr SizeKey kPlainSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
// n_embed is the older name that BloomConfig and FalconConfig still prefer.
constexpr SizeKey kBloomSizes[] = {
    {"n_layer", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", "n_embed", &ModelShape::hidden, "hidden", kMaxWidth},
    {"n_head", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
};
constexpr SizeKey kFalconSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", "n_embed", &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};

constexpr DropoutKey kGpt2Dropouts[] = {
    {"embd_pdrop", "dropout.embedding", {&Dropouts::embedding}},
    {"attn_pdrop", "dropout.attention", {&Dropouts::attention}},
    {"resid_pdrop", "dropout.residual", {&Dropouts::residual}},
};
constexpr DropoutKey kGptNeoDropouts[] = {
    {"embed_dropout", "dropout.embedding", {&Dropouts::embedding}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
    {"resid_dropout", "dropout.residual", {&Dropouts::residual}},
};
constexpr DropoutKey kGptNeoxDropouts[] = {
    {"hidden_dropout", "dropout.residual", {&Dropouts::residual, &Dropouts::embedding}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
};
constexpr DropoutKey kBloomDropouts[] = {
    {"hidden_dropout", "dropout.residual", {&Dropouts::residual}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
};
constexpr DropoutKey kOptDropouts[] = {
    {"dropout", "dropout.residual", {&Dropouts::residual}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
};
constexpr DropoutKey kPhiDropouts[] = {
    {"embd_pdrop", "dropout.embedding", {&Dropouts::embedding}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
    {"resid_pdrop", "dropout.residual", {&Dropouts::residual}},
};
constexpr DropoutKey kStarcoder2Dropouts[] = {
    {"embedding_dropout", "dropout.embedding", {&Dropouts::embedding}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
    {"residual_dropout", "dropout.residual", {&Dropouts::residual}},
};

constexpr FlagKey kAllBiases[]
    = {{"bias", {&ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias, &ModelShape::hasFfnBias}}};
constexpr FlagKey kStarcoder2Flags[]
    = {{"use_bias", {&ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias, &ModelShape::hasFfnBias}}};
constexpr FlagKey kOptFlags[] = {
    {"enable_bias", {&ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias, &ModelShape::hasFfnBias}},
    {"layer_norm_elementwise_affine", {&ModelShape::hasNormWeights}},
};
constexpr FlagKey kGptNeoxFlags[] = {{"attention_bias", {&ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias}}};
constexpr FlagKey kBloomFlags[] = {{"apply_residual_connection_post_layernorm", {&ModelShape::hasNormedResidual}}};

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
// Slices of the products over tensor-parallel ranks change nothing on one device.
constexpr IgnoredKey kBloomIgnored[] = {{"pretraining_tp", "1"}, {"slow_but_exact", "false"},
    {"output_attentions", "false"}, {"output_hidden_states", "false"}};

ModelShape sized(const char* modelType, std::int64_t layers, std::int64_t hidden, std::int64_t heads,
    std::int64_t vocabulary, std::int64_t maxPositions)
{
    ModelShape shape;
    shape.modelType = modelType;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.ffn = 4 * hidden;
    shape.vocabulary = vocabulary;
    shape.maxPositions = maxPositions;
    return shape;
}

Family gpt2()
{
    ModelShape shape = sized("gpt2", 12, 768, 12, 50257, 1024);
    shape.activation = Activation::GeluTanh;
    shape.activationForm = ActivationForm::GeluNew;
    shape.hasFusedQkv = true;
    shape.hasInOutWeights = true;
    shape.dropout = {0.1, 0.1, 0.1};
    return {.defaults = std::move(shape),
        .modelClass = "GPT2LMHeadModel",
        .sizes = kGpt2Sizes,
        .ffnKey = "n_inner",
        .dropouts = kGpt2Dropouts,
        .activationKey = "activation_function",
        .epsilonKey = "layer_norm_epsilon",
        .fixed = kGpt2Fixed,
        .ignored = kGpt2Ignored,
        .isInRuntime = true};
}

/// Queries times keys are not scaled, and every other layer sees a window.
Family gptNeo()
{
    ModelShape shape = sized("gpt_neo", 24, 2048, 16, 50257, 2048);
    shape.activation = Activation::GeluTanh;
    shape.activationForm = ActivationForm::GeluNew;
    shape.hasQkvBias = false;
    shape.queryScale = 1;
    shape.slidingWindow = 256;
    shape.windowPattern = "fs";
    return {.defaults = std::move(shape),
        .modelClass = "GPTNeoForCausalLM",
        .sizes = kGptNeoSizes,
        .ffnKey = "intermediate_size",
        .dropouts = kGptNeoDropouts,
        .activationKey = "activation_function",
        .epsilonKey = "layer_norm_epsilon",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readGptNeoKeys};
}

Family gptj()
{
    ModelShape shape = sized("gptj", 28, 4096, 16, 50400, 2048);
    shape.block = BlockKind::Parallel;
    shape.positions = PositionKind::Rotary;
    shape.rotaryWidth = 64;
    shape.activation = Activation::GeluTanh;
    shape.activationForm = ActivationForm::GeluNew;
    shape.hasQkvBias = shape.hasAttentionOutBias = false;
    shape.hasTiedHead = false;
    shape.hasHeadBias = true;
    return {.defaults = std::move(shape),
        .modelClass = "GPTJForCausalLM",
        .sizes = kGpt2Sizes,
        .ffnKey = "n_inner",
        .dropouts = kGpt2Dropouts,
        .rotary = {.base = nullptr},
        .activationKey = "activation_function",
        .epsilonKey = "layer_norm_epsilon",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readGptjKeys};
}

Family gptNeox()
{
    ModelShape shape = sized("gpt_neox", 44, 6144, 64, 50432, 2048);
    shape.block = BlockKind::ParallelTwoNorms;
    shape.positions = PositionKind::Rotary;
    shape.hasFusedQkv = true;
    shape.hasTiedHead = false;
    return {.defaults = std::move(shape),
        .modelClass = "GPTNeoXForCausalLM",
        .sizes = kPlainSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = 24576,
        .dropouts = kGptNeoxDropouts,
        .flags = kGptNeoxFlags,
        .rotary = {.base = "rotary_emb_base", .part = "rotary_pct", .partDefault = 0.25},
        .activationKey = "hidden_act",
        .epsilonKey = "layer_norm_eps",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readGptNeoxKeys};
}

Family opt()
{
    ModelShape shape = sized("opt", 12, 768, 12, 50272, 2048);
    shape.positionOffset = 2;
    shape.activation = Activation::Relu;
    shape.dropout = {.residual = 0.1};
    return {.defaults = std::move(shape),
        .modelClass = "OPTForCausalLM",
        .sizes = kPlainSizes,
        .ffnKey = "ffn_dim",
        .ffnDefault = 3072,
        .dropouts = kOptDropouts,
        .flags = kOptFlags,
        .activationKey = "activation_function",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readOptKeys};
}

Family bloom()
{
    ModelShape shape = sized("bloom", 2, 64, 8, 250880, kMaxPositions);
    shape.positions = PositionKind::Alibi;
    shape.hasEmbeddingNorm = true;
    shape.hasFusedQkv = true;
    shape.activation = Activation::GeluTanh;
    shape.activationForm = ActivationForm::BloomGelu;
    return {.defaults = std::move(shape),
        .modelClass = "BloomForCausalLM",
        .sizes = kBloomSizes,
        .dropouts = kBloomDropouts,
        .flags = kBloomFlags,
        .epsilonKey = "layer_norm_epsilon",
        .fixed = kUsualFixed,
        .ignored = kBloomIgnored};
}

Family falcon()
{
    ModelShape shape = sized("falcon", 32, 4544, 71, 65024, 2048);
    shape.block = BlockKind::Parallel;
    shape.positions = PositionKind::Rotary;
    shape.keyValueHeads = 1;
    shape.hasFusedQkv = true;
    shape.hasQkvBias = shape.hasAttentionOutBias = shape.hasFfnBias = false;
    shape.attentionBranchDropout = BranchDropout::None;
    return {.defaults = std::move(shape),
        .modelClass = "FalconForCausalLM",
        .sizes = kFalconSizes,
        .ffnKey = "ffn_hidden_size",
        .dropouts = kBloomDropouts,
        .flags = kAllBiases,
        .activationKey = "activation",
        .epsilonKey = "layer_norm_epsilon",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readFalconKeys};
}

Family phi()
{
    ModelShape shape = sized("phi", 24, 2048, 32, 51200, 2048);
    shape.block = BlockKind::Parallel;
    shape.positions = PositionKind::Rotary;
    shape.activation = Activation::GeluTanh;
    shape.activationForm = ActivationForm::GeluNew;
    shape.hasTiedHead = false;
    shape.hasHeadBias = true;
    return {.defaults = std::move(shape),
        .modelClass = "PhiForCausalLM",
        .sizes = kPlainSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = 8192,
        .dropouts = kPhiDropouts,
        .attention = {.groups = "num_key_value_heads", .headWidth = "head_dim", .isHeadWidthOwnKey = false},
        .rotary = {.part = "partial_rotary_factor", .partDefault = 0.5},
        .activationKey = "hidden_act",
        .epsilonKey = "layer_norm_eps",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readPhiKeys};
}

Family starcoder2()
{
    ModelShape shape = sized("starcoder2", 30, 3072, 24, 49152, 4096);
    shape.positions = PositionKind::Rotary;
    shape.activation = Activation::GeluTanh;
    return {.defaults = std::move(shape),
        .modelClass = "Starcoder2ForCausalLM",
        .sizes = kPlainSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = 12288,
        .dropouts = kStarcoder2Dropouts,
        .flags = kStarcoder2Flags,
        .attention = {.groups = "num_key_value_heads",
            .groupsDefault = 2,
            .isNullGroupsAsHeads = false,
            .headWidth = "head_dim",
            .isHeadWidthOwnKey = false,
            .window = "sliding_window"},
        .activationKey = "hidden_act",
        .epsilonKey = "norm_epsilon",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored};
}

} // namespace

std::vector<Family> gptFamilies()
{
    return {gpt2(), gptNeo(), gptj(), gptNeox(), opt(), bloom(), falcon(), phi(), starcoder2()};
}

} // namespace remat
