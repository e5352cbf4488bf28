// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_own_keys.h"
#include "core/model/family_rows.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

// T5Config.attribute_map
constexpr SizeKey kT5Sizes[] = {
    {"num_layers", "num_hidden_layers", &ModelShape::layers, "layers", kMaxLayers},
    {"d_model", "hidden_size", &ModelShape::hidden, "hidden", kMaxWidth},
    {"num_heads", "num_attention_heads", &ModelShape::heads, "heads", kMaxWidth},
    {"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", kMaxVocabulary},
    {"relative_attention_num_buckets", nullptr, &ModelShape::relativeBuckets, "relative_buckets", kMaxVocabulary},
};
constexpr DropoutKey kT5Dropouts[]
    = {{"dropout_rate", "dropout.residual", {&Dropouts::residual, &Dropouts::embedding, &Dropouts::attention}}};
constexpr FixedKey kT5Fixed[] = {
    {"is_encoder_decoder", "true"},
    {"is_decoder", "false"},
    {"pruned_heads", "{}"},
    {"quantization_config", "null"},
};

/// Norms without bias before each branch, no scale of queries times keys, one table for both stacks and the head.
Family t5()
{
    ModelShape shape;
    shape.modelType = "t5";
    shape.layers = 6;
    shape.decoderLayers = 6;
    shape.hidden = 512;
    shape.heads = 8;
    shape.ffn = 2048;
    shape.vocabulary = 32128;
    shape.maxPositions = kMaxPositions;
    shape.norm = NormKind::RmsNorm;
    shape.normEpsilon = 1e-6;
    shape.positions = PositionKind::RelativeBias;
    shape.relativeBuckets = 32;
    shape.queryScale = 1;
    shape.activation = Activation::Relu;
    shape.hasQkvBias = shape.hasAttentionOutBias = shape.hasFfnBias = false;
    shape.head = HeadKind::SeqToSeqLm;
    shape.hasScaledHeadInput = true;
    shape.dropout = {0.1, 0.1, 0.1};
    shape.hasInnerDropouts = true;
    return {.defaults = std::move(shape),
        .modelClass = "T5ForConditionalGeneration",
        .sizes = kT5Sizes,
        .ffnKey = "d_ff",
        .ffnDefault = 2048,
        .dropouts = kT5Dropouts,
        .attention = {.headWidth = "d_kv", .headWidthDefault = 64},
        .epsilonKey = "layer_norm_epsilon",
        .hasTieKey = false,
        .fixed = kT5Fixed,
        .ignored = kOutputsIgnored,
        .readOwnKeys = readT5Keys};
}

} // namespace

std::vector<Family> otherFamilies()
{
    return {t5()};
}

} // namespace remat
