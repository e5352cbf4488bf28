// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QLocale>

namespace remat::ui {

/// Speaks a language: texts by the catalogues in this folder (English where there is none), Qt's own dialogs by Qt's,
/// and numbers as its country writes them.  Once, before the first window.
void useLanguage(const QLocale& language);

} // namespace remat::ui
