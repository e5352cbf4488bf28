// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/phase_times.h"

namespace remat {

namespace {

std::optional<PhaseTimes> phasesOf(const std::vector<StageTime>& stages, std::int64_t microBatches)
{
    if (stages.empty())
        return std::nullopt;
    PhaseTimes phases;
    for (const StageTime& stage : stages) {
        (&stage == &stages.back() ? phases.loss : phases.forward) += microBatches * stage.forward;
        phases.rerun += microBatches * stage.rerun;
        phases.backward += microBatches * stage.backward;
    }
    return phases;
}

} // namespace

std::optional<PhaseTimes> measuredPhases(const RunReport& report)
{
    std::optional<PhaseTimes> phases = phasesOf(report.stages, report.setup.microBatches);
    if (phases)
        phases->optimizer = report.time.optimizer;
    return phases;
}

std::optional<PhaseTimes> predictedPhases(const RunReport& report)
{
    std::optional<PhaseTimes> phases = phasesOf(report.predictedStages, report.setup.microBatches);
    if (!phases || !report.time.predicted)
        return std::nullopt;
    // The predicted step has nothing between its ops.
    phases->optimizer = *report.time.predicted - phases->forward - phases->loss - phases->rerun - phases->backward;
    return phases;
}

} // namespace remat
