// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parallel_choice.h"

#include <array>

#include <nlohmann/json.hpp>

#include "core/base/format_units.h"

namespace remat::cli {

namespace {

constexpr MessageCode kOneGpu{"flag-only-of-many-gpus",
    REMAT_TR("Only the profiles pytorch and paper divide a step over GPUs."),
    REMAT_TR("Leave it out, or use --profile pytorch or paper."), ExitCode::Usage};

constexpr std::array<std::pair<std::string_view, const char*>, 5> kFlags{{
    {"tensor", "--tp"},
    {"sequence_parallel", "--sp"},
    {"pipeline", "--pp"},
    {"data", "--dp"},
    {"zero", "--zero"},
}};

} // namespace

Parallelism readParallelism(const SetupArguments& setup)
{
    return {setup.tensorParallel.value_or(1), setup.isSequenceParallel, setup.pipelineParallel.value_or(1),
        setup.dataParallel.value_or(1), setup.zeroStage.value_or(0)};
}

std::optional<Error> refuseParallel(const SetupArguments& setup)
{
    const std::array<bool, 5> given{setup.tensorParallel.has_value(), setup.isSequenceParallel,
        setup.pipelineParallel.has_value(), setup.dataParallel.has_value(), setup.zeroStage.has_value()};
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i])
            return Error{&kOneGpu, kFlags[i].second, {}};
    return std::nullopt;
}

Error withParallelFlag(Error error)
{
    for (const auto& [field, flag] : kFlags)
        if (error.where == field)
            error.where = flag;
    return error;
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
