// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/families.h"

#include <algorithm>
#include <vector>

#include "core/model/family_rows.h"

namespace remat {

namespace {

struct Nearest {
    std::string_view modelType;
    std::string_view nearest;
};

/// Types that are not supported and what their blocks are most like.
constexpr Nearest kNearest[] = {
    // Encoders of text
    {"albert", "bert"},
    {"camembert", "roberta"},
    {"convbert", "bert"},
    {"data2vec-text", "roberta"},
    {"deberta", "bert"},
    {"deberta-v2", "bert"},
    {"ernie", "bert"},
    {"flaubert", "bert"},
    {"layoutlm", "bert"},
    {"longformer", "roberta"},
    {"mobilebert", "bert"},
    {"modernbert", "bert"},
    {"mpnet", "bert"},
    {"nomic_bert", "bert"},
    {"roformer", "bert"},
    {"squeezebert", "bert"},
    {"xlm", "bert"},
    {"xlm-roberta", "roberta"},
    {"xlm-roberta-xl", "roberta"},
    {"xmod", "roberta"},
    // Encoders of images and sound
    {"beit", "vit"},
    {"clip", "vit"},
    {"clip_vision_model", "vit"},
    {"data2vec-vision", "vit"},
    {"dinov2", "vit"},
    {"hubert", "vit"},
    {"ijepa", "vit"},
    {"siglip", "vit"},
    {"siglip_vision_model", "vit"},
    {"vit_mae", "vit"},
    {"vit_msn", "vit"},
    {"vivit", "vit"},
    {"wav2vec2", "vit"},
    {"yolos", "vit"},
    // An encoder and a decoder
    {"bart", "t5"},
    {"bigbird_pegasus", "t5"},
    {"blenderbot", "t5"},
    {"led", "t5"},
    {"longt5", "t5"},
    {"m2m_100", "t5"},
    {"marian", "t5"},
    {"mbart", "t5"},
    {"moonshine", "t5"},
    {"mt5", "t5"},
    {"pegasus", "t5"},
    {"speech_to_text", "t5"},
    {"switch_transformers", "t5"},
    {"udop", "t5"},
    {"umt5", "t5"},
    {"whisper", "t5"},
    // Decoders with learned positions or ungated FFNs
    {"biogpt", "gpt2"},
    {"codegen", "gptj"},
    {"ctrl", "gpt2"},
    {"gpt_bigcode", "gpt2"},
    {"gpt_neox_japanese", "gpt_neox"},
    {"mpt", "bloom"},
    {"openai-gpt", "gpt2"},
    {"persimmon", "phi"},
    {"stablelm", "phi"},
    {"xglm", "opt"},
    // Decoders with experts
    {"dbrx", "mixtral"},
    {"deepseek_v2", "mixtral"},
    {"deepseek_v3", "mixtral"},
    {"gpt_oss", "mixtral"},
    {"granitemoe", "mixtral"},
    {"jetmoe", "mixtral"},
    {"llama4", "mixtral"},
    {"llama4_text", "mixtral"},
    {"olmoe", "mixtral"},
    {"phimoe", "mixtral"},
    {"qwen2_moe", "mixtral"},
    {"qwen3_moe", "mixtral"},
    // Other decoders with gated FFNs
    {"codellama", "llama"},
    {"gemma3", "gemma3_text"},
    {"gemma3n_text", "gemma3_text"},
    {"ministral", "mistral"},
    {"olmo", "olmo2"},
    {"olmo3", "olmo2"},
    {"phi4_multimodal", "phi3"},
    {"qwen2_5_vl", "qwen2"},
    {"qwen2_vl", "qwen2"},
    {"qwen3_vl", "qwen3"},
    {"recurrent_gemma", "gemma"},
    {"vaultgemma", "gemma2"},
};

std::vector<Family> allFamilies()
{
    std::vector<Family> all;
    for (const auto& rows : {encoderFamilies(), gptFamilies(), llamaFamilies(), otherFamilies()})
        all.insert(all.end(), rows.begin(), rows.end());
    std::sort(all.begin(), all.end(),
        [](const Family& a, const Family& b) { return a.defaults.modelType < b.defaults.modelType; });
    return all;
}

template <class Choice> std::string typesWhere(const Choice& isChosen)
{
    std::string list;
    for (const Family& family : families())
        if (isChosen(family))
            list += (list.empty() ? "" : ", ") + family.defaults.modelType;
    return list;
}

} // namespace

std::span<const Family> families()
{
    static const std::vector<Family> kFamilies = allFamilies();
    return kFamilies;
}

const Family* findFamily(std::string_view modelType)
{
    for (const Family& family : families())
        if (family.defaults.modelType == modelType)
            return &family;
    return nullptr;
}

std::string supportedModelTypes()
{
    return typesWhere([](const Family&) { return true; });
}

std::string runtimeModelTypes()
{
    return typesWhere([](const Family& family) { return family.isInRuntime; });
}

std::string_view nearestModelType(std::string_view modelType)
{
    for (const Nearest& known : kNearest)
        if (known.modelType == modelType)
            return known.nearest;
    return "llama";
}

} // namespace remat
