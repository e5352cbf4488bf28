// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/torch_paths.h"

#include "core/model/module_paths.h"

namespace remat {

TorchPaths torchPathsOf(const ModelShape& shape)
{
    const ModulePaths& modules = modulePathsOf(shape);
    TorchPaths paths{torch::layerWrapsOf(shape), {}, {modules.qkv.begin(), modules.qkv.end()}};
    // BERT's FFN is two modules and a method that calls both.
    paths.activation = paths.ffn.starts_with(':') ? "intermediate.intermediate_act_fn"
                                                  : paths.ffn + (*modules.ffnGate ? ".act_fn" : ".act");
    return paths;
}

std::vector<std::string> torchOpsOf(const Op& op, const TorchPaths& paths)
{
    const auto products = [](const std::vector<std::string>& modules) {
        std::vector<std::string> names;
        for (const std::string& module : modules)
            names.push_back(module + "/*mm");
        return names;
    };
    switch (op.kind) {
    case OpKind::Linear:
        return products(op.modules);
    case OpKind::LayerNorm:
        return {op.modules.front() + "/native_layer_norm"};
    case OpKind::RmsNorm: // x * rsqrt(mean(x^2) + eps), then the weight
        return {op.modules.front() + "/rsqrt", op.modules.front() + "/mul#1"};
    case OpKind::Rotary: { // x * cos + rotate_half(x) * sin of queries, then of keys
        std::vector<std::string> names = products({paths.qkv.back()});
        names.push_back(paths.core + "/add#0");
        names.push_back(paths.core + "/add#1");
        return names;
    }
    case OpKind::Attention:
        return {"sdpa"};
    case OpKind::AttentionProbs:
        return {paths.core + "/_softmax"};
    case OpKind::AttentionContext: // the second product; the copy of it that is saved is made again from it
        return {paths.core + "/bmm#1"};
    case OpKind::Activation:
        // GPT-2 composes its GELU of ops that each save something; BERT's, ReLU and SiLU are one.
        return {paths.activation + (op.dims.activation == Activation::GeluTanh ? "/*" : "/" + std::string("*lu"))};
    case OpKind::GatedActivation:
        return {paths.ffn + "/mul"};
    case OpKind::Add: {
        // A pre-norm layer adds in its own forward, BERT's in its output modules.
        if (!paths.norm1.empty())
            return {op.sublayer == Sublayer::Residual1 ? "/add#0" : "/add#1"};
        return {op.sublayer == Sublayer::Residual1 ? paths.attention + ".output/add" : "output/add"};
    }
    default:
        return {};
    }
}

} // namespace remat
