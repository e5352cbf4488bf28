// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/plan/variant_offers.h"

namespace remat::cli {

/// "attention sdpa, 4 head chunks", in the words of the flags.
std::string variantText(const TrainingSetup& setup);

/// What the planner's choice of variants buys against the first offer: "variants: use 4 head chunks and recompute 2
/// layers fewer, −3.1 % of a step".  Empty without offers.
std::string variantSentence(const std::vector<VariantOffer>& offers);

/// Every offer in a row, for people.  Empty without offers.
std::string variantTable(const std::vector<VariantOffer>& offers);

/// "attention", "loss", "head_chunks" of a setup; none in the article profile, which knows none of them.
nlohmann::json variantJson(const TrainingSetup& setup);

/// A list with of each offer its variants, "chosen", "fits", and where it fits "peak_bytes", "time_ns",
/// "recomputing_layers"; null without offers.
nlohmann::json variantsJson(const std::vector<VariantOffer>& offers);

} // namespace remat::cli
