// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

#include "core/base/result.h"

class QWidget;

namespace remat::ui {

/// Writes a picture of a widget as PNG, SVG or PDF, by the suffix of the path.  It is drawn into memory first and
/// written atomically, so that a full disk costs nothing that was there.  Errors: another suffix, and those of
/// writeFileAtomically().
Result<void> writePicture(QWidget& widget, const QString& title, const QString& path);

} // namespace remat::ui
