// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "core/base/units.h"

namespace remat {

/// Wall time that never goes back, from some fixed start; where time is injected, this is the real one.
inline Nanoseconds steadyClock()
{
    const auto sinceStart = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(sinceStart).count()};
}

} // namespace remat
