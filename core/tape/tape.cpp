// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/tape.h"

#include <algorithm>

namespace remat {

std::string_view toName(ElementType type)
{
    return type == ElementType::Fp32 ? "fp32" : "bf16";
}

std::vector<int> StageTape::candidates() const
{
    std::vector<bool> isRead(tensors.size(), false);
    for (const Op& op : ops)
        for (const int t : op.backwardReads)
            isRead[static_cast<std::size_t>(t)] = true;
    std::vector<int> result;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const bool keeps = std::any_of(ops[i].writes.begin(), ops[i].writes.end(),
            [&](int t) { return t != output && isRead[static_cast<std::size_t>(t)]; });
        if (keeps)
            result.push_back(static_cast<int>(i));
    }
    return result;
}

} // namespace remat
