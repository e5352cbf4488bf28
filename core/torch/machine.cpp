// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/machine.h"

#include <limits>

#include "core/torch/exact_layer.h"
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// Runs as soon as it is ready: in PyTorch too it has the greatest of all sequence numbers.
constexpr std::uint64_t kFirst = std::numeric_limits<std::uint64_t>::max();

constexpr NodeKind kAccumulateGrad{"torch::autograd::AccumulateGrad", nullptr};

} // namespace

void Storage::lastReferenceDropped()
{
    machine->m_live -= bytes;
    machine->m_storages.giveBack(*this);
}

void TensorImpl::lastReferenceDropped()
{
    storage.reset();
    gradFn.reset();
    base.reset();
    grad.reset();
    machine->m_tensors.giveBack(*this);
}

void Node::lastReferenceDropped()
{
    machine->recycle(*this);
}

void Node::releaseSaved()
{
    for (Saved& item : saved) {
        if (item.region && item.slot >= 0) {
            Region::Slot& slot = item.region->entries[static_cast<std::size_t>(item.slot)];
            slot.isWanted = false;
            slot.tensor.reset();
        }
    }
    saved.clear();
}

Machine::Machine() : m_regions(*this)
{
    m_modulePaths.emplace_back();
    m_modules.push_back(0);
}

Machine::~Machine() = default;

/// Long chains of nodes die one after the other instead of one inside the other, which would overflow the call stack.
void Machine::recycle(Node& node)
{
    m_dyingNodes.push_back(&node);
    if (m_isBurying)
        return;
    m_isBurying = true;
    while (!m_dyingNodes.empty()) {
        Node& dying = *m_dyingNodes.back();
        m_dyingNodes.pop_back();
        dying.releaseSaved();
        dying.reentrant.reset();
        dying.next.clear();
        dying.outputs.clear();
        dying.pieces.clear();
        dying.gradients.clear();
        if (dying.variable) {
            dying.variable.impl()->accumulate = nullptr;
            dying.variable.reset();
        }
        dying.flag = false;
        m_nodes.giveBack(dying);
    }
    m_isBurying = false;
}

TensorImpl& Machine::newTensor(const Dims& sizes, const Dims& strides, DType type)
{
    TensorImpl& tensor = m_tensors.take();
    tensor.machine = this;
    tensor.sizes = sizes;
    tensor.strides = strides;
    tensor.dtype = type;
    tensor.requiresGrad = false;
    tensor.outputNumber = 0;
    return tensor;
}

Tensor Machine::make(OpCode op, const Dims& sizes, DType type)
{
    return make(op, sizes, contiguousStrides(sizes), type);
}

Tensor Machine::make(OpCode op, const Dims& sizes, const Dims& strides, DType type)
{
    if (Tensor cached = m_regions.takeCached(op)) {
        m_tookCached = true;
        return cached;
    }
    Tensor tensor(&newTensor(sizes, strides, type));
    const Bytes raw{elementsOf(sizes) * sizeOf(type)};
    if (m_isHalted || raw.value == 0)
        return tensor;
    Storage& storage = m_storages.take();
    storage.machine = this;
    storage.rawBytes = raw;
    storage.bytes = roundUp(raw, kGranule);
    storage.kind = StorageKind::Temporary;
    storage.op = op;
    storage.dtype = type;
    storage.module = currentModule();
    storage.sizes = sizes;
    storage.madeIn = nullptr;
    m_live += storage.bytes;
    tensor.impl()->storage = Ref<Storage>(&storage);
    m_regions.offer(op, tensor);
    if (m_exact)
        m_exact->made(tensor);
    return tensor;
}

Tensor Machine::resident(const Dims& sizes, DType type, StorageKind kind, OpCode op)
{
    Tensor tensor = make(op, sizes, type);
    tensor.impl()->storage->kind = kind;
    return tensor;
}

Tensor Machine::parameter(const Dims& sizes, DType type)
{
    Tensor tensor = resident(sizes, type, StorageKind::Parameter, OpCode::Parameter);
    tensor.impl()->requiresGrad = true;
    return tensor;
}

Tensor Machine::view(const Tensor& of, const Dims& sizes, const Dims& strides, bool isDifferentiable)
{
    TensorImpl& tensor = newTensor(sizes, strides, of.dtype());
    tensor.storage = of.impl()->storage;
    if (isDifferentiable)
        tensor.base = of.impl()->base ? of.impl()->base : of;
    return Tensor(&tensor);
}

void Machine::record(OpCode op, const Work& work, std::initializer_list<const Tensor*> reads)
{
    note(op, work);
    if (m_exact)
        m_exact->ran(op, work, reads);
}

void Machine::record(OpCode op, const Work& work, const std::vector<Tensor>& reads)
{
    note(op, work);
    if (m_exact)
        m_exact->ran(op, work, reads);
}

void Machine::recordWrite(const Tensor& target, std::initializer_list<const Tensor*> reads)
{
    if (m_exact)
        m_exact->wrote(target, reads);
}

