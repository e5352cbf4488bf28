// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace remat::torch {

/// The element types that a Transformer's training step meets.
enum class DType : std::uint8_t { Bool, Int64, Float16, BFloat16, Float32 };

constexpr std::int64_t sizeOf(DType type)
{
    switch (type) {
    case DType::Bool:
        return 1;
    case DType::Float16:
    case DType::BFloat16:
        return 2;
    case DType::Float32:
        return 4;
    case DType::Int64:
        return 8;
    }
    return 0;
}

constexpr bool isFloating(DType type)
{
    return type != DType::Bool && type != DType::Int64;
}
constexpr bool isHalf(DType type)
{
    return type == DType::Float16 || type == DType::BFloat16;
}

/// The name as PyTorch prints it: "bfloat16".
const char* nameOf(DType type);

/// c10::promoteTypes for two tensors with dimensions: the wider of the two, and fp32 for fp16 with bf16.
constexpr DType promoted(DType a, DType b)
{
    if (a == b)
        return a;
    if (isHalf(a) && isHalf(b))
        return DType::Float32;
    return static_cast<std::uint8_t>(a) > static_cast<std::uint8_t>(b) ? a : b;
}

} // namespace remat::torch
