// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

#include "core/base/message.h"
#include "ui/theme/format.h"

namespace remat::ui {

/// Core's codes in the person's language (context "core"), with numbers in the person's format.
QString translated(const Message& message, const NumberFormat& format = {});
QString translated(const Error& error, const NumberFormat& format = {});
/// What the person can do about it; may be empty.
QString remedy(const Error& error, const NumberFormat& format = {});
/// "What. Remedy": for a place that the person is looking at.
QString sentenceOf(const Error& error, const NumberFormat& format = {});
/// "where: what. remedy" in one line.
QString fullText(const Error& error, const NumberFormat& format = {});

} // namespace remat::ui
