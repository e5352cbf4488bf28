// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "core/model/config_import.h"

namespace remat::cli {

/// What describe says of a model whose training step no profile describes: every weight and buffer by name and shape,
/// and their counts.
Answer describeWeights(const ImportedModel& model, bool isJson);

} // namespace remat::cli
