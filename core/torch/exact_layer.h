// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/torch/machine.h"

namespace remat::torch {

/// One forward of one layer under an exact keep-set, as resources/export/pytorch_exact.py runs it.
///
/// Forward: every op is noted with what it reads, every tensor that autograd saves becomes a reference to the value
/// that an op made, and only values that the keep-set names stay.  Backward: the first reader of a dropped value runs
/// the op that made it again, after the values that this one reads; a value goes with its last reader.  Tensors from
/// outside the layer stay until the last op that reads them needs not run again.
///
/// Names of ops: "attn/addmm@2" is the layer's third addmm, by module inside the layer; "sdpa" is fused attention.
class ExactLayer {
public:
    /// A storage that an op of the layer made.
    struct Value {
        Bytes bytes;
        std::vector<std::size_t> recipe; ///< the op that made it, then those that wrote into it
        bool isSaved = false;            ///< some node's backward reads it
        bool isOutput = false;           ///< the next layer reads it
        int uses = 0;                    ///< readers to come: saved references, and ops that run again
        Tensor tensor;                   ///< while it is held
    };
    struct Op {
        std::string name;
        OpCode code = OpCode::Input;
        int module = 0;
        Work work;
        std::vector<std::size_t> reads; ///< values, each once
        std::vector<Tensor> outside;    ///< what else it reads, until it needs not run again
        struct Output {
            std::size_t value;
            Dims sizes, strides;
            DType dtype;
            StorageKind kind;
        };
        std::vector<Output> outputs;
    };

    /// `module` is the layer's; `kept` must outlive the forward.
    ExactLayer(Machine& machine, int module, const std::vector<std::string>& kept);

    const std::vector<Op>& ops() const { return m_ops; }
    const std::vector<Value>& values() const { return m_values; }

    // What the machine tells while the layer's forward runs.
    void made(const Tensor& tensor);
    void ran(OpCode op, const Work& work, std::initializer_list<const Tensor*> reads);
    void ran(OpCode op, const Work& work, const std::vector<Tensor>& reads);
    /// An op wrote into `target`'s storage.
    void wrote(const Tensor& target, std::initializer_list<const Tensor*> reads);
    Saved pack(const Tensor& tensor);
    /// After the forward: counts what will be read, and drops all else.
    void finish(const Tensor& output);

    Tensor unpack(int slot);

private:
    /// A tensor that autograd saved: a look at a value.
    struct Look {
        std::size_t value;
        Dims sizes, strides;
    };

    Op& note(OpCode op, const Work& work);
    void read(Op& op, const Tensor& tensor);
    bool owns(const Tensor& tensor) const;
    Tensor get(std::size_t value);
    void rebuild(std::size_t value);
    void release(std::size_t value);

    Machine& m_machine;
    std::string m_path;
    const std::vector<std::string>* m_kept;
    std::vector<Op> m_ops;
    std::vector<Value> m_values;
    std::vector<Look> m_looks;
    std::vector<Tensor> m_made; ///< by the op that runs
    std::vector<int> m_counts;  ///< of each OpCode
};

/// Runs a layer's forward under a keep-set.  The first of what it returns is the hidden state.
std::vector<Tensor> keepExactly(Machine& machine, int module, const std::vector<std::string>& kept,
    const std::function<std::vector<Tensor>()>& forward);

} // namespace remat::torch
