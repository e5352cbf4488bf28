// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/model/families.h"

namespace remat {

// The rows of families(), each file with the families whose keys are alike.  Defaults are those of transformers 5.24's
// configuration_*.py, features those of its modeling_*.py.

std::vector<Family> encoderFamilies(); ///< bert, roberta, electra, distilbert, vit, deit
std::vector<Family> gptFamilies();     ///< gpt2, gpt_neo, gptj, gpt_neox, opt, bloom, falcon, phi, starcoder2
std::vector<Family> llamaFamilies(); ///< llama, mistral, mixtral, qwen2, qwen3, olmo2, phi3, gemma, gemma2, gemma3_text
std::vector<Family> otherFamilies(); ///< t5

// Keys that the FFN's width and the like share across files.

inline constexpr IgnoredKey kOutputsIgnored[] = {{"output_attentions", "false"}, {"output_hidden_states", "false"}};
inline constexpr FixedKey kUsualFixed[]
    = {{"is_encoder_decoder", "false"}, {"pruned_heads", "{}"}, {"quantization_config", "null"}};

} // namespace remat
