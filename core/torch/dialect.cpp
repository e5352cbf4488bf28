// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/dialect.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace remat::torch {

namespace {

struct Row {
    std::string_view modelType;
    Dialect dialect;
};

constexpr Dialect bertLike()
{
    Dialect d;
    d.eager = EagerForm::Model;
    d.hasOutputModules = true;
    return d;
}
constexpr Dialect gpt2()
{
    Dialect d;
    d.qkv = QkvLayout::Columns;
    d.eager = EagerForm::Model;
    d.dropout = DropoutPlace::Module;
    d.copiesContext = false;
    d.placesBeforeMask = true;
    d.keepsBranchOutput = true;
    d.attentionTail = "attn.resid_dropout";
    d.ffnTail = "mlp.dropout";
    return d;
}
constexpr Dialect opt()
{
    Dialect d;
    d.eager = EagerForm::Scaled;
    d.flattensFfn = true;
    return d;
}
constexpr Dialect gptNeox()
{
    Dialect d;
    d.qkv = QkvLayout::HeadChunks;
    d.rotary = RotaryForm::PartialTogether;
    return d;
}
constexpr Dialect phi()
{
    Dialect d;
    d.rotary = RotaryForm::PartialTogether;
    d.keepsTurnedParts = true;
    return d;
}
constexpr Dialect phi3()
{
    Dialect d;
    d.qkv = QkvLayout::Slices;
    d.rotary = RotaryForm::PartialInLine;
    return d;
}
constexpr Dialect starcoder2()
{
    Dialect d;
    d.dropout = DropoutPlace::Module;
    d.attentionTail = "self_attn.residual_dropout";
    d.ffnTail = "mlp.residual_dropout";
    return d;
}
constexpr Dialect olmo2()
{
    Dialect d;
    d.rotary = RotaryForm::HalvesInFloat;
    d.castsNormResult = true;
    return d;
}
constexpr Dialect gptj()
{
    Dialect d;
    d.rotary = RotaryForm::EveryTwo;
    d.eager = EagerForm::FloatProducts;
    d.dropout = DropoutPlace::Module;
    d.hasPositionTable = true;
    d.attentionTail = "attn.resid_dropout";
    d.ffnTail = "mlp.dropout";
    return d;
}
constexpr Dialect gptNeo()
{
    Dialect d;
    d.eager = EagerForm::GptNeo;
    d.dropout = DropoutPlace::Module;
    d.keepsBranchOutput = true;
    d.attentionTail = "attn.attention.resid_dropout";
    d.ffnTail = "mlp.dropout";
    return d;
}
constexpr Dialect bloom()
{
    Dialect d;
    d.qkv = QkvLayout::HeadSlots;
    d.eager = EagerForm::Bloom;
    return d;
}
constexpr Dialect falcon()
{
    Dialect d;
    d.qkv = QkvLayout::FalconGroups;
    d.eager = EagerForm::Falcon;
    return d;
}
constexpr Dialect distilbert()
{
    Dialect d;
    d.lossModule = "mlm_loss_fct";
    d.eager = EagerForm::Model;
    d.dropout = DropoutPlace::Module;
    d.ffnTail = "ffn.dropout";
    return d;
}
constexpr Dialect gemma3()
{
    Dialect d;
    d.hasTwoRotaryTables = true;
    return d;
}
constexpr Dialect t5()
{
    Dialect d;
    d.eager = EagerForm::Model;
    d.copiesNormInput = true;
    return d;
}

constexpr Row kRows[] = {
    {"bert", bertLike()},
    {"roberta", bertLike()},
    {"electra", bertLike()},
    {"distilbert", distilbert()},
    {"falcon", falcon()},
    {"gpt_neo", gptNeo()},
    {"bloom", bloom()},
    {"gptj", gptj()},
    {"gpt2", gpt2()},
    {"gemma3_text", gemma3()},
    {"opt", opt()},
    {"gpt_neox", gptNeox()},
    {"phi", phi()},
    {"phi3", phi3()},
    {"starcoder2", starcoder2()},
    {"olmo2", olmo2()},
    {"t5", t5()},
};

} // namespace

/// Types without a row are written as LLaMA is.
Dialect dialectOf(const ModelShape& shape)
{
    const auto row = std::find_if(
        std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.modelType == shape.modelType; });
    return row == std::end(kRows) ? Dialect{} : row->dialect;
}

} // namespace remat::torch
