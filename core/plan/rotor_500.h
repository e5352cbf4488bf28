// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

/// What rotor answers at one budget.
struct RotorAnswer {
    Nanoseconds time;
    Schedule schedule;
};

enum class RotorStages {
    Atomic,     ///< as published: a stage keeps all or nothing, which is the option of least backward time
    WithOptions ///< as in Rockmate: any option
};

/// rotor as published (Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova, RR-9302, 2019), a rival to compare with.
///
/// C(s,t,m) is the least time of stages s..t with the input of s and the gradient of t there and m slots free; abar is
/// what a stage keeps, its output included, which stays as its input does:
///   all of s:       C = F_s + B_s + C(s+1, t, m - abar_s)                          where m >= max(d_t + abar_s + of_s,
///                                                                                             d_s + abar_s + ob_s)
///   checkpoint s':  C = sum of F over s..s'-1 + C(s', t, m - x_{s'-1}) + C(s, s'-1, m)   where m >= the forwards' peak
/// Memory is 500 slots of what the budget leaves beyond base and *all* weight gradients, rounded up to bytes; every
/// size is rounded up to slots.  So it must be solved again for each budget, loses up to a slot for everything that it
/// holds, and may take up to 499 bytes more than the budget.  O(stages^3 * slots) time, O(stages^2 * slots) memory.
/// Stages that run once (Stage::runsOnce), which it does not know of, are in no checkpoint's second run.
///
/// Nothing where it finds no schedule.
std::optional<RotorAnswer> solveRotor500(const Chain& chain, Bytes budget, RotorStages stages);

} // namespace remat
