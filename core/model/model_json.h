// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

class JsonCursor;

inline constexpr std::string_view kModelFormat = "remat-model";
inline constexpr std::int64_t kModelVersion = 1;

/// A shape as preset, plan and document files hold it: every field, snake_case keys, no format key.
///
///   {"name": "gpt2", "model_type": "gpt2", "layers": 12, "hidden": 768, "heads": 12, "key_value_heads": 12,
///    "head_width": 64, "ffn": 3072, "vocabulary": 50257, "max_positions": 1024, "token_types": 0,
///    "norm_place": "pre", "norm": "layer_norm", "positions": "learned", "rotary_base": 10000.0, "sliding_window": 0,
///    "activation": "gelu_tanh", "ffn_kind": "plain", "qkv_bias": true, "attention_out_bias": true, "ffn_bias": true,
///    "head": "causal_lm", "causal": true, "tied_head": true, "norm_epsilon": 1e-05,
///    "dropout": {"embedding": 0.1, "attention": 0.1, "residual": 0.1}, ...}
///
/// and the further features of ModelShape under names of the same kind (docs/file-formats.md).
nlohmann::json toJson(const ModelShape& shape);

/// The shape at `at`; mistakes are recorded there.  The sizes "layers", "hidden", "heads", "vocabulary" and
/// "max_positions" are required.  "ffn" may be absent for 4 x hidden, "key_value_heads" for as many as heads,
/// "head_width" for hidden / heads, "dropout", "token_types" and "sliding_window" for none, and the features for those
/// of the model_type.  The shape of a cursor that has not failed passes validateShape().
ModelShape readModelShape(const JsonCursor& at);

/// A preset file: toJson() with format "remat-model" and version 1.  `where` names the file in errors.
Result<ModelShape> parseModelFile(std::string_view text, const std::string& where);
std::string modelFileText(const ModelShape& shape);

} // namespace remat
