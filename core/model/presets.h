// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

/// The models that can be picked by name, and what is wrong with files of the person's own.
struct PresetCatalog {
    std::vector<ModelShape> shapes; ///< by family, then by size
    std::vector<Error> problems;    ///< one per file that could not be read; the other presets are still there
};

/// Every built-in preset (resources/presets), with those of configurationFolder/presets/*.json
/// (core/model/model_json.h) added, or in place of the built-in one of the same name.  An empty folder name means
/// built-in ones alone.
///
///   PresetCatalog catalog = presets(configurationFolder);
PresetCatalog presets(const std::string& configurationFolder = {});

/// The preset of that name.
/// Errors: an unknown name, with the nearest known ones (exit code 2); the person's own file for it is broken (3).
Result<ModelShape> findPreset(const std::string& name, const std::string& configurationFolder = {});

} // namespace remat
