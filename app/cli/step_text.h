// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace remat::cli {

/// What the first line of every answer about a training step says.
struct StepTitle {
    std::string model;
    std::int64_t parameters = 0;
    std::int64_t batch = 1, microBatches = 1, sequence = 1;
    std::string profile; ///< with what it needs said beside it: "pytorch, half"
    std::string device;
};

/// "gpt2 (124 M parameters), batch 8 x 2 micro-batches x 1024 tokens, profile runtime, device cpu" and a line break.
std::string textOf(const StepTitle& title);

/// "defaults: --seq 1024, --device cpu" and a line break; nothing where every flag was given.
std::string defaultsLine(const std::vector<std::string>& defaults);

} // namespace remat::cli
