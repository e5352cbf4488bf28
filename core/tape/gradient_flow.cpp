// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/gradient_flow.h"

#include <algorithm>
#include <cstdlib>

namespace remat {

namespace {

/// A broken tape is a programming error that no input can cause; stopping beats a wrong plan.
void require(bool holds)
{
    if (!holds)
        std::abort();
}

class FlowBuilder {
public:
    explicit FlowBuilder(const StageTape& tape)
        : m_tape(tape),
          m_slotOf(tape.tensors.size(), -1),
          m_isView(tape.tensors.size(), false)
    {
        m_flow.ops.resize(tape.ops.size());
    }

    GradientFlow build()
    {
        if (!m_tape.outputIsLoss)
            m_flow.incoming = newSlot(m_tape.output);
        for (int i = static_cast<int>(m_tape.ops.size()) - 1; i >= 0; --i)
            walk(i);
        if (m_tape.input >= 0) {
            m_flow.outgoing = slotOf(m_tape.input);
            require(m_flow.outgoing >= 0);
            m_flow.lastOp[static_cast<std::size_t>(m_flow.outgoing)] = -1;
        }
        return std::move(m_flow);
    }

private:
    int& slotOf(int tensor) { return m_slotOf[static_cast<std::size_t>(tensor)]; }

    int newSlot(int tensor)
    {
        const Tensor& row = m_tape.tensors[static_cast<std::size_t>(tensor)];
        m_flow.slotNames.push_back("d " + row.name);
        m_flow.slotBytes.push_back(row.bytes);
        m_flow.lastOp.push_back(0);
        return slotOf(tensor) = static_cast<int>(m_flow.slotBytes.size()) - 1;
    }

    void touch(int slot, int op)
    {
        // Ops are walked in reverse, so the last touch wins.
        m_flow.lastOp[static_cast<std::size_t>(slot)] = op;
    }

    void requireNoView(int slot)
    {
        for (std::size_t t = 0; t < m_slotOf.size(); ++t)
            require(!(m_isView[t] && m_slotOf[t] == slot));
    }

    void walk(int index)
    {
        const Op& op = m_tape.ops[static_cast<std::size_t>(index)];
        OpGradients& gradients = m_flow.ops[static_cast<std::size_t>(index)];
        for (const int w : op.writes) {
            gradients.incoming.push_back(slotOf(w));
            if (slotOf(w) >= 0)
                touch(slotOf(w), index);
        }
        if (op.kind == OpKind::Add) {
            passThrough(op, gradients, index);
        } else {
            for (const int r : op.reads)
                write(op, r, gradients, index);
        }
        for (const int w : op.writes)
            m_isView[static_cast<std::size_t>(w)] = false;
    }

    void passThrough(const Op& op, OpGradients& gradients, int index)
    {
        const int slot = slotOf(op.writes[0]);
        require(slot >= 0 && !m_isView[static_cast<std::size_t>(op.writes[0])]);
        for (const int r : op.reads) {
            require(slotOf(r) == -1);
            slotOf(r) = slot;
            gradients.outgoing.push_back({r, slot, GradientWrite::Mode::PassThrough});
        }
        m_isView[static_cast<std::size_t>(op.reads[1])] = true;
        touch(slot, index);
    }

    void write(const Op& op, int tensor, OpGradients& gradients, int index)
    {
        const bool exists = slotOf(tensor) >= 0;
        if (op.kind == OpKind::ChunkedHead) {
            require(!exists);
            gradients.outgoing.push_back({tensor, newSlot(tensor), GradientWrite::Mode::Adopt, op.writes[1]});
        } else if (exists) {
            requireNoView(slotOf(tensor));
            gradients.outgoing.push_back({tensor, slotOf(tensor), GradientWrite::Mode::Accumulate});
        } else {
            gradients.outgoing.push_back({tensor, newSlot(tensor), GradientWrite::Mode::Create});
        }
        touch(slotOf(tensor), index);
    }

    const StageTape& m_tape;
    GradientFlow m_flow;
    std::vector<int> m_slotOf;
    std::vector<bool> m_isView;
};

} // namespace

GradientFlow gradientFlow(const StageTape& tape)
{
    return FlowBuilder(tape).build();
}

} // namespace remat
