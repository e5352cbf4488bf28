// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/tape/gradient_flow.h"

namespace remat::testing {

/// A stage small enough to follow with a pencil; candidates are up and act.
///
///   x (100) -- up, weight w (30), scratch 7 --> a (200) -- act --> b (50) -- down --> y (100)
///   backward reads: up x, act a, down b
inline StageTape handStage()
{
    StageTape tape{.kind = "hand"};
    const auto tensor = [&](const char* name, std::int64_t bytes, TensorRole role, int producer) {
        tape.tensors.push_back({.name = name, .bytes = {bytes}, .role = role, .producer = producer});
        return static_cast<int>(tape.tensors.size()) - 1;
    };
    const int x = tensor("x", 100, TensorRole::Input, -1);
    const int a = tensor("a", 200, TensorRole::Activation, 0);
    const int b = tensor("b", 50, TensorRole::Activation, 1);
    const int y = tensor("y", 100, TensorRole::Output, 2);
    tape.parameters.push_back({.name = "w", .bytes = {30}});
    tape.ops.push_back({.kind = OpKind::Linear,
        .name = "up",
        .reads = {x},
        .writes = {a},
        .backwardReads = {x},
        .parameters = {0},
        .forwardWorkspace = {7}});
    tape.ops.push_back({.kind = OpKind::Activation, .name = "act", .reads = {a}, .writes = {b}, .backwardReads = {a}});
    tape.ops.push_back({.kind = OpKind::Activation, .name = "down", .reads = {b}, .writes = {y}, .backwardReads = {b}});
    tape.input = x;
    tape.output = y;
    return tape;
}

} // namespace remat::testing
