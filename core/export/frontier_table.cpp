// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/frontier_table.h"

#include "core/base/format_units.h"
#include "core/model/names.h"

namespace remat {

Table frontierTable(const Study& study)
{
    Table table{{"peak_bytes", "time_ns", "overhead_ns", "reruns", "attention", "head_chunks"}, {}};
    for (const StudyPoint& point : study.points()) {
        const TrainingSetup& setup = study.setupOf(point);
        table.rows.push_back({std::to_string(point.cost.peak.value), std::to_string(point.cost.time.value),
            std::to_string((point.cost.time - study.keepAllTime()).value), std::to_string(point.cost.reruns),
            std::string(toName(setup.attention)), std::to_string(setup.headChunks)});
    }
    return table;
}

Table frontierTextTable(const Study& study)
{
    Table table{{"peak", "forward and backward", "extra time", "reruns", "attention", "head chunks"}, {}};
    for (const StudyPoint& point : study.points()) {
        const TrainingSetup& setup = study.setupOf(point);
        table.rows.push_back({formatBytes(point.cost.peak), formatDuration(point.cost.time),
            formatPercent(study.extraTimeOf(point)), std::to_string(point.cost.reruns),
            std::string(toName(setup.attention)), std::to_string(setup.headChunks)});
    }
    return table;
}

Table comparisonTable(const std::vector<ComparedStrategy>& strategies)
{
    Table table{{"strategy", "fits", "peak", "step", "extra time", "reruns", "why not"}, {}};
    for (const ComparedStrategy& row : strategies) {
        if (row.plan) {
            const Prediction& p = row.plan->prediction;
            table.rows.push_back({toName(row.strategy), row.plan->fits() ? "yes" : "no", formatBytes(p.peak),
                formatDuration(p.stepTime(row.plan->setup())), formatPercent(row.plan->extraTime()),
                std::to_string(p.reruns), ""});
        } else {
            table.rows.push_back({toName(row.strategy), "no", "", "", "", "", englishText(*row.problem)});
        }
    }
    return table;
}

} // namespace remat
