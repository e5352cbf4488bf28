// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/chain/keep_set.h"
#include "core/chain/schedule.h"
#include "core/model/training_setup.h"
#include "core/program/timeline.h"
#include "core/run/peak_report.h"
#include "core/run/run_machine.h"
#include "core/run/run_times.h"

namespace remat {

class JsonCursor;

/// Wall time of whole steps, optimizer included.
struct TimeReport {
    Nanoseconds step;      ///< median of `steps`
    Nanoseconds optimizer; ///< median
    Nanoseconds warmUp;    ///< the first step, which pays for page faults; not in `steps`
    std::vector<Nanoseconds> steps;
    std::optional<Nanoseconds> predicted; ///< absent where the plan was timed for another device
};

struct LossReport {
    double first = 0.0; ///< of the first step: near ln(vocabulary), since nothing is learnt yet
    double last = 0.0;
    double lnVocabulary = 0.0;
};

/// The plan's gradients against those of keep-everything with the same variants and seed, bit for bit (law 4).
struct GradientReport {
    bool bitEqual = false; ///< every gradient and the loss
    bool lossBitEqual = false;
    std::int64_t tensors = 0;
    std::optional<std::string> firstDifference; ///< the first weight whose gradient differs
};

/// How often ops ran again, against the dry replay (law 1).
struct RerunReport {
    std::int64_t predicted = 0;
    std::int64_t measured = 0;
    bool isEqual = false; ///< op by op
    std::optional<std::string> firstDifference;
};

/// What a run found: predicted beside measured.
///
/// Files: "format": "remat-report", "version": 1 (docs/file-formats.md).  The report holds shape, setup and keep-sets,
/// so that reading can replay its prediction.
struct RunReport {
    ModelShape shape;
    TrainingSetup setup;
    std::vector<KeepSet> keep; ///< of each stage
    Schedule schedule;         ///< of a plan with an order of its own, empty otherwise
    std::string strategy;
    std::optional<Bytes> budget;
    bool budgetEnforced = false;

    RunMachine machineKind = RunMachine::Cpu;
    std::string machine;   ///< "cpu, x86-64-v3, 2 threads", "NVIDIA H200"
    std::string processor; ///< "AMD EPYC 7B13"
    /// The CPU kernels' instruction set, "x86-64-v3": with processor and threads what "the same machine" means, on
    /// which the same plan has the same bits.  Empty of runs on a GPU and in files of older versions.
    std::string kernels;
    std::int64_t threads = 1; ///< of the CPU machine; 0 of the others
    Bytes granule{64};
    std::uint64_t seed = 1;

    PeakReport peak;
    TimeReport time;
    std::vector<OpTime> ops;                ///< of every kind of stage; empty in files of older versions
    std::vector<StageTime> stages;          ///< of each stage; empty in files of older versions
    std::vector<StageTime> predictedStages; ///< empty where the plan was timed for another device
    LossReport loss;
    RerunReport reruns;
    std::optional<GradientReport> gradients; ///< absent: not checked
    /// Live bytes while the last measured step ran (its last micro-batch): the executor's count on the wall clock,
    /// which starts with the step.  `instruction` is the index in the program, the same as in the dry replay.  At most
    /// kReportPoints points, the peak among them.
    std::vector<TimelinePoint> timeline;
    std::vector<std::string> warnings; ///< English sentences
};

inline constexpr std::size_t kReportPoints = 4000;

/// At most `most` points: the least and the greatest of each of most / 2 runs of points, in their order.
std::vector<TimelinePoint> decimate(const std::vector<TimelinePoint>& points, std::size_t most = kReportPoints);

nlohmann::json toJson(const RunReport& report);
std::string reportFileText(const RunReport& report);

/// Errors: not JSON, other format, missing or mistyped keys, an invalid shape or setup, and disagreement: a prediction
/// that does not replay, times of other ops or stages than the model's, stages that are predicted to take longer than
/// the step, a median that is not that of its steps, a verdict (equal, bit_equal) that its findings do not bear out.
/// Mistakes are recorded at the cursor.
RunReport readRunReport(const JsonCursor& at);
Result<RunReport> parseReport(std::string_view text, const std::string& where);

} // namespace remat
