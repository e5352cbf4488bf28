// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/regions/region_request.h"

namespace remat {
class JsonCursor;
}

namespace remat::ui {

/// What the person chose about a training step in PyTorch, beside what it has in common with this program's own run:
/// batch, sequence, micro-batches, dropout and device stand in TrainingSetup.
struct TorchChoices {
    torch::TorchPrecision precision = torch::TorchPrecision::Half;
    torch::DType half = torch::DType::BFloat16;
    torch::TorchAttention attention = torch::TorchAttention::Sdpa;
    torch::TorchLoss loss = torch::TorchLoss::ModelLoss;
    torch::TorchOptimizer optimizer = torch::TorchOptimizer::AdamW;
    bool hasOldLossShift = false, keepsOutputs = false, usesCache = false, hasResidentGrads = false;
    bool stopsEarly = true, isReentrant = false;

    bool operator==(const TorchChoices&) const = default;
};

/// The question about a step in PyTorch that the choices make.
RegionRequest regionRequestOf(
    const ModelShape& shape, const TrainingSetup& setup, const TorchChoices& choices, const Device& device);
/// The choices that make a request, and the setup's part of it.
TorchChoices choicesOf(const torch::TorchSetup& setup);
TrainingSetup setupOf(const RegionRequest& request);

/// The key "torch" of a document (docs/file-formats.md).
nlohmann::json toJson(const TorchChoices& choices);
TorchChoices readTorchChoices(const JsonCursor& at);

} // namespace remat::ui
