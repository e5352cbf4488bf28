// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ui/painters/grid_view.h"
#include "ui/state/document.h"

namespace remat::ui {

/// A sentence in the languages that the lesson's author wrote; at least one is there.
struct LessonText {
    QString english, chinese;

    bool isEmpty() const { return english.isEmpty() && chinese.isEmpty(); }
    /// In the language of QLocale(), or in the other one.
    QString text() const;
    bool operator==(const LessonText&) const = default;
};

/// What a condition compares with: a flag, a number (count, bytes, share) or a word.
using LessonValue = std::variant<bool, double, std::string>;

enum class LessonRelation { Is, Below, Above, AtMost, AtLeast };

/// "extra_time below 0.05": a named fact of the window (lesson_facts.h) and what it must be.
struct LessonCondition {
    std::string fact;
    std::string of; ///< which one, where the fact has many: "ffn" of "kept"
    LessonRelation relation = LessonRelation::Is;
    LessonValue value;

    bool isMetBy(const LessonValue& actual) const;
};

/// A state of the window that a step starts with, or that solves its question.
struct LessonState {
    Inputs inputs;
    std::optional<GridMetric> metric;
    std::string select; ///< "L3.ffn", "head"; empty: nothing
};

/// What the person is asked.  It is answered by pressing a choice, or by doing something: either way the conditions
/// decide, over figures that core computed.
struct LessonQuestion {
    LessonText text;
    std::vector<LessonText> choices;
    std::vector<LessonCondition> check; ///< all must hold
    LessonText hint;
    LessonText because; ///< said once it is solved

    // "Show me", and what a test plays:
    std::optional<LessonState> solution;
    int solutionChoice = 0; ///< from 1; 0: none
    bool solutionRuns = false;
};

struct LessonStep {
    LessonText text;
    std::string spotlight; ///< of lessonSpotlights(); empty: none
    LessonState state;     ///< of this step, with what the steps before it set
    bool setsState = false;
    std::optional<LessonQuestion> question;
};

/// A lesson file: `"format": "remat-lesson"`, `"version": 1` (docs/file-formats.md).
struct Lesson {
    std::string name;
    int order = 0; ///< place in the menu
    LessonText title;
    std::vector<LessonStep> steps;
    std::string where; ///< the file, for messages
};

} // namespace remat::ui
