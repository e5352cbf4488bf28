// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/regions/region_options.h"
#include "core/regions/region_request.h"

namespace remat {

/// Whether exact keep-sets are planned for a model.  Not for T5, whose layers share position biases that the first one
/// makes, nor for experts, whose ops are not noted.
bool hasExactOptions(const ModelShape& shape);

/// Keep-sets of one layer (core/torch/exact_layer.h) that are worth a simulation, "keep" first: two greedy walks over
/// the layer's ops, one that drops from everything what frees most bytes for each nanosecond of ops that run again, one
/// that keeps from nothing what spares most nanoseconds for each byte, and of their sets those that no other one beats
/// in bytes and time.  At most kMostKeepSets.  O(ops^3), a millisecond.
inline constexpr std::size_t kMostKeepSets = 64;
std::vector<RegionOption> exactOptions(const RegionRequest& request, std::size_t layer);

/// The name of an exact option, "exact, keeping 12 ops (3.44 MiB)"; nothing where a name in `kept` is no op of the
/// layer or a value that backward never reads.
std::optional<std::string> exactName(
    const RegionRequest& request, std::size_t layer, const std::vector<std::string>& kept);

} // namespace remat
