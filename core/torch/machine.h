// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/torch/node.h"
#include "core/torch/region.h"

namespace remat::torch {

/// The caching allocator hands out multiples of this (kMinBlockSize).
inline constexpr Bytes kGranule{512};

enum class Phase : std::uint8_t { Forward, Backward, Recompute, Optimizer };

/// One dispatched op that made storage.
struct Event {
    OpCode op = OpCode::Input;
    Phase phase = Phase::Forward;
    int module = 0;                 ///< index of Machine::modulePath
    const NodeKind* node = nullptr; ///< of backward: the autograd node that ran it
    Bytes live;                     ///< allocated right after it
    Bytes temporaries;              ///< what its kernel allocates on top while it runs
    Bytes traffic;                  ///< read and written
    Flops flops;                    ///< as torch.utils.flop_counter counts
};

/// Thrown out of a machine that was told to stop; whoever gave it the token catches it.
struct StepCancelled : std::exception {
    const char* what() const noexcept override { return "the simulation of a step was stopped"; }
};

/// What an op costs besides its outputs.
struct Work {
    Flops flops;
    Bytes traffic;
    Bytes temporaries;
};

/// A symbolic eager PyTorch: it runs the same ops in the same order as Python and autograd would, on tensors that have
/// shape, strides, type and storage but no numbers, and says what the CUDA caching allocator would be asked for.
///
///   Machine machine;
///   Tensor w = machine.parameter({n, n}, DType::Float16);
///   Tensor x = machine.input({n, n}, DType::Float16);
///   Tensor loss = sum(linear(x, w, {}));       // core/torch/ops.h
///   machine.backward(loss);                    // core/torch/engine.cpp
///   machine.peak();
///
/// Rules followed, and their sources: autograd saves what derivatives.yaml says; the engine runs ready nodes by falling
/// sequence number and sums gradients in place only into an unshared buffer (torch/csrc/autograd/input_buffer.cpp);
/// AccumulateGrad steals an unshared gradient with the parameter's layout; autocast casts per consumer and keeps one
/// half copy of each weight until it ends; checkpointed regions are replayed (core/torch/region.h).
class Machine {
public:
    Machine();
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // ---- Tensors
    Tensor parameter(const Dims& sizes, DType type);
    Tensor buffer(const Dims& sizes, DType type) { return resident(sizes, type, StorageKind::Buffer, OpCode::Buffer); }
    Tensor input(const Dims& sizes, DType type) { return resident(sizes, type, StorageKind::Input, OpCode::Input); }
    Tensor state(const Dims& sizes, DType type)
    {
        return resident(sizes, type, StorageKind::OptimizerState, OpCode::Parameter);
    }
    /// A new storage, as an op's output.  Contiguous unless strides are given.
    Tensor make(OpCode op, const Dims& sizes, DType type);
    Tensor make(OpCode op, const Dims& sizes, const Dims& strides, DType type);
    /// The same storage seen another way.  A differentiable view holds on to what it looks at.
    Tensor view(const Tensor& of, const Dims& sizes, const Dims& strides, bool isDifferentiable);
    /// Notes that an op ran; its outputs exist.  Throws StepCancelled once stopWhen() says so.  `reads` is what it
    /// needs to run again in a layer under a keep-set.
    void record(OpCode op, const Work& work, std::initializer_list<const Tensor*> reads = {});
    void record(OpCode op, const Work& work, const std::vector<Tensor>& reads);
    /// Notes that an op wrote into a tensor.
    void recordWrite(const Tensor& target, std::initializer_list<const Tensor*> reads);
    /// Asked at every op.
    void stopWhen(std::stop_token cancel) { m_cancel = std::move(cancel); }

    // ---- Autograd
    bool isGradEnabled() const { return m_isGradEnabled; }
    /// A node for an op with these inputs, or null where none of them needs a gradient.
    Ref<Node> node(const NodeKind& kind, std::initializer_list<const Tensor*> inputs);
    Ref<Node> node(const NodeKind& kind, const std::vector<Tensor>& inputs);
    void save(Node& node, const Tensor& tensor);
    /// Saves an output: a detached alias, so that the node does not own itself.
    void saveOutput(Node& node, const Tensor& tensor);
    /// Makes `output` the next output of `node`; without a node nothing happens.
    void attach(const Ref<Node>& node, Tensor& output);
    /// loss.backward().
    void backward(const Tensor& loss);
    /// torch.autograd.backward(roots, gradients), from inside a node's backward too.
    void backward(const std::vector<Tensor>& roots, std::vector<Tensor> gradients);

    // ---- Autocast
    std::optional<DType> autocast() const;
    /// `tensor` in `type`, through autocast's cache where it is an fp32 leaf.
    Tensor castForAutocast(const Tensor& tensor, DType type);

