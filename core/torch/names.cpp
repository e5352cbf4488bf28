// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/dtype.h"
#include "core/torch/op_code.h"

namespace remat::torch {

namespace {

constexpr std::string_view kOpNames[] = {
#define REMAT_TORCH_NAME(code, name) name,
    REMAT_TORCH_OPS(REMAT_TORCH_NAME)
#undef REMAT_TORCH_NAME
};

} // namespace

std::string_view nameOf(OpCode code)
{
    return kOpNames[static_cast<std::size_t>(code)];
}

const char* nameOf(DType type)
{
    switch (type) {
    case DType::Bool:
        return "bool";
    case DType::Int64:
        return "int64";
    case DType::Float16:
        return "float16";
    case DType::BFloat16:
        return "bfloat16";
    case DType::Float32:
        return "float32";
    }
    return "";
}

} // namespace remat::torch
