// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/exact_layer.h"

#include <algorithm>

namespace remat::torch {

ExactLayer::ExactLayer(Machine& machine, int module, const std::vector<std::string>& kept)
    : m_machine(machine),
      m_path(machine.modulePath(module)),
      m_kept(&kept),
      m_counts(static_cast<std::size_t>(OpCode::OptimizerStep) + 1)
{ }

bool ExactLayer::owns(const Tensor& tensor) const
{
    const Storage* storage = tensor.impl()->storage.get();
    return storage && storage->madeIn == this;
}

/// A detached look: what the op makes lives as long as Python's names of it, unless the keep-set names it.
void ExactLayer::made(const Tensor& tensor)
{
    m_made.push_back(m_machine.view(tensor, tensor.sizes(), tensor.strides(), false));
}

ExactLayer::Op& ExactLayer::note(OpCode code, const Work& work)
{
    const int number = m_counts[static_cast<std::size_t>(code)]++;
    Op op{.code = code, .module = m_machine.currentModule(), .work = work};
    if (code == OpCode::FlashAttention || code == OpCode::EfficientAttention) {
        op.name = "sdpa";
    } else {
        const std::string& path = m_machine.modulePath(op.module);
        op.name = path.size() > m_path.size() ? path.substr(m_path.size() + 1) : "";
        op.name += "/" + std::string(nameOf(code)) + "@" + std::to_string(number);
    }
    const bool isKept = std::find(m_kept->begin(), m_kept->end(), op.name) != m_kept->end();
    for (const Tensor& tensor : m_made) {
        Storage& storage = *tensor.impl()->storage;
        storage.madeIn = this;
        storage.value = m_values.size();
        op.outputs.push_back({m_values.size(), tensor.sizes(), tensor.strides(), tensor.dtype(), storage.kind});
        m_values.push_back({.bytes = storage.bytes, .recipe = {m_ops.size()}});
        if (isKept)
            m_values.back().tensor = tensor;
    }
    m_made.clear();
    m_ops.push_back(std::move(op));
    return m_ops.back();
}

void ExactLayer::read(Op& op, const Tensor& tensor)
{
    if (!tensor || !tensor.impl()->storage)
        return;
    if (!owns(tensor)) {
        op.outside.push_back(m_machine.view(tensor, tensor.sizes(), tensor.strides(), false));
        return;
    }
    const std::size_t value = tensor.impl()->storage->value;
    if (std::find(op.reads.begin(), op.reads.end(), value) == op.reads.end())
        op.reads.push_back(value);
}

void ExactLayer::ran(OpCode code, const Work& work, std::initializer_list<const Tensor*> reads)
{
    Op& op = note(code, work);
    for (const Tensor* tensor : reads)
        read(op, *tensor);
}

void ExactLayer::ran(OpCode code, const Work& work, const std::vector<Tensor>& reads)
{
    Op& op = note(code, work);
    for (const Tensor& tensor : reads)
        read(op, tensor);
}

void ExactLayer::wrote(const Tensor& target, std::initializer_list<const Tensor*> reads)
{
    if (!owns(target))
        return;
    // It makes nothing and takes no part in the counts of names.
    m_ops.push_back({.code = OpCode::AddInPlace, .module = m_machine.currentModule()});
    for (const Tensor* tensor : reads)
        read(m_ops.back(), *tensor);
    m_values[target.impl()->storage->value].recipe.push_back(m_ops.size() - 1);
}

Saved ExactLayer::pack(const Tensor& tensor)
{
    if (!owns(tensor))
        return {tensor};
    m_looks.push_back({tensor.impl()->storage->value, tensor.sizes(), tensor.strides()});
    Saved saved;
    saved.exact = this;
    saved.slot = static_cast<int>(m_looks.size()) - 1;
    return saved;
}

void ExactLayer::finish(const Tensor& output)
{
    if (owns(output)) {
        Value& value = m_values[output.impl()->storage->value];
        value.isOutput = true;
        value.tensor = m_machine.view(output, output.sizes(), output.strides(), false);
    }
    std::vector<std::size_t> todo;
    const auto need = [&](std::size_t value) {
        if (m_values[value].uses++ == 0)
            todo.push_back(value);
    };
    for (const Look& look : m_looks) {
        m_values[look.value].isSaved = true;
        need(look.value);
    }
    std::vector<bool> again(m_ops.size());
    while (!todo.empty()) {
        const std::size_t value = todo.back();
        todo.pop_back();
        if (m_values[value].tensor)
            continue;
        for (const std::size_t op : m_values[value].recipe) {
            if (again[op])
                continue;
            again[op] = true;
            for (const std::size_t read : m_ops[op].reads)
                if (read != value)
                    need(read);
        }
    }
    for (Value& value : m_values)
        if (value.uses == 0)
            value.tensor.reset();
    for (std::size_t op = 0; op < m_ops.size(); ++op)
        if (!again[op])
            m_ops[op].outside.clear();
}

Tensor ExactLayer::unpack(int slot)
{
    const Look& look = m_looks[static_cast<std::size_t>(slot)];
    const Tensor base = get(look.value);
    Tensor tensor = m_machine.view(base, look.sizes, look.strides, false);
    release(look.value);
    return tensor;
}

Tensor ExactLayer::get(std::size_t value)
{
    if (!m_values[value].tensor)
        rebuild(value);
    return m_values[value].tensor;
}

void ExactLayer::rebuild(std::size_t value)
{
    for (const std::size_t index : m_values[value].recipe) {
        Op& op = m_ops[index];
        {
            std::vector<Tensor> inputs, outputs;
            for (const std::size_t read : op.reads)
                if (read != value)
                    inputs.push_back(get(read));
            if (!op.outputs.empty()) {
                const ModuleScope scope(m_machine, op.module);
                const RebuildScope rebuilding(m_machine);
                for (const Op::Output& output : op.outputs) {
                    outputs.push_back(m_machine.make(op.code, output.sizes, output.strides, output.dtype));
                    outputs.back().impl()->storage->kind = output.kind;
                }
                m_machine.record(op.code, op.work);
            }
            for (std::size_t i = 0; i < op.outputs.size(); ++i)
                if (Value& made = m_values[op.outputs[i].value]; made.uses > 0)
                    made.tensor = outputs[i];
        }
        for (const std::size_t read : op.reads)
            if (read != value)
                release(read);
        op.outside.clear();
    }
}

void ExactLayer::release(std::size_t value)
{
    if (--m_values[value].uses == 0)
        m_values[value].tensor.reset();
}

std::vector<Tensor> keepExactly(Machine& machine, int module, const std::vector<std::string>& kept,
    const std::function<std::vector<Tensor>()>& forward)
{
    if (!machine.isGradEnabled())
        return forward();
    ExactLayer& layer = machine.beginExactLayer(module, kept);
    std::vector<Tensor> outputs = forward();
    machine.endExactLayer();
    layer.finish(outputs[0]);
    return outputs;
}

} // namespace remat::torch
