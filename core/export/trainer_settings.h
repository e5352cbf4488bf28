// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/export/settings_text.h"
#include "core/plan/plan.h"

namespace remat {

/// The settings of a trainer that come nearest to a plan.
struct TrainerSettings {
    std::string text;  ///< the flags, one a line, or the TOML table; behind remarks in comments
    Plan plan;         ///< the settings' own schedule on the plan's model, setup and device
    bool fits = false; ///< within the plan's budget, or where it has none within its peak
};

/// Of all settings that keep the step within the plan's budget (without one: its peak) those of least time; if none do,
/// those of the lowest peak.  Each is replayed as any plan is, so that the differences in peak and time have one
/// origin. The text states them, and what the settings cannot express.
///
/// Errors (exit 3): the article's profile, whose layers are no ops.
Result<TrainerSettings> nearestSettings(const Plan& plan, Trainer trainer);

} // namespace remat
