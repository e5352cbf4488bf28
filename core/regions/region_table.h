// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/regions/region_plan.h"

namespace remat {

/// What a module is in its layer; Other: the layer's own code, such as the sums of the residual stream.
enum class LayerPart : std::uint8_t { Attention, Ffn, Norm, Other };

/// A module of the layers, in the order in which forward reaches it.  A child of the layer is followed by all modules
/// inside it, itself among them where it runs ops of its own.
struct ModuleRow {
    std::string module; ///< path inside the layer, "mlp.c_fc"; empty: the layer's own code
    int parent = -1;    ///< row of the child of the layer that it stands in; -1: it is that child
    LayerPart part = LayerPart::Other;

    bool operator==(const ModuleRow&) const = default;
};

/// What a plan does to one module of one layer, in one micro-batch.
struct ModuleCell {
    Bytes kept;          ///< made there and saved for backward, by the plan
    Bytes all;           ///< the same without any region; less than `kept` where only a region wants it as its input
    Flops flops;         ///< forward and backward
    Flops recomputed;    ///< of the plan, on top
    Nanoseconds again;   ///< what the plan's recomputation takes there
    Nanoseconds forward; ///< what running all of it once takes
    bool isRecomputed = false;

    bool operator==(const ModuleCell&) const = default;
};

/// A plan of regions as a table of layers and modules.
///
/// Both sides are simulated whole (core/torch/torch_step.h): a tensor counts where it was made, an op where it ran. The
/// cells of children add up with `embedding` and `head` to the prediction's saved bytes and to the step's FLOPs.
struct RegionTable {
    std::vector<ModuleRow> rows;
    std::vector<ModuleCell> cells; ///< row after row, one a layer; a child of the layer has the sum of its modules
    ModuleCell embedding, head;    ///< what stands before and behind the layers
    std::size_t layers = 0;

    const ModuleCell& cell(std::size_t row, std::size_t layer) const { return cells[row * layers + layer]; }
};

/// `keepAll` and `planned`: the plan's step without and with its regions, of one micro-batch.
RegionTable makeRegionTable(const RegionPlan& plan, const torch::TorchStep& keepAll, const torch::TorchStep& planned);

/// The row of a place inside the layers, its child of the layer; nothing where the place is outside.
struct ModulePlace {
    std::size_t row = 0;
    std::size_t layer = 0;
    bool operator==(const ModulePlace&) const = default;
};
std::optional<ModulePlace> placeOf(const RegionTable& table, const ModelShape& shape, const std::string& modulePath);

/// A tensor that a step without regions saves for the backward of a layer.
struct LayerTensor {
    std::string module; ///< path inside the layer
    std::string op;     ///< that made it
    torch::Dims sizes;
    torch::DType type = torch::DType::Float32;
    Bytes bytes;
    bool isKept = false; ///< by the plan
    Nanoseconds forward; ///< of the op that made it
};

/// Those of one layer.
std::vector<LayerTensor> layerTensors(
    const RegionPlan& plan, const torch::TorchStep& keepAll, const torch::TorchStep& planned, std::size_t layer);

/// What is allocated while an op of a step runs, kernels' own temporaries included.
struct StepInstant {
    Nanoseconds at; ///< when the op begins
    Bytes allocated;
};
/// One entry for each event of the step; its greatest is the step's peak.
std::vector<StepInstant> instantsOf(const torch::TorchStep& step, const RegionRequest& request);

} // namespace remat
