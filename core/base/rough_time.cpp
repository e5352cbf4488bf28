// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/rough_time.h"

#include <algorithm>
#include <cmath>

namespace remat {

std::string roughTime(double seconds)
{
    if (seconds < 120)
        return std::to_string(std::lround(std::max(1.0, seconds))) + " s";
    return std::to_string(std::lround(seconds / 60)) + " min";
}

} // namespace remat
