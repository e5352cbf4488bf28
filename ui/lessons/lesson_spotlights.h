// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <span>
#include <string_view>

namespace remat::ui {

/// A part of the window that a lesson can point at.
struct LessonSpotlight {
    const char* name;       ///< in lesson files
    const char* objectName; ///< of the widget
    bool isPage;            ///< a tab at the bottom (the details in a narrow window), which is opened first
};

std::span<const LessonSpotlight> lessonSpotlights();
const LessonSpotlight* findLessonSpotlight(std::string_view name);

} // namespace remat::ui
