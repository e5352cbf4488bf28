// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_regions.h"

#include <nlohmann/json.hpp>

#include "app/cli/table_export.h"
#include "core/export/pytorch_module.h"
#include "core/export/region_heading.h"
#include "core/export/region_plan_table.h"
#include "core/export/region_realization.h"
#include "core/export/region_settings.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

constexpr MessageCode kOtherRealization{"export-other-realization",
    REMAT_TR("The plan's realization is {0}, and its figures are of that; it is not exported as {1}."),
    REMAT_TR("Leave --realization out, or plan anew, with or without --exact.")};
Result<Answer> settingsAnswer(const Arguments& arguments, const RegionPlan& plan, Trainer trainer)
{
    const RegionSettings settings = nearestSettings(plan, trainer);
    const std::int64_t microBatches = plan.request.setup.microBatches;
    const RegionPrediction &theirs = settings.prediction, &own = plan.prediction;
    const Nanoseconds step = theirs.stepTime(microBatches);
    return exportAnswer(arguments, settings.text,
        {{"fits", settings.fits}, {"peak_bytes", theirs.peak.value}, {"step_ns", step.value},
            {"peak_difference_bytes", (theirs.peak - own.peak).value},
            {"step_difference_ns", (step - own.stepTime(microBatches)).value}});
}

} // namespace

Result<Answer> exportRegions(
    const Arguments& arguments, const std::string& text, std::optional<TorchRealization::Kind> kind)
{
    const std::string& file = arguments.files[0];
    const Result<RegionPlan> plan = parseRegionPlan(text, file);
    if (!plan)
        return plan.error();
    if (kind && kind != plan->request.realization())
        return Error{&kOtherRealization, file, {toName(plan->request.realization()), toName(*kind)}};
    const std::string& to = *arguments.to;
    if (to == "megatron" || to == "torchtitan")
        return settingsAnswer(arguments, *plan, to == "megatron" ? Trainer::Megatron : Trainer::Torchtitan);
    if (to != "pytorch")
        return exportAnswer(arguments, to == "csv" ? planCsv(*plan) : planMarkdown(*plan));
    const Result<TorchRealization> realization
        = realizationOf(plan->request.shape, plan->request.setup, plan->request.realization());
    if (!realization)
        return realization.error();
    return exportAnswer(arguments, pytorchModule(*realization, headingOf(*plan, *realization)),
        {{"realization", toJson(*realization)}, {"peak_bytes", plan->prediction.peak.value},
            {"saved_bytes", plan->prediction.saved.value}, {"fits", plan->fits()}});
}

} // namespace remat::cli
