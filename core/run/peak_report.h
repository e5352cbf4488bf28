// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/program/timeline.h"
#include "core/run/pool_memory.h"

namespace remat {

class JsonCursor;

/// What the predicted peak is made of.
struct PeakParts {
    Bytes kept;      ///< activations held from a forward to its backward, and stages' outputs
    Bytes working;   ///< gradients of activations, what was made again, workspaces of ops
    Bytes gradients; ///< of weights
    Bytes weights, optimizer, inputs;
    Bytes workspace; ///< held for the whole step

    PeakParts() = default;
    PeakParts(const LiveBytes& atPeak, const BaseBytes& base);
    Bytes total() const { return kept + working + gradients + weights + optimizer + inputs + workspace; }

    bool operator==(const PeakParts&) const = default;
};

/// The step's greatest memory, told in several ways.
struct PeakReport {
    Bytes predicted;             ///< the plan replayed dry with this machine's granule and scratch
    std::string predictedAt;     ///< phase, stage and op, in English
    Bytes planned;               ///< the plan's own figure, for the device that it was made for
    Bytes tracked;               ///< counted by the executor, allocation by allocation
    Bytes base;                  ///< of these, live before forward
    std::optional<Bytes> system; ///< on a CPU grown resident memory of a fresh process, by the kernel's own count;
                                 ///< on a GPU the pool's bytes in use
    std::optional<Bytes> systemBefore; ///< on a CPU, resident before the run's first allocation (not in `system`)
    PeakParts parts;                   ///< of `predicted`
    std::optional<PhaseBytes> predictedPhases, trackedPhases; ///< absent in files of older versions
    std::optional<PoolMemory> pool;                           ///< of runs with a GPU's kernels
};

/// One bar of the way from what the model needs to what the machine says that the process takes.
struct WaterfallStep {
    enum class Kind {
        Kept,
        Working,
        Gradients,
        Weights,
        Optimizer,
        Inputs,
        Workspace,
        Unpredicted,  ///< tracked above the prediction, which is a defect
        Tracked,      ///< total
        Rounding,     ///< what the pool counts beyond the sizes that it was asked for
        PoolUsed,     ///< total
        PoolSpare,    ///< taken from the device and not in use: fragments, and blocks kept for reuse
        PoolReserved, ///< total
        Context,      ///< the driver's and the libraries' own, before the first allocation
        Unexplained,  ///< what is left
        Driver,       ///< total: of this process, by the driver
        FreeShrank,   ///< total: of the device's free memory, where the driver tells nothing of processes
        Resident      ///< total: growth of this process's resident memory, on a CPU
    };
    Kind kind = Kind::Kept;
    Bytes bytes; ///< of a total: what it comes to
    bool isTotal = false;

    bool operator==(const WaterfallStep&) const = default;
};

/// "kept", "working", ... as in files.
std::string_view toName(WaterfallStep::Kind kind);

/// From the parts of the peak to what the driver or the system counted; steps of nothing are left out, totals are not.
/// The steps before a total add up to it.
std::vector<WaterfallStep> waterfall(const PeakReport& peak);

nlohmann::json toJson(const PeakReport& peak);
/// `pool`, phases and what follows from others may be missing, as in files of older versions.
PeakReport readPeakReport(const JsonCursor& at);
/// Whether the way that the file tells, where it does, is the one that its figures give.
bool tellsItsWaterfall(const JsonCursor& at, const PeakReport& peak);

} // namespace remat
