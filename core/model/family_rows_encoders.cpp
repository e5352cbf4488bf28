// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_keys.h"
#include "core/model/config_own_keys.h"
#include "core/model/family_rows.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr SizeKey kBertSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
    {"type_vocab_size", nullptr, &ModelShape::tokenTypes, "token_types", kMaxVocabulary},
};
constexpr DropoutKey kBertDropouts[] = {
    {"hidden_dropout_prob", "dropout.embedding", {&Dropouts::embedding, &Dropouts::residual}},
    {"attention_probs_dropout_prob", "dropout.attention", {&Dropouts::attention}},
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

// DistilBertConfig.attribute_map
constexpr SizeKey kDistilBertSizes[] = {
    {"n_layers", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"dim", "hidden_size", &ModelShape::hidden, "hidden", kMaxWidth},
    {"n_heads", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"max_position_embeddings", nullptr, &ModelShape::maxPositions, "max_positions", kMaxPositions},
};
constexpr DropoutKey kDistilBertDropouts[] = {
    {"dropout", "dropout.embedding", {&Dropouts::embedding, &Dropouts::residual}},
    {"attention_dropout", "dropout.attention", {&Dropouts::attention}},
};
constexpr FixedKey kDistilBertFixed[] = {
    {"chunk_size_feed_forward", "0"},
    {"is_encoder_decoder", "false"},
    {"pruned_heads", "{}"},
    {"quantization_config", "null"},
};
// Sinusoidal positions are the table's first values; it is trained all the same.
constexpr IgnoredKey kDistilBertIgnored[]
    = {{"sinusoidal_pos_embds", "false"}, {"output_attentions", "false"}, {"output_hidden_states", "false"}};

constexpr SizeKey kVitSizes[] = {
    {"num_hidden_layers", nullptr, &ModelShape::layers, "layers", kMaxLayers},
    {"hidden_size", nullptr, &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_attention_heads", nullptr, &ModelShape::heads, "heads", kMaxWidth},
};
constexpr FlagKey kVitFlags[] = {{"qkv_bias", {&ModelShape::hasQkvBias}}};

ModelShape bertShape()
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
    shape.head = HeadKind::MaskedLm;
    shape.isCausal = false;
    shape.hasEmbeddingNorm = true;
    shape.hasFinalNorm = false;
    shape.hasHeadBias = true;
    shape.normEpsilon = 1e-12;
    shape.dropout = {0.1, 0.1, 0.1};
    return shape;
}

Family bertFamily(ModelShape defaults, std::string_view modelClass)
{
    const std::int64_t ffn = defaults.ffn;
    return {.defaults = std::move(defaults),
        .modelClass = modelClass,
        .sizes = kBertSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = ffn,
        .dropouts = kBertDropouts,
        .activationKey = "hidden_act",
        .epsilonKey = "layer_norm_eps",
        .fixed = kBertFixed,
        .ignored = kOutputsIgnored};
}

Family bert()
{
    Family family = bertFamily(bertShape(), "BertForMaskedLM");
    family.isInRuntime = true;
    return family;
}

/// RobertaLMHead and ElectraGeneratorPredictions apply GELU whatever hidden_act says.
Family roberta()
{
    ModelShape shape = bertShape();
    shape.modelType = "roberta";
    shape.vocabulary = 50265;
    shape.headActivation = Activation::Gelu;
    Family family = bertFamily(std::move(shape), "RobertaForMaskedLM");
    family.readOwnKeys = readRobertaKeys;
    return family;
}

Family electra()
{
    ModelShape shape = bertShape();
    shape.modelType = "electra";
    shape.hidden = 256;
    shape.heads = 4;
    shape.ffn = 1024;
    shape.ownEmbeddingWidth = 128;
    shape.headActivation = Activation::Gelu;
    Family family = bertFamily(std::move(shape), "ElectraForMaskedLM");
    family.readOwnKeys = readElectraKeys;
    return family;
}

Family distilBert()
{
    ModelShape shape = bertShape();
    shape.modelType = "distilbert";
    shape.layers = 6;
    shape.tokenTypes = 0;
    shape.attentionBranchDropout = BranchDropout::None;
    return {.defaults = std::move(shape),
        .modelClass = "DistilBertForMaskedLM",
        .sizes = kDistilBertSizes,
        .ffnKey = "hidden_dim",
        .ffnDefault = 3072,
        .dropouts = kDistilBertDropouts,
        .activationKey = "activation",
        .fixed = kDistilBertFixed,
        .ignored = kDistilBertIgnored};
}

Family imageFamily(const char* modelType, std::string_view modelClass, std::int64_t extraTokens)
{
    ModelShape shape;
    shape.modelType = modelType;
    shape.layers = 12;
    shape.hidden = 768;
    shape.heads = 12;
    shape.ffn = 3072;
    shape.image = {224, 224, 16, 16, 3, extraTokens};
    shape.maxPositions = shape.image.tokens();
    shape.head = HeadKind::ImageClassifier;
    shape.isCausal = false;
    shape.hasTiedHead = false;
    shape.hasHeadBias = true;
    shape.labels = 2;
    shape.normEpsilon = 1e-12;
    return {.defaults = std::move(shape),
        .modelClass = modelClass,
        .sizes = kVitSizes,
        .ffnKey = "intermediate_size",
        .ffnDefault = 3072,
        .dropouts = kBertDropouts,
        .flags = kVitFlags,
        .attention = {.headWidth = "head_dim", .isHeadWidthOwnKey = false},
        .activationKey = "hidden_act",
        .epsilonKey = "layer_norm_eps",
        .hasTieKey = false,
        .fixed = kUsualFixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readImageKeys};
}

} // namespace

std::vector<Family> encoderFamilies()
{
    return {bert(), roberta(), electra(), distilBert(), imageFamily("vit", "ViTForImageClassification", 1),
        imageFamily("deit", "DeiTForImageClassification", 2)};
}

} // namespace remat
