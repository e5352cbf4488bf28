// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/model/config_import.h"
#include "core/model/families.h"

namespace remat {

class JsonCursor;

/// Reads the keys of one family from a parsed config.json; the shape gets this name.  Mistakes are recorded at `root`;
/// without any, the shape passes validateShape().
ImportedModel readConfig(const JsonCursor& root, const Family& family, const std::string& name);

} // namespace remat
