// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/export/table.h"
#include "core/plan/plan.h"

namespace remat {

/// What one stage of a plan does, as names.
struct StageDecision {
    std::string stage, module;
    std::string keepSet;                 ///< keepSetName()
    std::vector<std::string> kept;       ///< tensors held until backward
    std::vector<std::string> recomputed; ///< ops that run again inside the backward, in their order
    int forwards = 1;                    ///< how often the whole stage runs forward
    Bytes keptBytes;
    Nanoseconds recomputeTime; ///< of those ops, and of forwards beyond the first
};

std::vector<StageDecision> decisions(const Plan& plan);

/// "fits: peak 3.44 GiB of 3.50 GiB, +3.4 % time"; "does not fit: ...", and without a budget "peak 3.44 GiB, ...".
/// What the device cannot hold never reads as "fits": "fits the budget, not the card: peak 24.0 GiB + context 512 MiB
/// of 23.6 GiB, ...".
std::string verdict(const Plan& plan);

/// The decisions with runs of layers that decide alike in one row, "layers 0 to 5", with the figures of
/// "each" of them.  For people.
Table decisionTable(const Plan& plan);
/// Every figure of the prediction with its unit.  For people.
Table figureTable(const Plan& plan);
/// One row a stage, whole bytes and nanoseconds.  For scripts.
Table stageTable(const Plan& plan);

/// Exports of a plan: the stage table as CSV; verdict, figures and decisions as Markdown.
std::string planCsv(const Plan& plan);
std::string planMarkdown(const Plan& plan);

} // namespace remat
