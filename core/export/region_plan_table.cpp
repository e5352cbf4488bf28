// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/region_plan_table.h"

#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/regions/cut_step.h"
#include "core/regions/region_plan_file.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

/// What runs again for a layer.
Nanoseconds againOf(const torch::TorchStep& step, const CutStep& cut, int layer, const Device& device)
{
    Nanoseconds time;
    for (std::size_t i = 0; i < step.events.size(); ++i)
        if (step.events[i].phase == torch::Phase::Recompute && cut.stageOf(i) == layer)
            time += timeOf(step.events[i], device);
    return time;
}

} // namespace

std::string verdict(const RegionPlan& plan)
{
    const std::string peak = "peak " + formatBytes(plan.prediction.peak);
    const std::string extra = ", " + formatPercent(plan.extraTime()) + " time";
    if (!plan.budget)
        return peak + extra;
    const char* fit = !plan.fits() ? "does not fit: "
        : plan.fitsDevice()        ? "fits: "
                                   : "fits the budget, not the card: ";
    return fit + peak + " of " + formatBytes(*plan.budget) + extra;
}

Table predictionTable(const RegionPrediction& p, std::int64_t microBatches)
{
    Table table{{"figure", "value", ""}, {}};
    const auto add = [&table](const char* name, const std::string& value, const std::string& remark = "") {
        table.rows.push_back({name, value, remark});
    };
    add("saved for backward", formatBytes(p.saved),
        p.weightCasts.value > 0 ? "of it weight casts " + formatBytes(p.weightCasts) : "");
    add("peak allocated", formatBytes(p.peak), placeText(p.peakAt));
    add("  of forward", formatBytes(p.forwardPeak));
    add("  of backward", formatBytes(p.backwardPeak));
    if (p.optimizerPeak.value > 0)
        add("  of the optimizer step", formatBytes(p.optimizerPeak));
    add("reserved", formatBytes(p.reserved), "with fragmentation up to " + formatBytes(p.reservedMost));
    add("on the device", formatBytes(p.device), "with the driver's context");
    add("base", formatBytes(p.base),
        "weights " + formatBytes(p.parameters) + ", optimizer " + formatBytes(p.optimizer));
    add("attention", p.attention);
    add("time of a step", formatDuration(p.stepTime(microBatches)), "by roofline");
    add("recomputation", formatDuration(p.overhead));
    add("FLOPs forward", formatFlops(p.forward));
    add("FLOPs backward", formatFlops(p.backward));
    add("FLOPs run again", formatFlops(p.recompute));
    return table;
}

Table layerTable(const RegionPlan& plan)
{
    Table table{{"layers", "way"}, {}};
    for (std::size_t first = 0; first < plan.options.size();) {
        std::size_t last = first;
        while (last + 1 < plan.options.size() && plan.options[last + 1] == plan.options[first])
            ++last;
        table.rows.push_back({first == last ? "layer " + std::to_string(first)
                                            : "layers " + std::to_string(first) + " to " + std::to_string(last),
            plan.options[first]});
        first = last + 1;
    }
    return table;
}

std::string planCsv(const RegionPlan& plan)
{
    torch::TorchSetup setup = plan.request.setup;
    setup.microBatches = 1;
    const torch::TorchStep planned = torch::simulateTorchStep(plan.request.shape, setup);
    setup.layers.clear();
    const torch::TorchStep keepAll = torch::simulateTorchStep(plan.request.shape, setup);
    const CutStep cut(planned, plan.request.shape), cutAll(keepAll, plan.request.shape);
    const Device device = atPrecision(plan.request.device, setup);
    Table table{{"layer", "module", "option", "keep", "kept_bytes", "all_bytes", "recompute_ns"}, {}};
    for (std::size_t i = 0; i < plan.options.size(); ++i) {
        const auto layer = static_cast<int>(i);
        const torch::LayerRegions& own = plan.request.setup.layers[i];
        table.rows.push_back({std::to_string(i), torch::layerPath(plan.request.shape, i), plan.options[i],
            joined(own.isExact ? own.kept : own.saved, " "), std::to_string(cut.savedOf(layer).value),
            std::to_string(cutAll.savedOf(layer).value), std::to_string(againOf(planned, cut, layer, device).value)});
    }
    return toCsv(table);
}

std::string planMarkdown(const RegionPlan& plan)
{
    const torch::TorchSetup& setup = plan.request.setup;
    return "# Recomputation plan of " + plan.request.shape.name + "\n\n" + "Batch " + std::to_string(setup.batch)
        + ", sequence " + std::to_string(setup.sequence) + ", profile pytorch, " + toName(setup.precision) + ", device "
        + plan.request.device.name + ", strategy " + toName(plan.strategy) + ", realized as "
        + toName(plan.request.realization()) + ": **" + verdict(plan) + "**.\n\n"
        + toMarkdown(predictionTable(plan.prediction, setup.microBatches)) + "\n" + toMarkdown(layerTable(plan));
}

} // namespace remat
