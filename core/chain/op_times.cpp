// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/op_times.h"

#include "core/cost/roofline.h"

namespace remat {

std::vector<OpTimes> opTimes(const StageTape& tape, const Device& device)
{
    std::vector<OpTimes> times;
    for (const Op& op : tape.ops) {
        const OpClass opClass = classOf(op.kind);
        times.push_back({opTime(device, opClass, op.forwardFlops, op.forwardBytes),
            opTime(device, opClass, op.backwardFlops, op.backwardBytes)});
    }
    return times;
}

} // namespace remat
