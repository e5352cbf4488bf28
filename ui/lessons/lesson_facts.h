// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <optional>
#include <span>
#include <string_view>

#include "ui/lessons/lesson.h"

namespace remat::ui {

class ExplorerState;
class RunController;

/// What conditions are checked against.
struct LessonWorld {
    const ExplorerState& state;
    const RunController& runs;
    std::size_t firstRun = 0; ///< runs before this one belong to earlier steps
    int choice = 0;           ///< the choice pressed last, from 1; 0: none
};

enum class FactKind { Flag, Count, Size, Share, Word };

/// One name that lessons may check: a figure that core computed, or what the person chose.
struct LessonFact {
    const char* name;
    FactKind kind;
    bool hasOf; ///< whether "of" says which one
    QString (*title)();
    /// Nothing while there is no answer to tell it.
    std::optional<LessonValue> (*value)(const LessonWorld& world, const std::string& of);
};

std::span<const LessonFact> lessonFacts();
const LessonFact* findLessonFact(std::string_view name);

/// Whether all conditions hold now.
bool holds(const std::vector<LessonCondition>& conditions, const LessonWorld& world);

/// "extra time below 5.0 % (now 8.2 %)": a condition for the person, empty for one about choices.
QString conditionText(const LessonCondition& condition, const LessonWorld& world);

} // namespace remat::ui
