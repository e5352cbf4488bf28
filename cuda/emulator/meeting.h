// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace remat::cuda {

/// Where threads wait for each other: a barrier, a shuffle or a vote.
struct Meeting {
    const char* operation; // "__syncthreads", ...
    const char* file;      // of the call
    int line;
    std::uint32_t lanes; // that take part, a bit each; 0: all threads of the block
};

/// Whether two threads mean the same meeting: the same call with the same lanes.
bool isSame(const Meeting& a, const Meeting& b);

/// "__shfl_xor_sync with mask 0xffffffff (reduce.h:24)".
std::string text(const Meeting& meeting);

} // namespace remat::cuda
