// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/region_heading.h"

#include "core/base/format_units.h"
#include "core/regions/region_plan_file.h"

namespace remat {

std::vector<std::string> headingOf(const RegionPlan& plan, const TorchRealization& realization)
{
    const RegionRequest& request = plan.request;
    const RegionPrediction& p = plan.prediction;
    return {"What " + request.shape.name + " recomputes in training: batch " + std::to_string(request.setup.batch)
            + ", sequence " + std::to_string(request.setup.sequence) + ", " + toName(request.setup.precision)
            + ", attention " + p.attention + ", strategy " + toName(plan.strategy) + ", planned by RematScope for "
            + request.device.name + ".",
        "Use: import this file and call apply(model) on a " + realization.modelClass
            + " of Hugging Face before it is wrapped or compiled; remove() of what it returns takes it back."
            + (request.isExact ? " Eager mode alone, one backward for each forward, in the planned precision." : ""),
        "Predicted by simulating this very step: peak " + formatBytes(p.peak)
            + (plan.budget ? " of " + formatBytes(*plan.budget) : "") + " allocated, " + formatBytes(p.saved)
            + " saved at the end of forward, " + formatPercent(plan.extraTime())
            + " time. The caching allocator and the driver's context take more: " + formatBytes(p.device) + " and up."};
}

} // namespace remat
