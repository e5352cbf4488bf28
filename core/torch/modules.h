// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/model_shape.h"
#include "core/torch/dialect.h"
#include "core/torch/ops.h"

namespace remat::torch {

/// nn.Linear, or GPT-2's Conv1D, whose weight is (in, out).
struct Linear {
    int module = 0;
    Tensor weight, bias;
    bool isInOut = false;

    bool isGiven() const { return weight.defined(); }
    Tensor operator()(const Tensor& x) const;
};

/// nn.LayerNorm or one of the RMSNorm modules, which are Python compositions.
struct Norm {
    int module = 0;
    Tensor weight, bias;
    NormKind kind = NormKind::LayerNorm;
    bool copiesInput = false; ///< see Dialect
    bool castsResult = false;

    bool isGiven() const { return weight.defined() || isPlain; }
    bool isPlain = false; ///< a LayerNorm without weights
    Tensor operator()(const Tensor& x) const;
};

/// ACT2FN[name].
Tensor activate(Activation activation, ActivationForm form, const Tensor& x);

} // namespace remat::torch
