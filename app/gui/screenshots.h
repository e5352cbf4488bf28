// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QFont>
#include <QString>
#include <QStringList>

namespace remat::ui {

struct WindowContext;

/// Writes NAME-light.png and NAME-dark.png of every state of the window into a folder, or of the named ones, and two
/// sheets of them all; with "@2x" in the name when the screen has two device pixels a point (QT_SCALE_FACTOR=2).  Each
/// picture is of a real window with a real answer.  What lookFaults() finds in one goes to standard output, a line
/// each, and makes the exit code 1.  Returns the process's exit code.
int writeScreenshots(
    const WindowContext& context, const QFont& baseFont, const QString& folder, const QStringList& names);

} // namespace remat::ui
