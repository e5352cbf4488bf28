// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_own_keys.h"
#include "core/model/family_rows.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr SizeKey kLlamaSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
// MixtralConfig.attribute_map
constexpr SizeKey kMixtralSizes[] = {
    kLlamaSizes[0],
    kLlamaSizes[1],
    kLlamaSizes[2],
    kLlamaSizes[3],
    kLlamaSizes[4],
    {"num_local_experts", "num_experts", &ModelShape::experts, "experts", kMaxExperts},
    {"num_experts_per_tok", nullptr, &ModelShape::expertsPerToken, "experts_per_token", kMaxExperts},
};
constexpr DropoutKey kLlamaDropouts[] = {{"attention_dropout", "dropout.attention", {&Dropouts::attention}}};
constexpr DropoutKey kPhi3Dropouts[] = {
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
    {"resid_pdrop", "dropout.residual", {&Dropouts::residual}},
};
constexpr FlagKey kAttentionBias[] = {{"attention_bias", {&ModelShape::hasQkvBias, &ModelShape::hasAttentionOutBias}}};
constexpr FlagKey kLlamaBiases[] = {kAttentionBias[0], {"mlp_bias", {&ModelShape::hasFfnBias}}};
constexpr NumberKey kSoftcaps[] = {
    {"attn_logit_softcapping", &ModelShape::attentionSoftcap},
    {"final_logit_softcapping", &ModelShape::finalSoftcap},
};
// Gemma3TextConfig has the scores' cap from Gemma 2, and its modelling code does not read it.
constexpr NumberKey kGemma3Softcaps[] = {kSoftcaps[1]};
constexpr IgnoredKey kGemma3Ignored[] = {kOutputsIgnored[0], kOutputsIgnored[1], {"attn_logit_softcapping", "null"}};
constexpr FixedKey kGemmaFixed[]
    = {kUsualFixed[0], kUsualFixed[1], kUsualFixed[2], {"use_bidirectional_attention", "false"}};
// Slices of the products over tensor-parallel ranks change nothing on one device.
constexpr IgnoredKey kLlamaIgnored[]
    = {{"pretraining_tp", "1"}, {"output_attentions", "false"}, {"output_hidden_states", "false"}};
// Phi3Model has no dropout behind the tokens, though its config has the key.
constexpr IgnoredKey kPhi3Ignored[]
    = {{"embd_pdrop", "0.0"}, {"output_attentions", "false"}, {"output_hidden_states", "false"}};

/// LlamaConfig; the others differ in sizes and what they add.
ModelShape llamaShape(const char* modelType, std::int64_t ffn, std::int64_t vocabulary, std::int64_t maxPositions)
{
    ModelShape shape;
    shape.modelType = modelType;
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    shape.ffn = ffn;
    shape.vocabulary = vocabulary;
    shape.maxPositions = maxPositions;
    shape.norm = NormKind::RmsNorm;
    shape.positions = PositionKind::Rotary;
    shape.activation = Activation::Silu;
    shape.ffnKind = FfnKind::Gated;
    shape.hasTiedHead = false;
    shape.hasQkvBias = false;
    shape.hasAttentionOutBias = false;
    shape.hasFfnBias = false;
    shape.normEpsilon = 1e-6;
    return shape;
}

Family llamaFamily(ModelShape defaults, std::string_view modelClass, const AttentionKeys& attention)
{
    const std::int64_t ffn = defaults.ffn;
    return {.defaults = std::move(defaults),
        .modelClass = modelClass,
        .sizes = kLlamaSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = ffn,
        .dropouts = kLlamaDropouts,
        .attention = attention,
        .activationKey = "hidden_act",
        .epsilonKey = "rms_norm_eps",
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored};
}

Family llama()
{
    Family family = llamaFamily(llamaShape("llama", 11008, 32000, 2048), "LlamaForCausalLM",
        {.groups = "num_key_value_heads", .headWidth = "head_dim"});
    family.flags = kLlamaBiases;
    family.ignored = kLlamaIgnored;
    family.isInRuntime = true;
    return family;
}

Family mistral()
{
    Family family = llamaFamily(llamaShape("mistral", 14336, 32000, 131072), "MistralForCausalLM",
        {.groups = "num_key_value_heads",
            .groupsDefault = 8,
            .headWidth = "head_dim",
            .window = "sliding_window",
            .windowDefault = 4096});
    family.isInRuntime = true;
    return family;
}

Family mixtral()
{
    ModelShape shape = llamaShape("mixtral", 14336, 32000, 131072);
    shape.normEpsilon = 1e-5;
    shape.rotaryBase = 1e6;
    shape.experts = 8;
    shape.expertsPerToken = 2;
    Family family = llamaFamily(std::move(shape), "MixtralForCausalLM",
        {.groups = "num_key_value_heads", .groupsDefault = 8, .headWidth = "head_dim", .window = "sliding_window"});
    family.sizes = kMixtralSizes;
    family.readOwnKeys = readMixtralKeys;
    return family;
}

