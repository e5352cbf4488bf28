// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

/// Where inside a step the peak is reached.
enum class PeakMoment {
    Start,    ///< base alone, before the first op
    DuringOp, ///< while the op runs
    AfterOp,  ///< the resident set after the op (only where an op's temporaries are below what it leaves)
    StepEnd,  ///< the optimizer step: base + all weight gradients + step_end_bytes
};

/// What one op needs, for timelines.
struct ReplayedOp {
    Bytes residentBefore; ///< base and every object, before the op
    Bytes peak;           ///< the largest value while it runs; equal to residentBefore for a free
    Bytes residentAfter;
};

/// What a schedule costs on its chain.
struct ReplayResult {
    Bytes peak;
    Nanoseconds time;
    std::int64_t reruns = 0; ///< forwards beyond each stage's first, plus the reruns of the options used
    Nanoseconds overhead;    ///< time - sum over stages of (forward + least backward of its options)
    Bytes savedBytes;        ///< resident at the end of the last stage's first forward, minus base
    PeakMoment peakMoment = PeakMoment::Start;
    std::size_t peakOp = 0;        ///< index of the op where the peak is first reached; of DuringOp and AfterOp
    std::vector<ReplayedOp> trace; ///< one entry per op, when asked for
};

enum class ReplayTrace { None, EveryOp };

/// Runs a schedule against a chain and says what it costs, or why it does not run (docs/planner.md, "Operations").
///
/// The judge of every planner: it knows only the definition, shares no code with any solver, and is exact in whole
/// bytes and nanoseconds.  O(ops).
///   peak = max over ops of (resident before + what the op makes + its temporaries), and base + all g_i + step end.
/// Errors name the index of the op: a stage or option that does not exist, a missing input, output, interior or
/// gradient, an output or interior that exists already, a backward out of order or repeated, a free of nothing, an op
/// after the step's end, a schedule that ends before backward(1), times above 2^61.
Result<ReplayResult> replay(const Chain& chain, const Schedule& schedule, ReplayTrace trace = ReplayTrace::None);

/// Time of the chain when every stage runs forward once and takes its fastest backward; the zero of every overhead.
Nanoseconds leastTime(const Chain& chain);

} // namespace remat
