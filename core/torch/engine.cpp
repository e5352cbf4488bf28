// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <queue>

#include "core/torch/machine.h"
#include "core/torch/ops.h"

namespace remat::torch {

/// loss.backward(): torch/csrc/autograd/engine.cpp on one thread.
///
/// A node runs when every edge into it has delivered; of the ready ones the youngest first.  Its incoming gradients
/// live until its outgoing ones have their forward's shape and type, its saved tensors until just after that, and only
/// then do the new gradients move into the buffers of the next nodes.
class Engine {
public:
    explicit Engine(Machine& machine) : m_machine(machine), m_run(++machine.m_engineRuns) { }

    void run(const std::vector<Tensor>& roots, std::vector<Tensor> gradients)
    {
        for (const Tensor& root : roots)
            visit(m_machine.edgeTo(root).node.get());
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Edge edge = m_machine.edgeTo(roots[i]);
            deliver(edge, std::move(gradients[i]));
        }
        // Roots have no edge into them; they are ready at once.
        for (const Tensor& root : roots) {
            Node* node = m_machine.edgeTo(root).node.get();
            if (node->dependencies == 0)
                m_ready.push(node);
        }
        const GradScope none(m_machine, false);
        Node* const outer = m_machine.m_currentNode;
        while (!m_ready.empty()) {
            Node& node = *m_ready.top();
            m_ready.pop();
            evaluate(node);
        }
        m_machine.m_currentNode = outer;
    }

private:
    struct Younger {
        bool operator()(const Node* a, const Node* b) const { return a->sequence < b->sequence; }
    };

    void visit(Node* root)
    {
        if (!root || root->run == m_run)
            return;
        begin(*root);
        std::vector<Node*> pending{root};
        while (!pending.empty()) {
            Node& node = *pending.back();
            pending.pop_back();
            for (const Edge& edge : node.next) {
                Node* next = edge.node.get();
                if (!next)
                    continue;
                if (next->run != m_run) {
                    begin(*next);
                    pending.push_back(next);
                }
                ++next->dependencies;
            }
        }
    }

    void begin(Node& node)
    {
        node.run = m_run;
        node.dependencies = 0;
        node.gradients.clear();
        node.gradients.resize(node.outputs.size());
    }

    void evaluate(Node& node)
    {
        m_machine.m_currentNode = &node;
        std::vector<Tensor> incoming = std::move(node.gradients);
        node.gradients.clear();
        if (node.variable) {
            accumulate(*node.variable.impl(), std::move(incoming[0]));
            return;
        }
        std::vector<Tensor> outgoing(node.next.size());
        bool hasGradient = false;
        for (const Tensor& gradient : incoming)
            hasGradient = hasGradient || gradient.defined();
        {
            std::vector<Tensor> saved;
            for (Saved& item : node.saved)
                saved.push_back(m_machine.unpacked(item));
            if (hasGradient) {
                BackwardCall call{m_machine, node, incoming, saved, outgoing};
                node.kind->backward(call);
            }
        }
        for (std::size_t i = 0; i < outgoing.size(); ++i) {
            if (!node.next[i].node || !outgoing[i])
                continue;
            const OutputMeta& meta = node.next[i].node->outputs[static_cast<std::size_t>(node.next[i].input)];
            outgoing[i] = sumTo(outgoing[i], meta.sizes);
            outgoing[i] = to(outgoing[i], meta.dtype);
        }
        incoming.clear();
        node.releaseSaved();
        for (std::size_t i = 0; i < outgoing.size(); ++i) {
            const Edge& edge = node.next[i];
            if (!edge.node)
                continue;
            deliver(edge, std::move(outgoing[i]));
            if (--edge.node->dependencies == 0)
                m_ready.push(edge.node.get());
        }
    }

    /// InputBuffer::add.
    void deliver(const Edge& edge, Tensor gradient)
    {
        if (!gradient)
            return;
        Tensor& buffer = edge.node->gradients[static_cast<std::size_t>(edge.input)];
        if (!buffer) {
            buffer = std::move(gradient);
        } else if (isUnshared(buffer)) {
            m_machine.record(OpCode::AddInPlace, {{}, gradient.bytes() * 3, {}});
        } else {
            buffer = add(buffer, gradient);
        }
    }

    /// can_accumulate_inplace: the buffer holds the only reference to the tensor and to its storage.
    static bool isUnshared(const Tensor& tensor)
    {
        const TensorImpl& impl = *tensor.impl();
        return impl.references == 1 && impl.storage && impl.storage->references == 1
            && isDense(impl.sizes, impl.strides);
    }

    /// AccumulateGrad: the first gradient is taken over if nobody else has it and it is laid out like the parameter,
    /// else copied; later ones are added in place.
    void accumulate(TensorImpl& variable, Tensor gradient)
    {
        if (!gradient)
            return;
        if (variable.grad) {
            m_machine.record(OpCode::AddInPlace, {{}, gradient.bytes() * 3, {}});
            return;
        }
        const bool isTaken = gradient.impl()->references == 1 && hasLayoutOf(variable, gradient);
        variable.grad = isTaken ? detach(gradient) : clone(gradient);
    }

    static bool hasLayoutOf(const TensorImpl& variable, const Tensor& gradient)
    {
        for (int i = 0; i < variable.sizes.count(); ++i)
            if (variable.sizes[i] != 1 && variable.strides[i] != gradient.strides()[i])
                return false;
        return true;
    }

    Machine& m_machine;
    int m_run;
    std::priority_queue<Node*, std::vector<Node*>, Younger> m_ready;
};

void Machine::backward(const Tensor& loss)
{
    Tensor one = make(OpCode::OnesLike, loss.sizes(), loss.dtype());
    record(OpCode::OnesLike, {});
    backward(std::vector<Tensor>{loss}, std::vector<Tensor>{std::move(one)});
}

void Machine::backward(const std::vector<Tensor>& roots, std::vector<Tensor> gradients)
{
    Engine(*this).run(roots, std::move(gradients));
}

} // namespace remat::torch
