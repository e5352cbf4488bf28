// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/units.h"
#include "core/tape/tape.h"

namespace remat {

class JsonCursor;

/// What an op of one kind, of these sizes, took on a machine that ran it: the same op takes the same time wherever it
/// stands, in whichever plan.
struct MeasuredOp {
    OpKind kind = OpKind::Add;
    OpDims dims;
    ElementType storage = ElementType::Fp32;
    Nanoseconds forward, backward;

    bool operator==(const MeasuredOp&) const = default;
    /// Whether an op of that kind and those sizes, with that storage, takes the same times.
    bool isAlike(OpKind otherKind, const OpDims& otherDims, ElementType otherStorage) const
    {
        return kind == otherKind && dims == otherDims && storage == otherStorage;
    }
};

/// The measurement of an op, or null.
const MeasuredOp* findMeasuredOp(const std::vector<MeasuredOp>& ops, const Op& op, ElementType storage);

// What files may say: no list is longer, and no op takes longer than an hour.
inline constexpr std::size_t kMostMeasuredOps = 1024;
inline constexpr Nanoseconds kLongestMeasuredOp{3'600'000'000'000};

/// A list as device and cost files hold it; sizes that are 0 (chunks: 1) are left out.
///
///   [{"kind": "linear", "storage": "fp32", "rows": 1024, "in": 768, "out": 3072, "forward_ns": 25000000,
///     "backward_ns": 51000000}, ...]
nlohmann::json toJson(const std::vector<MeasuredOp>& ops);

/// The list at `at`; mistakes are recorded there: an unknown kind or storage type, an unknown
/// key, a size or a time out of bounds, an op that is measured twice.
std::vector<MeasuredOp> readMeasuredOps(const JsonCursor& at);

} // namespace remat
