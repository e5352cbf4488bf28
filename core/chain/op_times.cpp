// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/op_times.h"

#include <algorithm>

#include "core/cost/roofline.h"
#include "core/model/step_bounds.h"

namespace remat {

namespace {

/// The slowest device that the program describes, whose times no sum passes.
Device slowestDevice()
{
    Device device;
    device.peak.fp32 = kSlowestFlopsPerSecond;
    device.bytesPerSecond = kSlowestBytesPerSecond;
    device.launchOverhead = kLongestLaunch;
    return device;
}

} // namespace

std::vector<OpTimes> opTimes(const StageTape& tape, const Device& device, Precision precision)
{
    const double halfPeak = std::max(device.peak.bf16, device.peak.fp16);
    if (precision == Precision::Half && device.peak.fp32 < halfPeak) {
        Device half = device;
        half.peak.fp32 = halfPeak;
        return opTimes(tape, half, precision);
    }
    const Device slowest = slowestDevice();
    const ElementType storage = precision == Precision::Fp32 ? ElementType::Fp32 : ElementType::Bf16;
    std::vector<OpTimes> times;
    for (const Op& op : tape.ops) {
        const OpClass opClass = classOf(op.kind);
        const auto timesOn = [&](const Device& machine) {
            return OpTimes{opTime(machine, opClass, op.forwardFlops, op.forwardBytes),
                opTime(machine, opClass, op.backwardFlops, op.backwardBytes)};
        };
        const MeasuredOp* measured = findMeasuredOp(device.measuredOps, op, storage);
        if (!measured) {
            times.push_back(timesOn(device));
            continue;
        }
        const OpTimes most = timesOn(slowest);
        times.push_back({std::min(measured->forward, most.forward), std::min(measured->backward, most.backward)});
    }
    return times;
}

} // namespace remat
