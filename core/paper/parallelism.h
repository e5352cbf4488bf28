// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/model_shape.h"

namespace remat {

/// How training is divided over GPUs; a *rank* is one of them.
///
///   t    tensor parallel: the ranks of a group hold 1/t of each product's columns or rows (Shoeybi et al. 2019)
///   sp   sequence parallel: they share by tokens, too, what lies between the products (Korthikanti et al. 2022)
///   p    pipeline stages of L/p layers each; with the schedule 1F1B stage i holds the activations of min(m, p - i)
///        of the m micro-batches at once (Narayanan et al. 2021, arXiv 2104.04473, section 2.2)
///   dp   data parallel copies, which share states by ZeRO's stage (Rajbhandari et al. 2020, arXiv 1910.02054, section
///        5): 1 the optimizer's, 2 gradients as well, 3 weights as well (what FSDP calls FULL_SHARD)
struct Parallelism {
    std::int64_t tensor = 1;
    bool isSequenceParallel = false;
    std::int64_t pipeline = 1;
    std::int64_t data = 1;
    std::int64_t zeroStage = 0;

    bool operator==(const Parallelism&) const = default;
    bool isAny() const { return !(*this == Parallelism{}); }
    std::int64_t ranks() const { return tensor * pipeline * data; }
    std::int64_t microBatchesInFlight(std::int64_t stage, std::int64_t microBatches) const
    {
        return std::min(microBatches, pipeline - stage);
    }
    /// A rank's share of what the data parallel copies divide from ZeRO's stage `from` on.
    Bytes shareOf(Bytes whole, std::int64_t from) const
    {
        return zeroStage < from ? whole : Bytes{(whole.value + data - 1) / data};
    }
};

/// No degree is greater, so that a product of three is a whole number of 64 bits.
inline constexpr std::int64_t kMaxDegree = 1 << 20;

/// Degrees of at least 1 that divide what they cut: t the heads, the FFN and, or else the other way round, the
/// key/value heads; p the layers of a single stack.  Sequence parallelism needs t > 1, a ZeRO stage dp > 1.
/// Errors (exit 2) name "tensor", "sequence_parallel", "pipeline", "data" or "zero" in `where`.
Result<void> validate(const ModelShape& shape, const Parallelism& parallelism);

/// What one rank holds; `stage` counts pipeline stages from the input on.
struct RankBytes {
    std::int64_t stage = 0, layers = 0, inFlight = 1;
    std::int64_t parameters = 0;
    Bytes weights, gradients, optimizer; ///< the rank's shares
    Bytes gathered;                      ///< other ranks' weights and gradients that it holds for a while (ZeRO)
    Bytes saved;                         ///< for backward, of all micro-batches in flight
    Bytes peak;
    std::string peakAt;
};

/// The rank that needs most; of equals the first.
const RankBytes& fullestOf(const std::vector<RankBytes>& ranks);

} // namespace remat
