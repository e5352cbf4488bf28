// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/region.h"

#include "core/torch/machine.h"
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// The second half of the reentrant kind: run the function again with gradients, then a backward of its own.
void reentrantBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    Region& region = *call.node.reentrant;
    // A Python function gets zeros for the gradient of an output that nothing used.
    for (std::size_t i = 0; i < call.in.size(); ++i) {
        if (!call.in[i]) {
            const OutputMeta& output = call.node.outputs[i];
            call.in[i] = m.make(OpCode::Zeros, output.sizes, output.dtype);
            m.record(OpCode::Zeros, {{}, call.in[i].bytes(), {}});
        }
    }
    std::vector<Tensor> arguments;
    for (const Tensor& saved : call.saved) {
        if (!saved) { // None, such as a mask that attention goes without
            arguments.emplace_back();
            continue;
        }
        Tensor leaf = m.view(saved, saved.sizes(), saved.strides(), false);
        leaf.impl()->requiresGrad = saved.requiresGrad();
        arguments.push_back(std::move(leaf));
    }
    std::vector<Tensor> outputs;
    {
        GradScope grad(m, true);
        AutocastScope autocast(m, region.autocast);
        outputs = region.function(arguments);
    }
    std::vector<Tensor> roots, gradients;
    std::size_t gradient = 0;
    for (const Tensor& output : outputs) {
        if (!output)
            continue;
        if (output.requiresGrad()) {
            roots.push_back(output);
            gradients.push_back(call.in[gradient]);
        }
        ++gradient;
    }
    m.backward(roots, std::move(gradients));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i] && call.needs(static_cast<int>(i)))
            call.out[i] = arguments[i].impl()->grad;
}

constexpr NodeKind kReentrant{"CheckpointFunctionBackward", reentrantBackward};

std::vector<Tensor> reentrantCheckpoint(Machine& m, Ref<Region> region, const std::vector<Tensor>& arguments)
{
    Ref<Node> node = m.node(kReentrant, arguments);
    std::vector<Tensor> outputs;
    {
        GradScope grad(m, false);
        outputs = region->function(arguments);
    }
    if (node) {
        for (const Tensor& argument : arguments)
            m.save(*node, argument);
        node->reentrant = std::move(region);
        // The function's outputs become those of the checkpoint: fresh handles of the same storages.
        for (Tensor& output : outputs) {
            if (!output)
                continue;
            output = m.view(output, output.sizes(), output.strides(), false);
            m.attach(node, output);
        }
    }
    return outputs;
}

} // namespace

void Region::lastReferenceDropped()
{
    function = nullptr;
    options = {};
    arguments.clear();
    entries.clear();
    cached.clear();
    packed = 0;
    isRecomputed = false;
    machine->regions().m_regions.giveBack(*this);
}

void Region::recompute()
{
    Ref<Region> self(this);
    std::vector<Tensor> inputs;
    inputs.reserve(arguments.size());
    for (Saved& argument : arguments)
        inputs.push_back(machine->regions().unpack(argument));
    const bool wasHalted = std::exchange(machine->m_isHalted, false);
    auto& hooks = machine->regions().m_hooks;
    hooks.push_back({this, true});
    {
        GradScope grad(*machine, true);
        AutocastScope casts(*machine, autocast);
        function(inputs);
    }
    hooks.pop_back();
    machine->m_isHalted = wasHalted;
    isRecomputed = true;
}

Saved RegionStack::pack(const Tensor& tensor)
{
    if (m_hooks.empty() || m_machine.isHalted())
        return {tensor};
    const Hook hook = m_hooks.back();
    Region& region = *hook.region;
    if (!hook.isRecomputation) {
        region.entries.push_back({});
        const TensorImpl& impl = *tensor.impl();
        return {{}, Ref<Region>(&region), static_cast<int>(region.entries.size()) - 1, impl.requiresGrad, impl.gradFn,
            impl.outputNumber};
    }
    const Tensor detached = m_machine.view(tensor, tensor.sizes(), tensor.strides(), false);
    if (region.packed < region.entries.size()) {
        Region::Slot& slot = region.entries[region.packed++];
        if (slot.isWanted)
            slot.tensor = detached;
        if (region.options.stopsEarly && region.packed == region.entries.size())
            m_machine.m_isHalted = true;
    }
    return {detached};
}

Tensor RegionStack::unpack(Saved& saved)
{
    if (!saved.region)
        return saved.tensor;
    if (!saved.region->isRecomputed)
        saved.region->recompute();
    const Tensor kept = std::exchange(saved.region->entries[static_cast<std::size_t>(saved.slot)].tensor, {});
    Tensor tensor = detach(kept);
    tensor.impl()->requiresGrad = saved.requiresGrad;
    tensor.impl()->gradFn = saved.gradFn;
    tensor.impl()->outputNumber = saved.outputNumber;
    return tensor;
}

Tensor RegionStack::takeCached(OpCode op)
{
    if (m_hooks.empty() || !m_hooks.back().isRecomputation || m_machine.isHalted())
        return {};
    Region& region = *m_hooks.back().region;
    if (!region.options.saves || region.cached.empty() || !region.options.saves(m_machine.currentModule(), op))
        return {};
    Tensor output = std::move(region.cached.front());
    region.cached.pop_front();
    return output;
}

void RegionStack::offer(OpCode op, const Tensor& output)
{
    if (m_hooks.empty() || m_hooks.back().isRecomputation)
        return;
    Region& region = *m_hooks.back().region;
    if (region.options.saves && region.options.saves(m_machine.currentModule(), op))
        region.cached.push_back(m_machine.view(output, output.sizes(), output.strides(), false));
}

std::vector<Tensor> checkpoint(
    Machine& machine, RegionFunction function, const std::vector<Tensor>& arguments, const RegionOptions& options)
{
    if (!machine.isGradEnabled())
        return function(arguments);
    RegionStack& stack = machine.regions();
    Ref<Region> region(&stack.m_regions.take());
    region->machine = &machine;
    region->function = std::move(function);
    region->options = options;
    region->autocast = machine.autocast();
    if (options.isReentrant)
        return reentrantCheckpoint(machine, std::move(region), arguments);
    for (const Tensor& argument : arguments)
        region->arguments.push_back(argument ? stack.pack(argument) : Saved{});
    stack.m_hooks.push_back({region.get(), false});
    std::vector<Tensor> outputs = region->function(arguments);
    stack.m_hooks.pop_back();
    return outputs;
}

} // namespace remat::torch
