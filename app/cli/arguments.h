// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace remat::cli {

enum class Verb {
    Help,
    Version,
    Models,
    Devices,
    Describe,
    Plan,
    Frontier,
    Compare,
    MaxBatch,
    Explain,
    Chain,
    Solve,
    Replay,
    Verify,
    Run,
    Profile,
    Probe,
    Article,
    Export,
    Sweep,
    Reference
};

/// MODEL: a preset or a config.json, and sizes that replace its own.
struct ModelArguments {
    std::optional<std::string> preset, config;
    std::optional<std::int64_t> layers, hidden, heads, keyValueHeads, ffn, vocabulary, maxPositions;
};

/// SETUP: what was given; names are checked by chooseStep().
struct SetupArguments {
    std::optional<std::int64_t> batch, sequence, microBatches, headChunks;
    std::optional<std::string> profile, precision, attention, loss, optimizer, device, variants, costs;
    std::optional<double> dropout;
    bool gradientsResident = false;
    bool masterWeights = false;
    // Of the profile pytorch (app/cli/torch_choice.h).
    std::optional<std::string> dtype, earlyStop;
    bool keepsOutputs = false, hasOldLossShift = false, usesCache = false, isReentrant = false;
    // Of the profiles pytorch and paper (app/cli/parallel_choice.h).
    std::optional<std::int64_t> tensorParallel, pipelineParallel, dataParallel, zeroStage;
    bool isSequenceParallel = false;
};

/// A command line, read but not yet judged: numbers are numbers, names are still text.
struct Arguments {
    Verb verb = Verb::Help;
    std::string helpText; ///< of Help
    bool isJson = false;
    ModelArguments model;
    SetupArguments setup;
    std::vector<std::string> files; ///< plan.json; CHAIN.json SCHEDULE.json

    std::optional<std::string> budget, strategy, out, to, realization, mode, machine, launch;
    std::vector<std::string> pins;
    bool isExact = false;
    bool isCsv = false;
    bool listsSchedules = false;
    bool searchesExhaustively = false;
    std::optional<std::int64_t> steps, threads, seed;
    // Of sweep.
    std::optional<std::string> part;
    std::optional<std::int64_t> parts;
    bool writesJobs = false, gathers = false;
    bool checksGradients = false, enforcesBudget = false;
};

/// Reads a command line (docs/command-line.md).  Every mistake is an error with exit code 2: an unknown
/// verb or flag, a missing or repeated value, what is no number, and what only a later release has.
Result<Arguments> parseArguments(int count, const char* const* values);

/// Whether --json stands anywhere: also a command line that cannot be read is answered in JSON then.
bool wantsJson(int count, const char* const* values);

} // namespace remat::cli
