// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/base/units.h"

namespace remat {

/// An op's work (FLOPs, or bytes of traffic; positive) and the time it took (positive).
struct WorkSample {
    double work = 0;
    Nanoseconds time;
};

/// The two numbers of the linear cost model  time = overhead + work / perSecond.
struct AlphaBeta {
    Nanoseconds overhead;
    double perSecond = 0; ///< of work

    bool operator==(const AlphaBeta&) const = default;
};

/// Fits alpha (the overhead) and beta (the rate) to samples of one class of ops by least squares of the relative
/// errors, so that small ops count as much as large ones:
///
///   minimize  sum_i ((alpha + s w_i - t_i) / t_i)^2   over  0 <= alpha <= kLongestLaunch, s > 0;  rate = 10^9 / s
///
/// Closed form: the 2 x 2 normal equations, and on the nearest bound of alpha where they leave it.  Fewer than three
/// samples, often the forward and the backward of one op, or samples of one amount of work cannot tell alpha from s:
/// then alpha is `launchOverhead`, as far as the fit stays positive.  No samples: a rate of 0, "not measured".
AlphaBeta fitAlphaBeta(std::span<const WorkSample> samples, Nanoseconds launchOverhead);

} // namespace remat
