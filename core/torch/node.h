// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/torch/tensor.h"

namespace remat::torch {

class ExactLayer;
struct Region;

/// A tensor that a node needs for its backward: the tensor itself, or (inside a checkpointed region) the place in which
/// the region's recomputation will put it, with the place in the graph that it gets back then, or (in a layer under a
/// keep-set) the look at a value that the layer keeps or makes again.
struct Saved {
    Tensor tensor;
    Ref<Region> region;
    int slot = -1;
    bool requiresGrad = false;
    Ref<Node> gradFn;
    int outputNumber = 0;
    ExactLayer* exact = nullptr; ///< in which `slot` is the look
};

struct Edge {
    Ref<Node> node; ///< null: this input needs no gradient
    int input = 0;  ///< which of that node's outputs it was
};

/// What a gradient that arrives at an output must look like; the engine reduces and casts it to that.
struct OutputMeta {
    Dims sizes;
    DType dtype = DType::Float32;
};

struct BackwardCall;

/// A kind of autograd node: its name as PyTorch prints it, and the ops that its backward dispatches.
struct NodeKind {
    const char* name;
    void (*backward)(BackwardCall& call);
};

/// A node of the autograd graph: one differentiable op of the forward.
struct Node {
    Machine* machine = nullptr;
    int references = 0;
    const NodeKind* kind = nullptr;
    std::uint64_t sequence = 0; ///< the engine runs the ready node with the highest one first
    int module = 0;             ///< where it was made
    std::vector<Edge> next;     ///< one per differentiable input
    std::vector<Saved> saved;
    std::vector<OutputMeta> outputs;
    Tensor variable; ///< of AccumulateGrad: the leaf, held as long as the graph is
    Ref<Region>
        reentrant; ///< of a reentrant checkpoint: what to run again, which the graph holds as long as it is there

    // What the backward functions of single ops remember besides tensors.
    Dims dims[2];
    Dims firstSizes, firstStrides; ///< of a product: the first operand's
    std::int64_t numbers[3] = {};
    std::vector<std::int64_t> pieces; ///< of cat: the size of each
    DType dtype = DType::Float32;
    bool flag = false;

    // The engine's: gradients that have arrived per output, and how many edges are still to deliver.
    std::vector<Tensor> gradients;
    int dependencies = 0;
    int run = 0;

    void lastReferenceDropped();
    void releaseSaved();
};

/// A node's backward while it runs.  `in` are the gradients of its outputs (some may be undefined), `saved` its
/// unpacked tensors; `out` receives a gradient for every edge that needs one.
struct BackwardCall {
    Machine& machine;
    Node& node;
    std::vector<Tensor>& in;
    std::vector<Tensor>& saved;
    std::vector<Tensor>& out;

    bool needs(int edge) const { return static_cast<bool>(node.next[static_cast<std::size_t>(edge)].node); }
    const Tensor& grad() const { return in[0]; }
    Tensor& result(int edge) { return out[static_cast<std::size_t>(edge)]; }
};

} // namespace remat::torch
