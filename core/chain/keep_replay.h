// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/chain/chain.h"
#include "core/chain/keep_set.h"
#include "core/chain/op_times.h"
#include "core/tape/gradient_flow.h"

namespace remat {

/// One stage kind as the enumeration needs it.
struct StageFacts {
    const StageTape& tape;
    const GradientFlow& flow;
    std::span<const OpTimes> times;
    bool gradientsInBase = false;
};

/// The bytes of everything that a stage's script can name, by KeepReplay's numbers.
std::vector<Bytes> scriptSizes(const StageFacts& stage);

/// A stage's script (stage_script.h) for one keep-set without sizes and times: what comes and goes in what order.
///
/// It follows from which op reads what and not from how large or slow anything is; so batch, sequence, width and device
/// may change, and the same replay with other sizes still says what the keep-set costs.
class KeepReplay {
public:
    KeepReplay(const StageFacts& stage, KeepSet keep);

    /// Saved bytes, transients, reruns and recompute time, unnamed.  `sizes`: scriptSizes() of a stage with the same
    /// structure; `times`: of its ops.  O(steps of the script).
    Option option(std::span<const Bytes> sizes, std::span<const OpTimes> times) const;

private:
    /// Numbers of what is allocated, or ~number of what is released.
    using Steps = std::vector<std::int16_t>;

    Steps m_forward;
    Steps m_backward;
    std::vector<std::int16_t> m_saved;
    std::vector<std::int16_t> m_reruns; ///< ops
};

/// The replays that past enumerations made, by the structure of their stages.  Of one thread.
class KeepReplays {
public:
    /// Those of stages with this stage's structure; it may be empty yet.  The reference holds until the next call.
    using BySet = std::unordered_map<KeepSet, KeepReplay>;
    BySet& of(const StageFacts& stage);

private:
    struct Entry {
        BySet replays;
        std::int64_t lastUse = 0;
    };

    std::map<std::vector<int>, Entry> m_entries;
    std::int64_t m_uses = 0;
};

} // namespace remat
