// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/runtime_shapes.h"

#include <string>
#include <utility>

#include "core/model/families.h"

namespace remat {

namespace {

constexpr MessageCode kTypeNotInRuntime{"model-type-not-in-runtime",
    REMAT_TR("The executor of the runtime profile does not run models of type \"{0}\"."),
    REMAT_TR("Use --profile pytorch, or a model of type {1}.")};
constexpr MessageCode kFeatureNotInRuntime{"feature-not-in-runtime",
    REMAT_TR("The executor of the runtime profile has no {0}."),
    REMAT_TR("Use a model of type {1} with that type's own features.")};

} // namespace

std::optional<Error> runtimeLacks(const ModelShape& shape)
{
    const Family* family = findFamily(shape.modelType);
    if (family && !family->isInRuntime)
        return Error{&kTypeNotInRuntime, "profile", {shape.modelType, runtimeModelTypes()}};
    const std::pair<bool, const char*> features[] = {
        {shape.decoderLayers > 0, "decoder_layers"},
        {shape.image.isGiven(), "image"},
        {shape.normPlace != NormPlace::Pre && shape.normPlace != NormPlace::Post, "norm_place"},
        {shape.norm == NormKind::RmsNormPlusOne, "norm"},
        {!shape.hasNormWeights, "norm_weights"},
        {shape.block != BlockKind::Serial, "block"},
        {shape.hasNormedResidual, "normed_residual"},
        {shape.positions != PositionKind::Learned && shape.positions != PositionKind::Rotary, "positions"},
        {shape.positionOffset > 0, "position_offset"},
        {shape.rotaryWidth > 0 && shape.rotaryWidth != shape.headWidth(), "rotary_width"},
        {shape.qkNorm != QkNorm::None, "qk_norm"},
        {shape.queryScale > 0, "query_scale"},
        {shape.attentionSoftcap > 0, "attention_softcap"},
        {shape.activation == Activation::QuickGelu, "activation"},
        {shape.headActivation.value_or(shape.activation) != shape.activation, "head_activation"},
        {shape.experts > 0, "experts"},
        {shape.hasEmbeddingProjection(), "embedding_width"},
        {shape.hasScaledEmbedding, "scaled_embedding"},
        {shape.hasFinalNorm != (shape.head == HeadKind::CausalLm), "final_norm"},
        {shape.hasHeadBias != (shape.head == HeadKind::MaskedLm), "head_bias"},
        {shape.hasScaledHeadInput, "scaled_head_input"},
        {shape.finalSoftcap > 0, "final_softcap"},
        {shape.attentionBranchDropout != BranchDropout::Residual, "attention_branch_dropout"},
        {shape.hasInnerDropouts, "inner_dropouts"},
    };
    for (const auto& [isOther, key] : features)
        if (isOther)
            return Error{&kFeatureNotInRuntime, "profile", {std::string(key), runtimeModelTypes()}};
    return std::nullopt;
}

} // namespace remat
