// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/op_class.h"

#include <array>

namespace remat {

std::string_view toName(OpClass opClass)
{
    static constexpr std::array<std::string_view, kOpClassCount> kNames{"gemm", "attention", "stored_attention",
        "elementwise", "activation", "dropout", "reduction", "embedding", "cross_entropy", "optimizer"};
    return kNames[static_cast<std::size_t>(opClass)];
}

OpClass classOf(OpKind kind)
{
    switch (kind) {
    case OpKind::Embedding:
        return OpClass::Embedding;
    case OpKind::LayerNorm:
    case OpKind::RmsNorm:
        return OpClass::Reduction;
    case OpKind::Linear:
    case OpKind::ChunkedHead:
        return OpClass::Gemm;
    case OpKind::Attention:
        return OpClass::Attention;
    case OpKind::AttentionProbs:
    case OpKind::AttentionContext:
        return OpClass::StoredAttention;
    case OpKind::Activation:
    case OpKind::GatedActivation:
        return OpClass::Activation;
    case OpKind::Dropout:
        return OpClass::Dropout;
    case OpKind::Add:
    case OpKind::Rotary:
        return OpClass::Elementwise;
    case OpKind::CrossEntropy:
        return OpClass::CrossEntropy;
    }
    return OpClass::Elementwise;
}

bool isProductClass(OpClass opClass)
{
    return opClass == OpClass::Gemm || opClass == OpClass::Attention || opClass == OpClass::StoredAttention;
}

} // namespace remat
