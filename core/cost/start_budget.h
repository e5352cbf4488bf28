// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/cost/device.h"

namespace remat {

/// The GPU of a step that no CPU runs (the profiles pytorch, paper and article), where the person names none.
inline constexpr const char* kStartGpu = "a100-80";

/// The budget that a person starts from on a device, as the subtraction that leads to it.
struct StartBudget {
    Bytes capacity; ///< what the driver reports
    Bytes context;  ///< taken by the driver before the first allocation
    Bytes reserve;  ///< left free for what no plan knows of
    Bytes budget;   ///< the rest, never below 0
};

/// A fiftieth of a card: an assumption for the workspaces of libraries (cuBLAS takes 8 to 32 MiB a stream) and for
/// blocks that an allocator cannot hand out again.  A measured run says what it really was.
inline constexpr std::int64_t kReserveDivisor = 50;

/// Nothing is reserved on a CPU: the machine's other programs are the person's to judge.
///
///   startBudget(l4)    // 24.0 GB - 512 MiB - 480 MB
inline StartBudget startBudget(const Device& device)
{
    StartBudget start{device.memory, device.context, {}, {}};
    if (device.kind == DeviceKind::Cuda)
        start.reserve = {device.memory.value / kReserveDivisor};
    start.budget = std::max(Bytes{}, start.capacity - start.context - start.reserve);
    return start;
}

} // namespace remat
