// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/plan_table.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/chain/stage_script.h"
#include "core/model/names.h"

namespace remat {

namespace {

std::string tokensPerSecond(const Plan& plan)
{
    const TrainingSetup& setup = plan.setup();
    const double tokens = static_cast<double>(setup.batch) * static_cast<double>(setup.sequence)
        * static_cast<double>(setup.microBatches);
    const double seconds = static_cast<double>(plan.prediction.stepTime(setup).value) / 1e9;
    return seconds > 0 ? formatThreeDigits(tokens / seconds) : "unbounded";
}

} // namespace

std::vector<StageDecision> decisions(const Plan& plan)
{
    std::vector<StageDecision> result;
    const std::vector<int> forwards = forwardCounts(plan.schedule, plan.keep.size());
    for (std::size_t s = 0; s < plan.keep.size(); ++s) {
        const StageFacts facts = plan.step->factsOf(static_cast<int>(s));
        const StageInstance& stage = plan.step->tape.stages[s];
        const StageScript script = buildStageScript(facts.tape, facts.flow, plan.keep[s], facts.gradientsInBase);
        StageDecision decision{.stage = stage.name, .module = stage.module};
        decision.keepSet = keepSetName(facts.tape, plan.keep[s]);
        for (const int t : script.savedTensors) {
            decision.kept.push_back(facts.tape.tensors[static_cast<std::size_t>(t)].name);
            decision.keptBytes += facts.tape.tensors[static_cast<std::size_t>(t)].bytes;
        }
        decision.forwards = forwards[s];
        decision.recomputeTime = (forwards[s] - 1) * plan.step->chain.stages[s].forwardTime;
        for (const ScriptStep& step : script.backward)
            if (step.isRerun) {
                decision.recomputed.push_back(facts.tape.ops[static_cast<std::size_t>(step.op)].name);
                decision.recomputeTime += facts.times[static_cast<std::size_t>(step.op)].forward;
            }
        result.push_back(std::move(decision));
    }
    return result;
}

std::string verdict(const Plan& plan)
{
    const Prediction& p = plan.prediction;
    const Device& device = plan.device;
    std::string text = "peak " + formatBytes(p.peak);
    if (plan.budget && (plan.fitsDevice() || !plan.fits()))
        text = (plan.fits() ? "fits: " : "does not fit: ") + text + " of " + formatBytes(*plan.budget);
    if (!plan.fitsDevice()) {
        const std::string held = " + context " + formatBytes(device.context) + " of " + formatBytes(device.memory);
        if (!plan.fits())
            text += ", nor the " + std::string(deviceNoun(device)) + " (" + formatBytes(p.peak) + held + ")";
        else
            text = (plan.budget ? "fits the budget, not the " : "does not fit the ") + std::string(deviceNoun(device))
                + ": " + text + held;
    }
    return text + ", " + formatPercent(plan.extraTime()) + " time";
}

Table decisionTable(const Plan& plan)
{
    const std::vector<StageDecision> all = decisions(plan);
    Table table{{"stage", "keeps", "recomputes", "recompute time"}, {}};
    const auto layerOf = [&](std::size_t s) { return plan.step->tape.stages[s].layer; };
    for (std::size_t first = 0; first < all.size();) {
        std::size_t end = first + 1;
        while (end < all.size() && layerOf(first) >= 0 && layerOf(end) >= 0 && all[end].keepSet == all[first].keepSet
            && all[end].forwards == all[first].forwards)
            ++end;
        const StageDecision& decision = all[first];
        const std::string name = end - first == 1
            ? decision.stage
            : "layers " + std::to_string(layerOf(first)) + " to " + std::to_string(layerOf(end - 1));
        const std::string each = end - first == 1 ? "" : " each";
        std::vector<std::string> again = decision.recomputed;
        if (decision.forwards > 1)
            again.insert(again.begin(), "its forward (" + std::to_string(decision.forwards) + " times in all)");
        table.rows.push_back({name, formatBytes(decision.keptBytes) + each,
            again.empty() ? "nothing" : joined(again, ", "), formatDuration(decision.recomputeTime) + each});
        first = end;
    }
    return table;
}

Table figureTable(const Plan& plan)
{
    const Prediction& p = plan.prediction;
    const TrainingSetup& setup = plan.setup();
    Table table{{"figure", "value"},
        {{"peak", formatBytes(p.peak)}, {"peak reached in", englishText(p.peakAt)},
            {"saved at the end of forward", formatBytes(p.saved)}, {"base", formatBytes(p.base)},
            {"on the device, context included", formatBytes(p.device)},
            {"forward and backward", formatDuration(p.time)},
            {"of that recomputation", formatDuration(p.overhead) + " (" + std::to_string(p.reruns) + " reruns)"},
            {"optimizer", formatDuration(p.optimizer)}, {"step", formatDuration(p.stepTime(setup))},
            {"tokens per second", tokensPerSecond(plan)}, {"attention", std::string(toName(setup.attention))},
            {"head chunks", std::to_string(setup.headChunks)}}};
    if (setup.profile == Profile::Article)
        table.rows.resize(table.rows.size() - 2);
    return table;
}

Table stageTable(const Plan& plan)
{
    Table table{{"stage", "module", "keep_set", "kept_bytes", "kept", "forwards", "recomputed", "recompute_ns"}, {}};
    for (const StageDecision& decision : decisions(plan))
        table.rows.push_back({decision.stage, decision.module, decision.keepSet,
            std::to_string(decision.keptBytes.value), joined(decision.kept, " "), std::to_string(decision.forwards),
            joined(decision.recomputed, " "), std::to_string(decision.recomputeTime.value)});
    return table;
}

std::string planCsv(const Plan& plan)
{
    return toCsv(stageTable(plan));
}

std::string planMarkdown(const Plan& plan)
{
    const TrainingSetup& setup = plan.setup();
    return "# Recomputation plan of " + plan.shape().name + "\n\n" + "Batch " + std::to_string(setup.batch)
        + ", sequence " + std::to_string(setup.sequence) + ", profile " + std::string(toName(setup.profile))
        + ", device " + plan.device.name + ", strategy " + toName(plan.strategy) + ": **" + verdict(plan) + "**.\n\n"
        + toMarkdown(figureTable(plan)) + "\n" + toMarkdown(decisionTable(plan));
}

} // namespace remat
