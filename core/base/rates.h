// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/base/units.h"

namespace remat {

/// How many a second where `count` take `time`: samples a second of a step.  A time below 1 ns counts as 1 ns.
constexpr double perSecond(std::int64_t count, Nanoseconds time)
{
    return static_cast<double>(count) * 1e9 / static_cast<double>(std::max<std::int64_t>(time.value, 1));
}

} // namespace remat
