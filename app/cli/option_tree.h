// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace remat::cli {

/// A verb as the command line writes it.
struct VerbRow {
    Verb verb;
    const char* name;
    const char* description;
};
inline constexpr std::array<VerbRow, 19> kVerbs{{
    {Verb::Models, "models", "List the model presets"},
    {Verb::Devices, "devices", "List the devices"},
    {Verb::Describe, "describe", "Bytes, FLOPs and recompute cost per sublayer and per tensor"},
    {Verb::Plan, "plan", "Decide what to keep and what to recompute under a budget"},
    {Verb::Frontier, "frontier", "Every point of least time over peak memory"},
    {Verb::Compare, "compare", "Every strategy at one budget"},
    {Verb::MaxBatch, "max-batch", "The largest batch that fits a budget, and the fastest"},
    {Verb::Explain, "explain", "Why a plan is as it is: its peak, its decisions, what more budget buys"},
    {Verb::Chain, "chain", "Print the chain file that the planner solves"},
    {Verb::Solve, "solve", "Run the planner on any chain file"},
    {Verb::Replay, "replay", "Replay a schedule on a chain: peak, time and reruns"},
    {Verb::Verify, "verify", "Derive a plan file anew and compare every number"},
    {Verb::Run, "run", "Run a plan's training step for real and measure it"},
    {Verb::Profile, "profile", "Measure what every op of a model takes, as costs to plan with"},
    {Verb::Probe, "probe", "What this machine can run on"},
    {Verb::Article, "article", "The article's claims beside the computed values"},
    {Verb::Export, "export", "A plan as code or settings of a trainer, or as a table"},
    {Verb::Sweep, "sweep", "Plan every point of a grid of models, batches, budgets, strategies, devices"},
    {Verb::Reference, "reference",
        "The manual page, the completion scripts, docs/cli.md, and published figures beside predicted ones"},
}};

/// The parser with every verb and flag, which writes what it reads into `arguments`.
struct OptionTree {
    Arguments arguments;
    bool showsVersion = false;
    std::optional<Error> problem; ///< the first value that is not what its flag takes
    CLI::App app{"Explore, plan and really run activation recomputation in Transformer training", "remat"};

    /// Of every verb, or of the one that the command line names: a tree takes longer to build than to use.
    explicit OptionTree(std::string_view only = {});
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
};

} // namespace remat::cli
