// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/cost/devices.h"
#include "ui/lessons/lesson.h"

namespace remat::ui {

/// Reads a lesson file (docs/file-formats.md).  Whoever writes one needs no C++: every mistake is named with the path
/// to its key, an unknown key or name with what it may have meant. Errors: not JSON, other format, missing, mistyped or
/// unknown keys, unknown facts, spotlights, models or devices, a condition that its fact cannot meet, a state that the
/// window would refuse.
Result<Lesson> parseLesson(std::string_view text, const std::string& where, const DeviceCatalog& devices);

/// The cell that "L3.ffn", "L0.gelu", "embedding" or "head" names in the grid of a model; nothing where there is none.
std::optional<GridPlace> gridPlaceNamed(const StepTape& tape, const std::string& name);

/// The lessons that can be chosen, in their order: the built-in ones, with those of configurationFolder/lessons/*.json
/// added, or in place of the one of the same name.
struct LessonCatalog {
    std::vector<Lesson> lessons;
    std::vector<Error> problems; ///< one per file that could not be read
};
LessonCatalog lessons(const std::string& configurationFolder, const DeviceCatalog& devices);

} // namespace remat::ui
