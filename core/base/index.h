// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace remat {

/// Numbers of stages, ops and tensors are ints, so that -1 can say "none"; containers count in size_t.
constexpr std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

} // namespace remat
