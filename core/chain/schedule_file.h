// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

class JsonCursor;

/// Schedules in files (docs/planner.md, "Schedule inside a plan file"): a list of
///   { "op": "forward", "stage": 1, "option": "none" }   "none" or an option's name
///   { "op": "free", "object": "x", "stage": 1 }         "x": the stage's output, "s": what it keeps inside
///   { "op": "backward", "stage": 1 }
/// Stages count from 1 in files and from 0 in memory.  Reading resolves names only; replay() says whether it runs.
inline constexpr std::size_t kMaxScheduleOps = std::size_t{1} << 22;

/// Reads a schedule for `chain`: such a list, or any object that has one under the key "schedule".
/// Errors name the index of the op: unknown op, object, option, or a stage that the chain has not.
Result<Schedule> parseSchedule(std::string_view text, const Chain& chain, const std::string& where);

/// Reads a schedule file.  Errors: those of readFile and of parseSchedule.
Result<Schedule> readSchedule(const std::string& path, const Chain& chain);

/// Reads a list of ops that stands inside another document; a mistake is recorded in the cursor.
Schedule readSchedule(const JsonCursor& list, const Chain& chain);

/// The list of ops of a schedule that fits the chain, as parseSchedule reads it back.
nlohmann::json toJson(const Schedule& schedule, const Chain& chain);

} // namespace remat
