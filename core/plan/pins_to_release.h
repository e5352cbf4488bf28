// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/plan/study.h"

namespace remat {

/// Where pins keep every plan above the budget: which fewest to release so that one fits.  Empty where the pins are not
/// to blame (a plan fits with them, or none fits without them), and where the search was cancelled.
///
/// The least peak cannot rise when a pin is released.  So one pin that cures alone is found by trying each, and two by
/// trying each pair while there are at most kMostPairs.  Beyond that as many pins as possible are put back, those that
/// cost least alone first: what is left cannot be shortened by putting any one back, though another choice may be
/// shorter.  Of several answers of one size the one of least peak is given.  Each try is one solve; least peaks are
/// exact in a thinned solve too, so a large FlatLimits::gapTarget costs nothing here.
std::vector<Pin> pinsToRelease(const StudyRequest& request, Bytes budget, const FlatLimits& limits);

inline constexpr std::size_t kMostPairs = 120;

} // namespace remat
