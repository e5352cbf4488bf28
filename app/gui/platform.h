// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once

namespace remat::ui {

/// Before the application: pictures are drawn without a screen, and a screen that cannot be reached is one sentence and
/// exit code 11 instead of Qt's abort.
void choosePlatform(int argc, char** argv);

} // namespace remat::ui
