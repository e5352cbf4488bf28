// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/plan/plan.h"

namespace remat {

/// One term of a plan's peak.
struct PeakPart {
    enum class Kind {
        Base,            ///< weights, optimizer state, inputs, workspace
        Boundaries,      ///< outputs of stages
        Interiors,       ///< what stages keep inside
        Gradient,        ///< of the boundary that the backward has reached
        WeightGradients, ///< made so far
        Work             ///< what the binding op makes and needs beside what was there before it
    };
    Kind kind = Kind::Base;
    Bytes bytes;

    bool operator==(const PeakPart&) const = default;
};

/// Of a schedule on its chain: the terms add up to its peak.  Precondition: the schedule replays.
std::vector<PeakPart> peakParts(const Chain& chain, const Schedule& schedule);

/// What a stage decided about one op, and what the other way would change while all else stays.
struct OpReason {
    std::string op;
    bool isKept = false;
    bool isPinned = false;
    Bytes bytes;      ///< held between forward and backward for it: freed by dropping it, or taken by keeping it
    Nanoseconds time; ///< that the backward takes longer without it

    bool operator==(const OpReason&) const = default;
};

/// Stages in a row that decide alike for the same reasons; one stage, or several layers.
struct StageReason {
    int first = 0;
    int last = 0;
    int forwards = 1; ///< how often each runs forward
    std::string keepSet;
    std::vector<OpReason> ops;
};

/// Why a plan is as it is: what its peak is made of, and what each stage's decisions are worth.  What more budget would
/// buy is moreBudget()'s to say.
struct Explanation {
    std::vector<PeakPart> peak;
    std::vector<StageReason> stages;
};

/// Precondition: the plan's pins are valid for its step, as those of every plan are.
Explanation explain(const Plan& plan);

} // namespace remat
