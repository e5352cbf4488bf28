// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/modules.h"

namespace remat::torch {

namespace {

/// x * rsqrt(mean(x^2) + eps), each intermediate freed as soon as Python frees it.
Tensor inverseRoot(const Tensor& x)
{
    Tensor variance = pow(x);
    variance = meanLast(variance);
    variance = addScalar(variance);
    return rsqrt(variance);
}

/// LlamaRMSNorm, and its variants in OLMo 2 and T5.
Tensor rmsNorm(const Norm& norm, const Tensor& x)
{
    if (norm.copiesInput) {
        // T5: the fp32 copy serves the variance alone, and the product is in fp32 until it is cast to the weight's
        // type.
        Tensor variance = to(x, DType::Float32);
        variance = pow(variance);
        variance = meanLast(variance);
        Tensor root = addScalar(variance);
        root = rsqrt(root);
        Tensor hidden = mul(x, root);
        root.reset();
        if (isHalf(norm.weight.dtype()))
            hidden = to(hidden, norm.weight.dtype());
        return mul(norm.weight, hidden);
    }
    Tensor hidden = to(x, DType::Float32);
    Tensor variance = pow(hidden);
    variance = meanLast(variance);
    {
        Tensor root = addScalar(variance);
        root = rsqrt(root);
        hidden = mul(hidden, root);
    }
    if (norm.castsResult) {
        const Tensor product = mul(norm.weight, hidden);
        return to(product, x.dtype());
    }
    const Tensor cast = to(hidden, x.dtype());
    return mul(norm.weight, cast);
}

/// GemmaRMSNorm: (x * (1 + weight)) in fp32, then cast.
Tensor gemmaNorm(const Norm& norm, const Tensor& x)
{
    Tensor output;
    {
        const Tensor wide = to(x, DType::Float32);
        const Tensor root = inverseRoot(wide);
        output = mul(wide, root);
    }
    {
        Tensor scale = to(norm.weight, DType::Float32);
        scale = addScalar(scale);
        output = mul(output, scale);
    }
    return to(output, x.dtype());
}

/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) op by op.
Tensor geluNew(const Tensor& x)
{
    const Tensor half = mulScalar(x);
    Tensor inner = pow(x);
    inner = mulScalar(inner);
    inner = add(x, inner);
    inner = mulScalar(inner);
    inner = tanh(inner);
    inner = addScalar(inner);
    return mul(half, inner);
}

/// 0.5 x (1 + tanh(0.79788456 x (1 + 0.044715 x x))).
Tensor geluFast(const Tensor& x)
{
    const Tensor half = mulScalar(x);
    const Tensor scaled = mulScalar(x);
    Tensor inner = mulScalar(x);
    inner = mul(inner, x);
    inner = addScalar(inner);
    inner = mul(scaled, inner);
    inner = tanh(inner);
    inner = addScalar(inner);
    return mul(half, inner);
}

/// x sigmoid(1.702 x).
Tensor quickGelu(const Tensor& x)
{
    Tensor gate = mulScalar(x);
    gate = sigmoid(gate);
    return mul(x, gate);
}

} // namespace

Tensor Linear::operator()(const Tensor& x) const
{
    Machine& m = x.machine();
    const ModuleScope scope(m, module);
    if (!isInOut)
        return linear(x, weight, bias);
    Dims sizes = x.sizes();
    sizes[sizes.count() - 1] = weight.size(1);
    const Tensor rows = view(x, {x.elements() / x.size(-1), x.size(-1)});
    const Tensor product = addmm(bias, rows, weight);
    return view(product, sizes);
}

Tensor Norm::operator()(const Tensor& x) const
{
    const ModuleScope scope(x.machine(), module);
    switch (kind) {
    case NormKind::LayerNorm:
        return layerNorm(x, weight, bias);
    case NormKind::RmsNorm:
        return rmsNorm(*this, x);
    case NormKind::RmsNormPlusOne:
        return gemmaNorm(*this, x);
    }
    return x;
}

Tensor activate(Activation activation, ActivationForm form, const Tensor& x)
{
    switch (activation) {
    case Activation::Relu:
        return relu(x);
    case Activation::Silu:
        return silu(x);
    case Activation::QuickGelu:
        return quickGelu(x);
    case Activation::Gelu:
    case Activation::GeluTanh:
        break;
    }
    switch (form) {
    case ActivationForm::GeluNew:
        return geluNew(x);
    case ActivationForm::GeluFast:
        return geluFast(x);
    case ActivationForm::BloomGelu:
        return bloomGelu(x);
    case ActivationForm::Fused:
        break;
    }
    return gelu(x);
}

} // namespace remat::torch
