// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_regions.h"

#include <nlohmann/json.hpp>

#include "app/cli/table_export.h"
#include "core/export/pytorch_module.h"
#include "core/export/region_heading.h"
#include "core/export/region_realization.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

constexpr MessageCode kOtherRealization{"export-other-realization",
    REMAT_TR("The plan is realized as regions, and its figures are of those."),
    REMAT_TR("Leave --realization out, or make an exact plan.")};
constexpr MessageCode kOtherTarget{"export-target-of-other-profiles",
    REMAT_TR("A plan of the profile pytorch becomes a PyTorch module, not {0}."),
    REMAT_TR("Use --to pytorch, or read the plan file: it names the regions of each layer.")};

} // namespace

Result<Answer> exportRegions(const Arguments& arguments, const std::string& text, TorchRealization::Kind kind)
{
    const std::string& file = arguments.files[0];
    if (*arguments.to != "pytorch")
        return Error{&kOtherTarget, file, {*arguments.to}};
    if (kind != TorchRealization::Kind::Regions)
        return Error{&kOtherRealization, file, {}};
    const Result<RegionPlan> plan = parseRegionPlan(text, file);
    if (!plan)
        return plan.error();
    const Result<TorchRealization> realization = realizationOf(plan->request.shape, plan->request.setup);
    if (!realization)
        return realization.error();
    return exportAnswer(arguments, pytorchModule(*realization, headingOf(*plan, *realization)),
        {{"realization", toJson(*realization)}, {"peak_bytes", plan->prediction.peak.value},
            {"saved_bytes", plan->prediction.saved.value}, {"fits", plan->fits()}});
}

} // namespace remat::cli
