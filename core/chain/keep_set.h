// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "core/tape/tape.h"

namespace remat {

/// A set of a stage's ops, as bits by op number, whose outputs are held between the stage's forward and its backward.
using KeepSet = std::uint64_t;
static_assert(std::numeric_limits<KeepSet>::digits == kMaxOpsOfStage);

constexpr bool keeps(KeepSet set, int op)
{
    return (set >> op & 1) != 0;
}

/// All ops that can be kept (StageTape::candidates) as a set.
KeepSet keepAll(const StageTape& tape);

/// Names a set by the shorter of what it keeps and what it drops: "all", "nothing", "qkv+attention", "all-gelu-ffn_up".
std::string keepSetName(const StageTape& tape, KeepSet set);

/// The set without members that cannot be kept: reads back a name of keepSetName; returns false for an unknown one.
bool parseKeepSet(const StageTape& tape, const std::string& name, KeepSet& set);

} // namespace remat
