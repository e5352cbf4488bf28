// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QFont>
#include <QString>

class QApplication;

namespace remat::ui {

struct WindowContext;

/// Writes NAME-light.png and NAME-dark.png of every state of the window into a folder, with "@2x" in the name when the
/// screen has two device pixels a point (QT_SCALE_FACTOR=2).  Each picture is of a real window with a real answer.
/// Returns the process's exit code.
int writeScreenshots(
    QApplication& application, const WindowContext& context, const QFont& baseFont, const QString& folder);

} // namespace remat::ui
