// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/model_shape.h"
#include "core/torch/machine.h"
#include "core/torch/torch_setup.h"

namespace remat::torch {

/// Where and when the most is allocated.
struct PeakPlace {
    Bytes bytes; ///< kernels' own temporaries included
    Phase phase = Phase::Forward;
    std::string module; ///< "model.layers.3.mlp"; empty: the model's own forward
    std::string op;     ///< "_log_softmax_backward_data"
    std::string node;   ///< of backward: "LogSoftmaxBackward0"

    /// Cross entropy: an op of its own kind, which the model's forward calls or a module that nobody looks for.
    bool isInLoss() const { return op.starts_with("_log_softmax") || op.starts_with("nll_loss"); }
};

/// A tensor that stays from forward to backward.
struct SavedTensor {
    std::string module, op;
    Dims sizes;
    DType dtype = DType::Float32;
    Bytes bytes;
    bool isWeightCast = false;
};

/// One training step of a Hugging Face model in PyTorch, predicted: what reference/torch's tracker measures.
///
/// All bytes are what the caching allocator hands out (multiples of 512).  `base` is live before forward: parameters,
/// buffers, inputs, optimizer states and, where they are resident, gradients.  `saved` is live at the end of forward
/// minus base, the loss and autocast's weight copies included.  The CUDA context, cuBLAS's workspace and fragmentation
/// are not in it.
struct TorchStep {
    std::int64_t parameters = 0;
    Bytes parameterBytes, bufferBytes, inputBytes, optimizerBytes, gradientBytes;
    Bytes base, saved, weightCasts;
    Bytes forwardPeak, backwardPeak, optimizerPeak; ///< optimizerPeak is 0 without an optimizer
    PeakPlace peak;                                 ///< the greatest of the three
    Flops forward, backward, recompute;
    std::vector<SavedTensor> savedTensors;
    std::vector<Event> events;            ///< every op that made storage, in order
    std::vector<std::string> modulePaths; ///< of Event::module
    std::string attention = "eager";      ///< "flash", "efficient", "math", or several: "efficient+flash"
};

/// The ops of one layer's forward and what they make, as backward will need it: what a keep-set chooses from
/// (core/torch/exact_layer.h).
struct LayerGraph {
    struct Op {
        std::string name;               ///< "attn/addmm@2"
        Event event;                    ///< op, FLOPs and traffic
        std::vector<std::size_t> reads; ///< values
    };
    struct Value {
        Bytes bytes;
        std::vector<std::size_t> recipe; ///< the op that makes it, then those that write into it
        bool isSaved = false;            ///< some op's backward reads it
        bool isOutput = false;           ///< the next layer reads it
    };
    std::vector<Op> ops;
    std::vector<Value> values;
};

/// Of a layer by its number.  The setup's regions play no part.
LayerGraph layerGraphOf(const ModelShape& shape, TorchSetup setup, std::size_t layer);

/// False for experts of widths that are no multiples of 8: PyTorch's grouped product refuses rows that do not begin at
/// multiples of 16 bytes.
bool knowsTorchStep(const ModelShape& shape);

/// Runs the step on the symbolic machine, for a shape that knowsTorchStep().  The shape and the setup are valid
/// (core/model/training_setup.h) and `setup.sequence` is given.  A few milliseconds for 32 layers.  Throws
/// StepCancelled where `cancel` asks for it on the way.
TorchStep simulateTorchStep(const ModelShape& shape, const TorchSetup& setup, const std::stop_token& cancel = {});

/// What one more layer adds to `saved`: the difference between two and three layers (between two and four, halved,
/// where layers alternate).
Bytes savedBytesPerLayer(ModelShape shape, TorchSetup setup);

} // namespace remat::torch
