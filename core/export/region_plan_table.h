// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/export/table.h"
#include "core/regions/region_plan.h"

namespace remat {

/// "fits: peak 3.44 GiB of 3.50 GiB, +3.4 % time"; "fits the budget, not the card: ..."; without a budget "peak 3.44
/// GiB,
/// ...".
std::string verdict(const RegionPlan& plan);

/// Every figure of a prediction with its unit.  For people.
Table predictionTable(const RegionPrediction& prediction, std::int64_t microBatches);
/// What each layer does, layers in a row that run alike in one row.  For people.
Table layerTable(const RegionPlan& plan);

/// Exports of a plan of the profile pytorch: one row a layer in whole bytes and nanoseconds as CSV; verdict, figures
/// and layers as Markdown.  The CSV simulates the step twice, with the plan and without.
std::string planCsv(const RegionPlan& plan);
std::string planMarkdown(const RegionPlan& plan);

} // namespace remat
