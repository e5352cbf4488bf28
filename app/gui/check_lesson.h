// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

namespace remat::ui {

struct WindowContext;

/// Reads a lesson file and plays it to its end without a screen, real runs included; says on standard output what it
/// holds, or on standard error where it is wrong.  Returns the process's exit code: 0, or 3 for a lesson that a class
/// would stumble over.
int checkLesson(const WindowContext& context, const QString& path);

} // namespace remat::ui
