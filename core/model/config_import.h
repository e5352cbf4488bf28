// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

/// A model that came from a Hugging Face config.json, with what the reader had to decide itself.
struct ImportedModel {
    ModelShape shape;           ///< passes validateShape()
    std::vector<Message> notes; ///< one per default that was used and per key that was set but changes nothing here
};

/// Reads a Hugging Face config.json of any supported model_type (rows: core/model/family_rows.h).
///
/// A missing or null key takes the default of transformers' config class (v5.24), and each such default is noted; where
/// the class gives null a meaning, null is a value: as many key/value heads as heads, width / heads, no window, no
/// soft-cap.  Encoders become their ...ForMaskedLM, decoders ...ForCausalLM, vit and deit ...ForImageClassification, t5
/// T5ForConditionalGeneration; another class in `architectures` is noted.  Of a model of several parts that is not
/// supported as a whole, the text part (`text_config`) is read, and that is noted.  Keys that the training step does
/// not depend on are skipped.  A scaling of rotary positions changes angles, not memory or time: it is noted, the plain
/// angles are used.
/// Errors (exit code 3), each with file, key and remedy: no JSON; another model_type, with the nearest supported one;
/// keys that change the architecture (cross attention, a decoding BERT, relative positions, an unknown activation,
/// ...); two names of one size that disagree; values that are no numbers or out of bounds; heads that do not divide the
/// width.
Result<ImportedModel> importConfig(std::string_view text, const std::string& file);

/// The same for a file; the shape is named after the file ("gpt2.config.json" is gpt2), or after its folder when the
/// file is just called config.json.
Result<ImportedModel> importConfigFile(const std::string& path);

} // namespace remat
