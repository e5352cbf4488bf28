// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/activation_names.h"

#include <string_view>

#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownActivation{"config-activation-unsupported",
    REMAT_TR("The activation \"{0}\" is not supported."), REMAT_TR("Supported are {1}.")};

struct NamedActivation {
    std::string_view name;
    Activation activation;
    ActivationForm form = ActivationForm::Fused;
};

/// transformers' ACT2FN: gelu_new, gelu_fast and gelu_pytorch_tanh are one function, computed in different ways.
constexpr NamedActivation kActivations[] = {
    {"gelu", Activation::Gelu},
    {"gelu_new", Activation::GeluTanh, ActivationForm::GeluNew},
    {"gelu_fast", Activation::GeluTanh, ActivationForm::GeluFast},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"quick_gelu", Activation::QuickGelu},
    {"relu", Activation::Relu},
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
};

} // namespace

void setActivation(ModelShape& shape, ConfigKeys& keys, const char* key, const std::string& name)
{
    std::string known;
    for (const NamedActivation& row : kActivations) {
        if (row.name == name) {
            shape.activation = row.activation;
            shape.activationForm = row.form;
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    keys[key].fail(kUnknownActivation, {shortened(name), known});
}

std::string activationName(const ModelShape& shape)
{
    for (const NamedActivation& row : kActivations)
        if (row.activation == shape.activation && row.form == shape.activationForm)
            return std::string(row.name);
    return {};
}

} // namespace remat
