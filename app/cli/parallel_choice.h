// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/arguments.h"
#include "core/export/table.h"
#include "core/paper/parallelism.h"

namespace remat::cli {

/// What --tp --sp --pp --dp --zero say; validate() judges it.
Parallelism readParallelism(const SetupArguments& setup);

/// The error of the first of these flags that was given, in a profile that describes one GPU.
std::optional<Error> refuseParallel(const SetupArguments& setup);

/// "tensor parallel 8 with sequence parallel, 2 pipeline stages, 4 data parallel with ZeRO 1: 64 GPUs"
std::string parallelText(const Parallelism& parallelism);

nlohmann::json toJson(const Parallelism& parallelism);
nlohmann::json toJson(const RankBytes& rank);

/// A row for each rank that differs from others.
Table rankTable(const std::vector<RankBytes>& ranks);

} // namespace remat::cli
