// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/plan/plan.h"
#include "core/regions/region_plan.h"
#include "core/run/run_report.h"

namespace remat {

/// What can be said of a training step in a number, whether it was planned or really run.  What is not known is absent.
struct StepFigures {
    Bytes peak;                  ///< of a run: counted by the executor
    std::optional<Bytes> system; ///< of a run: by the kernel's own count
    Bytes base;
    std::optional<Bytes> saved;
    Nanoseconds step;                ///< a whole step, optimizer included
    std::optional<double> extraTime; ///< of a plan: above keeping everything, as a share
    double samplesPerSecond = 0;
    double tokensPerSecond = 0;
    std::optional<std::int64_t> reruns; ///< of operations; a plan for PyTorch counts regions instead
};

StepFigures figuresOf(const Plan& plan);
StepFigures figuresOf(const RegionPlan& plan);
StepFigures figuresOf(const RunReport& report);

/// One figure of two steps side by side.
struct FigurePair {
    enum class Figure { Peak, System, Base, Saved, Step, ExtraTime, SamplesPerSecond, TokensPerSecond, Reruns };
    Figure figure = Figure::Peak;
    std::optional<double> a, b;       ///< bytes, nanoseconds, shares or counts
    std::optional<double> difference; ///< b - a
    std::optional<double> share;      ///< of a; absent where a is 0, and for figures that are shares themselves
};

/// Every figure that at least one of the two has, in the order of the enumeration.
std::vector<FigurePair> compareFigures(const StepFigures& a, const StepFigures& b);

} // namespace remat
