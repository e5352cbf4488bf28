// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "core/base/result.h"
#include "ui/lessons/lesson_player.h"

namespace remat::ui {

/// Plays a lesson from its first step to its last as a pupil would, wrong answers included: no check may hold before
/// anything was done, no choice but the solution's may be right, and every solution must meet its check.  Lets events
/// run meanwhile; real runs are really made.
/// Errors: the first step that breaks this, with the path to its key.
Result<void> rehearse(
    LessonPlayer& player, const ExplorerState& state, const RunController& runs, const Lesson& lesson);

} // namespace remat::ui
