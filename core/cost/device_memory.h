// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>

#include "core/cost/device.h"

namespace remat {

/// What a step may allocate at its peak on a device: its memory less what the driver's context takes before.  The
/// largest budget whose plans the device can run; nothing where its memory is not known.
///
///   deviceBudget(rtx4090)               // 23.65 GiB - 512 MiB
///   fitsDevice(24_GiB, rtx4090)         // false, whatever the person's budget says
inline std::optional<Bytes> deviceBudget(const Device& device)
{
    if (device.memory == Bytes{})
        return std::nullopt;
    return std::max(Bytes{}, device.memory - device.context);
}

/// Whether a step that takes so much at its peak fits the device beside the context.
inline bool fitsDevice(Bytes peak, const Device& device)
{
    const std::optional<Bytes> most = deviceBudget(device);
    return !most || peak <= *most;
}

/// What people call the device: the "card" that a GPU is, or the "machine" around a CPU.
inline const char* deviceNoun(const Device& device)
{
    return device.kind == DeviceKind::Cuda ? "card" : "machine";
}

} // namespace remat
