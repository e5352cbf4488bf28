// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parallel_choice.h"

#include <nlohmann/json.hpp>

#include "app/cli/given_flags.h"
#include "core/base/format_units.h"

namespace remat::cli {

namespace {

constexpr MessageCode kOneGpu{"flag-only-of-many-gpus",
    REMAT_TR("Only the profiles pytorch and paper divide a step over GPUs."),
    REMAT_TR("Leave it out, or use --profile pytorch or paper."), ExitCode::Usage};

} // namespace

Parallelism readParallelism(const SetupArguments& setup)
{
    return {setup.tensorParallel.value_or(1), setup.isSequenceParallel, setup.pipelineParallel.value_or(1),
        setup.dataParallel.value_or(1), setup.zeroStage.value_or(0)};
}

std::optional<Error> refuseParallel(const SetupArguments& setup)
{
    if (const auto flag = firstGiven(setup, {"--tp", "--sp", "--pp", "--dp", "--zero"}))
        return Error{&kOneGpu, *flag, {}};
    return std::nullopt;
}

std::string parallelText(const Parallelism& parallelism)
{
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (parallelism.tensor > 1)
        add("tensor parallel " + std::to_string(parallelism.tensor)
            + (parallelism.isSequenceParallel ? " with sequence parallel" : ""));
    if (parallelism.pipeline > 1)
        add(std::to_string(parallelism.pipeline) + " pipeline stages");
    if (parallelism.data > 1)
        add("data parallel " + std::to_string(parallelism.data)
            + (parallelism.zeroStage > 0 ? " with ZeRO " + std::to_string(parallelism.zeroStage) : ""));
    return text.empty() ? "1 GPU" : text + ": " + std::to_string(parallelism.ranks()) + " GPUs";
}

nlohmann::json toJson(const Parallelism& parallelism)
{
    return {{"tensor", parallelism.tensor}, {"sequence_parallel", parallelism.isSequenceParallel},
        {"pipeline", parallelism.pipeline}, {"data", parallelism.data}, {"zero", parallelism.zeroStage},
        {"gpus", parallelism.ranks()}};
}

nlohmann::json toJson(const RankBytes& rank)
{
    return {{"stage", rank.stage}, {"layers", rank.layers}, {"micro_batches_in_flight", rank.inFlight},
        {"parameters", rank.parameters}, {"weight_bytes", rank.weights.value}, {"gradient_bytes", rank.gradients.value},
        {"optimizer_bytes", rank.optimizer.value}, {"gathered_bytes", rank.gathered.value},
        {"saved_bytes", rank.saved.value}, {"peak_bytes", rank.peak.value}, {"peak_at", rank.peakAt}};
}

Table rankTable(const std::vector<RankBytes>& ranks)
{
    Table table{
        {"rank of", "layers", "in flight", "weights", "gradients", "optimizer", "gathered", "saved", "peak"}, {}};
    for (const RankBytes& rank : ranks)
        table.rows.push_back({ranks.size() == 1 ? "the model" : "stage " + std::to_string(rank.stage),
            std::to_string(rank.layers), std::to_string(rank.inFlight), formatBytes(rank.weights),
            formatBytes(rank.gradients), formatBytes(rank.optimizer), formatBytes(rank.gathered),
            formatBytes(rank.saved), formatBytes(rank.peak)});
    return table;
}

} // namespace remat::cli