    // ---- Checkpointed regions
    RegionStack& regions() { return m_regions; }
    /// True while a recomputation has passed its last needed tensor: the rest of the region's code runs without effect.
    bool isHalted() const { return m_isHalted; }

    // ---- Layers under an exact keep-set (core/torch/exact_layer.h)
    ExactLayer& beginExactLayer(int module, const std::vector<std::string>& kept);
    void endExactLayer() { m_exact = nullptr; }
    const std::vector<std::unique_ptr<ExactLayer>>& exactLayers() const { return m_exactLayers; }

    // ---- What happened
    void setPhase(Phase phase) { m_phase = phase; }
    Phase phase() const;
    Bytes live() const { return m_live; }
    /// The greatest bytes since resetPeak(), kernels' own temporaries included, and the event where it was.
    Bytes peak() const { return m_peak; }
    int peakEvent() const { return m_peakEvent; }
    void resetPeak();
    const std::vector<Event>& events() const { return m_events; }
    Bytes liveOf(StorageKind kind) const;
    template <class Visit> void forEachLiveStorage(Visit visit) const
    {
        m_storages.forEach([&](const Storage& storage) {
            if (storage.references > 0)
                visit(storage);
        });
    }

    // ---- Module paths
    /// A number for the module at `path`; 0 is the model itself.
    int module(std::string path);
    const std::string& modulePath(int module) const { return m_modulePaths[static_cast<std::size_t>(module)]; }
    const std::vector<std::string>& modulePaths() const { return m_modulePaths; }
    int currentModule() const { return m_modules.back(); }

private:
    friend class ModuleScope;
    friend class AutocastScope;
    friend class GradScope;
    friend class RebuildScope;
    friend class Engine;
    friend struct Storage;
    friend struct TensorImpl;
    friend struct Node;
    friend struct Region;
    friend class RegionStack;

    struct Autocast {
        std::optional<DType> type;
        std::unordered_map<TensorImpl*, Tensor> casts;
    };

    Tensor resident(const Dims& sizes, DType type, StorageKind kind, OpCode op);
    TensorImpl& newTensor(const Dims& sizes, const Dims& strides, DType type);
    Edge edgeTo(const Tensor& tensor);
    Saved packed(const Tensor& tensor);
    Tensor unpacked(Saved& saved);
    void note(OpCode op, const Work& work);
    void recycle(Node& node);

    Pool<Storage> m_storages;
    Pool<TensorImpl> m_tensors;
    Pool<Node> m_nodes;
    std::vector<Node*> m_dyingNodes;
    bool m_isBurying = false;

    Bytes m_live, m_peak;
    int m_peakEvent = -1;
    std::vector<Event> m_events;

    std::stop_token m_cancel;
    bool m_isGradEnabled = true;
    bool m_isHalted = false;
    bool m_isRebuilding = false; ///< an op of a layer under a keep-set runs again
    bool m_tookCached = false;   ///< the op that now runs has its output from a region's cache
    Phase m_phase = Phase::Forward;
    std::uint64_t m_sequence = 0;
    int m_engineRuns = 0;
    Node* m_currentNode = nullptr;
    std::vector<Autocast> m_autocasts;
    RegionStack m_regions;
    ExactLayer* m_exact = nullptr; ///< whose forward runs
    std::vector<std::unique_ptr<ExactLayer>> m_exactLayers;
    std::vector<std::string> m_modulePaths;
    std::vector<int> m_modules; ///< the stack; m_modules[0] is the model
};

/// `with` blocks of Python.
class ModuleScope {
public:
    ModuleScope(Machine& machine, int module) : m_machine(machine) { m_machine.m_modules.push_back(module); }
    ~ModuleScope() { m_machine.m_modules.pop_back(); }
    ModuleScope(const ModuleScope&) = delete;

private:
    Machine& m_machine;
};

class AutocastScope {
public:
    /// Without a type: autocast is off inside.
    AutocastScope(Machine& machine, std::optional<DType> type);
    ~AutocastScope();
    AutocastScope(const AutocastScope&) = delete;

private:
    Machine& m_machine;
};

class RebuildScope {
public:
    explicit RebuildScope(Machine& machine) : m_machine(machine) { m_machine.m_isRebuilding = true; }
    ~RebuildScope() { m_machine.m_isRebuilding = false; }
    RebuildScope(const RebuildScope&) = delete;

private:
    Machine& m_machine;
};

class GradScope {
public:
    GradScope(Machine& machine, bool isEnabled) : m_machine(machine), m_before(machine.m_isGradEnabled)
    {
        m_machine.m_isGradEnabled = isEnabled;
    }
    ~GradScope() { m_machine.m_isGradEnabled = m_before; }
    GradScope(const GradScope&) = delete;

private:
    Machine& m_machine;
    bool m_before;
};

} // namespace remat::torch