constexpr AttentionKeys kQwenAttention{.groups = "num_key_value_heads",
    .groupsDefault = 32,
    .headWidth = "head_dim",
    .window = "sliding_window",
    .windowDefault = 4096,
    .windowSwitch = "use_sliding_window",
    .windowLayers = WindowLayers::FromDepth};

Family qwen2()
{
    ModelShape shape = llamaShape("qwen2", 22016, 151936, 32768);
    shape.hasQkvBias = true;
    Family family = llamaFamily(std::move(shape), "Qwen2ForCausalLM", kQwenAttention);
    family.isInRuntime = true;
    return family;
}

Family qwen3()
{
    ModelShape shape = llamaShape("qwen3", 22016, 151936, 32768);
    shape.qkNorm = QkNorm::Head;
    AttentionKeys attention = kQwenAttention;
    attention.headWidthDefault = 128;
    Family family = llamaFamily(std::move(shape), "Qwen3ForCausalLM", attention);
    family.flags = kAttentionBias;
    return family;
}

Family olmo2()
{
    ModelShape shape = llamaShape("olmo2", 11008, 50304, 2048);
    shape.normPlace = NormPlace::Branch;
    shape.qkNorm = QkNorm::Width;
    shape.normEpsilon = 1e-5;
    Family family = llamaFamily(std::move(shape), "Olmo2ForCausalLM",
        {.groups = "num_key_value_heads", .headWidth = "head_dim", .isHeadWidthOwnKey = false});
    family.flags = kAttentionBias;
    return family;
}

Family phi3()
{
    ModelShape shape = llamaShape("phi3", 8192, 32064, 4096);
    shape.hidden = 3072;
    shape.hasFusedQkv = true;
    shape.hasFusedGate = true;
    shape.normEpsilon = 1e-5;
    Family family = llamaFamily(std::move(shape), "Phi3ForCausalLM",
        {.groups = "num_key_value_heads",
            .headWidth = "head_dim",
            .isHeadWidthOwnKey = false,
            .window = "sliding_window"});
    family.dropouts = kPhi3Dropouts;
    family.rotary.part = "partial_rotary_factor";
    family.ignored = kPhi3Ignored;
    return family;
}

ModelShape gemmaShape(const char* modelType, std::int64_t ffn, std::int64_t vocabulary, std::int64_t maxPositions)
{
    ModelShape shape = llamaShape(modelType, ffn, vocabulary, maxPositions);
    shape.norm = NormKind::RmsNormPlusOne;
    shape.activation = Activation::GeluTanh;
    shape.hasScaledEmbedding = true;
    shape.hasTiedHead = true;
    return shape;
}

Family gemma()
{
    ModelShape shape = gemmaShape("gemma", 24576, 256000, 8192);
    shape.layers = 28;
    shape.hidden = 3072;
    shape.heads = 16;
    Family family = llamaFamily(std::move(shape), "GemmaForCausalLM",
        {.groups = "num_key_value_heads",
            .groupsDefault = 16,
            .isNullGroupsAsHeads = false,
            .headWidth = "head_dim",
            .headWidthDefault = 256});
    family.flags = kAttentionBias;
    family.fixed = kGemmaFixed;
    family.readOwnKeys = readGemmaKeys;
    return family;
}

/// Gemma 2 and 3 put norms before and behind each branch and take the scale of queries from a key.
Family laterGemma(ModelShape shape, std::string_view modelClass, WindowLayers windowLayers)
{
    shape.layers = 26;
    shape.hidden = 2304;
    shape.heads = 8;
    shape.normPlace = NormPlace::Sandwich;
    Family family = llamaFamily(std::move(shape), modelClass,
        {.groups = "num_key_value_heads",
            .groupsDefault = 4,
            .isNullGroupsAsHeads = false,
            .headWidth = "head_dim",
            .headWidthDefault = 256,
            .window = "sliding_window",
            .windowDefault = 4096,
            .windowLayers = windowLayers});
    family.activationKey = "hidden_activation";
    family.flags = kAttentionBias;
    family.numbers = kSoftcaps;
    family.fixed = kGemmaFixed;
    family.readOwnKeys = readLaterGemmaKeys;
    return family;
}

Family gemma2()
{
    ModelShape shape = gemmaShape("gemma2", 9216, 256000, 8192);
    shape.attentionSoftcap = 50;
    shape.finalSoftcap = 30;
    return laterGemma(std::move(shape), "Gemma2ForCausalLM", WindowLayers::EveryOther);
}

Family gemma3()
{
    ModelShape shape = gemmaShape("gemma3_text", 9216, 262208, 131072);
    shape.qkNorm = QkNorm::Head;
    shape.rotaryBase = 1e6;
    Family family = laterGemma(std::move(shape), "Gemma3ForCausalLM", WindowLayers::FiveOfSix);
    family.numbers = kGemma3Softcaps;
    family.ignored = kGemma3Ignored;
    family.rotary.isPerLayerKind = true;
    return family;
}

} // namespace

std::vector<Family> llamaFamilies()
{
    return {llama(), mistral(), mixtral(), qwen2(), qwen3(), olmo2(), phi3(), gemma(), gemma2(), gemma3()};
}

} // namespace remat
