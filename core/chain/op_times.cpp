// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/op_times.h"

#include <algorithm>

#include "core/cost/roofline.h"

namespace remat {

std::vector<OpTimes> opTimes(const StageTape& tape, const Device& device, Precision precision)
{
    const double halfPeak = std::max(device.peak.bf16, device.peak.fp16);
    if (precision == Precision::Half && device.peak.fp32 < halfPeak) {
        Device half = device;
        half.peak.fp32 = halfPeak;
        return opTimes(tape, half);
    }
    std::vector<OpTimes> times;
    for (const Op& op : tape.ops) {
        const OpClass opClass = classOf(op.kind);
        times.push_back({opTime(device, opClass, op.forwardFlops, op.forwardBytes),
            opTime(device, opClass, op.backwardFlops, op.backwardBytes)});
    }
    return times;
}

} // namespace remat
