// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace remat {

/// One file that describes a preset or a device.
struct CatalogFile {
    std::string where; ///< the path, or "built-in presets/gpt2.json"
    std::string stem;  ///< the file's name without .json: "gpt2"
    std::string text;
};

/// The files of one kind, and those of the person that could not be read.
struct CatalogFiles {
    std::vector<CatalogFile> files; ///< built-in ones first; later ones override earlier ones by the name inside them
    std::vector<Error> problems;
};

/// The most files of one kind that are read from the person's folder.
inline constexpr std::size_t kMaxCatalogFiles = 1000;

/// Every built-in file of `kind` ("presets", "devices") and every *.json of configurationFolder/kind, each sorted by
/// name.  An empty configurationFolder means none; a folder that does not exist is no error.
CatalogFiles catalogFiles(const std::string& kind, const std::string& configurationFolder);

/// Those of configurationFolder/kind alone: for whoever keeps what the built-in files say, which never changes.
CatalogFiles ownFiles(const std::string& kind, const std::string& configurationFolder);

} // namespace remat
