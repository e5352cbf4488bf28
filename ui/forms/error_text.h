// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

#include "core/base/message.h"

namespace remat::ui {

/// A core error in the person's language: what is wrong, then what to do.  Core texts are translated in the context
/// "core"; the place (`where`) is left to the field or strip that shows the sentence.
QString errorText(const Error& error);

} // namespace remat::ui