void Machine::note(OpCode op, const Work& work)
{
    if (m_cancel.stop_requested())
        throw StepCancelled();
    if (m_isHalted || std::exchange(m_tookCached, false))
        return;
    const Phase now = phase();
    const bool isBackward = now == Phase::Backward && m_currentNode;
    m_events.push_back({op, now, isBackward ? m_currentNode->module : currentModule(),
        isBackward ? m_currentNode->kind : nullptr, m_live, work.temporaries, work.traffic, work.flops});
    if (m_live + work.temporaries > m_peak) {
        m_peak = m_live + work.temporaries;
        m_peakEvent = static_cast<int>(m_events.size()) - 1;
    }
}

Phase Machine::phase() const
{
    const bool isAgain = m_isRebuilding || (m_isGradEnabled && m_currentNode);
    return m_phase == Phase::Backward && isAgain ? Phase::Recompute : m_phase;
}

void Machine::resetPeak()
{
    m_peak = m_live;
    m_peakEvent = -1;
}

Bytes Machine::liveOf(StorageKind kind) const
{
    Bytes sum;
    forEachLiveStorage([&](const Storage& storage) {
        if (storage.kind == kind)
            sum += storage.bytes;
    });
    return sum;
}

Edge Machine::edgeTo(const Tensor& tensor)
{
    if (!tensor.defined() || !tensor.requiresGrad())
        return {};
    TensorImpl& impl = *tensor.impl();
    if (impl.gradFn)
        return {impl.gradFn, impl.outputNumber};
    if (!impl.accumulate) {
        Node& node = m_nodes.take();
        node.machine = this;
        node.kind = &kAccumulateGrad;
        node.sequence = kFirst;
        node.module = 0;
        node.variable = tensor;
        node.outputs.push_back({impl.sizes, impl.dtype});
        impl.accumulate = &node;
    }
    return {Ref<Node>(impl.accumulate), 0};
}

Ref<Node> Machine::node(const NodeKind& kind, std::initializer_list<const Tensor*> inputs)
{
    bool isNeeded = false;
    for (const Tensor* input : inputs)
        isNeeded = isNeeded || (input->defined() && input->requiresGrad());
    if (!isNeeded || !m_isGradEnabled)
        return {};
    Ref<Node> made(&m_nodes.take());
    made->machine = this;
    made->kind = &kind;
    made->sequence = m_sequence++;
    made->module = currentModule();
    for (const Tensor* input : inputs)
        made->next.push_back(edgeTo(*input));
    return made;
}

Ref<Node> Machine::node(const NodeKind& kind, const std::vector<Tensor>& inputs)
{
    bool isNeeded = false;
    for (const Tensor& input : inputs)
        isNeeded = isNeeded || (input.defined() && input.requiresGrad());
    if (!isNeeded || !m_isGradEnabled)
        return {};
    Ref<Node> made(&m_nodes.take());
    made->machine = this;
    made->kind = &kind;
    made->sequence = m_sequence++;
    made->module = currentModule();
    for (const Tensor& input : inputs)
        made->next.push_back(edgeTo(input));
    return made;
}

void Machine::save(Node& node, const Tensor& tensor)
{
    node.saved.push_back(packed(tensor));
}

void Machine::saveOutput(Node& node, const Tensor& tensor)
{
    node.saved.push_back(packed(view(tensor, tensor.sizes(), tensor.strides(), false)));
}

Saved Machine::packed(const Tensor& tensor)
{
    return m_exact ? m_exact->pack(tensor) : m_regions.pack(tensor);
}

Tensor Machine::unpacked(Saved& saved)
{
    return saved.exact ? saved.exact->unpack(saved.slot) : m_regions.unpack(saved);
}

ExactLayer& Machine::beginExactLayer(int module, const std::vector<std::string>& kept)
{
    m_exactLayers.push_back(std::make_unique<ExactLayer>(*this, module, kept));
    m_exact = m_exactLayers.back().get();
    return *m_exact;
}

void Machine::attach(const Ref<Node>& node, Tensor& output)
{
    if (!node)
        return;
    TensorImpl& impl = *output.impl();
    impl.requiresGrad = true;
    impl.gradFn = node;
    impl.outputNumber = static_cast<int>(node->outputs.size());
    node->outputs.push_back({impl.sizes, impl.dtype});
}

std::optional<DType> Machine::autocast() const
{
    return m_autocasts.empty() ? std::nullopt : m_autocasts.back().type;
}

Tensor Machine::castForAutocast(const Tensor& tensor, DType type)
{
    if (!isFloating(tensor.dtype()) || tensor.dtype() == type)
        return tensor;
    const bool isCached = type != DType::Float32 && tensor.dtype() == DType::Float32 && tensor.requiresGrad()
        && !tensor.impl()->gradFn && !tensor.impl()->base;
    if (isCached) {
        const auto found = m_autocasts.front().casts.find(tensor.impl());
        if (found != m_autocasts.front().casts.end())
            return found->second;
    }
    Tensor cast = to(tensor, type);
    if (isCached) {
        m_autocasts.front().casts.emplace(tensor.impl(), cast);
    }
    return cast;
}

AutocastScope::AutocastScope(Machine& machine, std::optional<DType> type) : m_machine(machine)
{
    m_machine.m_autocasts.push_back({type, {}});
}

AutocastScope::~AutocastScope()
{
    m_machine.m_autocasts.pop_back();
}

int Machine::module(std::string path)
{
    m_modulePaths.push_back(std::move(path));
    return static_cast<int>(m_modulePaths.size()) - 1;
}

} // namespace remat::torch
