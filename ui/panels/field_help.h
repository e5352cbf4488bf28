// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

namespace remat::ui {

/// What a field of the left column means: what it changes, by which formula, and where that comes from.  `name` is the
/// field's object name; empty for an unknown one.  B, T, C, L, H, V as in core/notation.md.
QString fieldHelp(const QString& name);

} // namespace remat::ui
