// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/config_keys.h"
#include "core/model/model_shape.h"

namespace remat {

// What only one family's config has (Family::readOwnKeys), each after the class of transformers 5.24 that it is named
// after.  The shape holds what the family's other keys said.

void readRobertaKeys(ConfigKeys& keys, ModelShape& shape);    ///< positions start behind pad_token_id
void readElectraKeys(ConfigKeys& keys, ModelShape& shape);    ///< embedding_size
void readImageKeys(ConfigKeys& keys, ModelShape& shape);      ///< image, patches, channels, labels
void readGptNeoKeys(ConfigKeys& keys, ModelShape& shape);     ///< attention_types, window_size
void readGptjKeys(ConfigKeys& keys, ModelShape& shape);       ///< rotary_dim
void readGptNeoxKeys(ConfigKeys& keys, ModelShape& shape);    ///< use_parallel_residual
void readOptKeys(ConfigKeys& keys, ModelShape& shape);        ///< places of norms, width of the tokens' table
void readFalconKeys(ConfigKeys& keys, ModelShape& shape);     ///< its three architectures, ALiBi, key/value heads
void readPhiKeys(ConfigKeys& keys, ModelShape& shape);        ///< qk_layernorm
void readMixtralKeys(ConfigKeys& keys, ModelShape& shape);    ///< what the router's training adds
void readGemmaKeys(ConfigKeys& keys, ModelShape& shape);      ///< its older name of the activation
void readLaterGemmaKeys(ConfigKeys& keys, ModelShape& shape); ///< query_pre_attn_scalar
void readT5Keys(ConfigKeys& keys, ModelShape& shape);         ///< decoder's layers, kind of FFN

} // namespace remat
