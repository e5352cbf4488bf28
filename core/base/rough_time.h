// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace remat {

/// A time that is only guessed, for progress lines: whole seconds, from two minutes on whole minutes ("40 s", "3 min").
std::string roughTime(double seconds);

} // namespace remat
