// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_machine.h"

#include <array>

namespace remat {

namespace {
constexpr std::array<std::string_view, 3> kNames{"cpu", "cuda", "emulated"};
}

std::string_view toName(RunMachine machine)
{
    return kNames[static_cast<std::size_t>(machine)];
}

std::optional<RunMachine> parseRunMachine(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (name == kNames[i])
            return static_cast<RunMachine>(i);
    return std::nullopt;
}

} // namespace remat
