// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "core/base/units.h"
#include "core/torch/dims.h"
#include "core/torch/dtype.h"
#include "core/torch/op_code.h"
#include "core/torch/pool.h"

namespace remat::torch {

class ExactLayer;
class Machine;
struct Node;

/// What a piece of memory is for.  WeightCast: autocast's half copy of a parameter.
enum class StorageKind : std::uint8_t { Parameter, Buffer, Input, OptimizerState, WeightCast, Temporary };

/// One block of the caching allocator: live until its last tensor goes.
struct Storage {
    Machine* machine = nullptr;
    int references = 0;
    Bytes bytes;    ///< rounded up to 512
    Bytes rawBytes; ///< as asked for
    StorageKind kind = StorageKind::Temporary;
    OpCode op = OpCode::Input;
    DType dtype = DType::Float32;
    int module = 0;
    Dims sizes;
    const ExactLayer* madeIn = nullptr; ///< the layer under a keep-set whose forward made it
    std::size_t value = 0;              ///< its number there

    void lastReferenceDropped();
};

struct TensorImpl;

/// A handle of a tensor: copies share it, and the last one gone frees it, as in Python.  The C++ locals and arguments
/// of the modelling code therefore live exactly as long as the Python ones that they stand for.
class Tensor {
public:
    Tensor() = default;
    explicit Tensor(TensorImpl* impl) : m_impl(impl) { }

    bool defined() const { return static_cast<bool>(m_impl); }
    explicit operator bool() const { return defined(); }
    TensorImpl* impl() const { return m_impl.get(); }
    void reset() { m_impl.reset(); }

    const Dims& sizes() const;
    const Dims& strides() const;
    std::int64_t size(int i) const; ///< negative counts from the end
    DType dtype() const;
    std::int64_t elements() const { return elementsOf(sizes()); }
    Bytes bytes() const { return {elements() * sizeOf(dtype())}; }
    bool requiresGrad() const;
    bool isContiguous() const { return torch::isContiguous(sizes(), strides()); }
    Machine& machine() const;

private:
    Ref<TensorImpl> m_impl;
};

/// A tensor: a way to look at a storage, and its place in the autograd graph.
struct TensorImpl {
    Machine* machine = nullptr;
    int references = 0;
    Ref<Storage> storage; ///< null where nothing is allocated: recomputation has stopped, or there are no elements
    Dims sizes, strides;
    DType dtype = DType::Float32;
    bool requiresGrad = false;
    int outputNumber = 0;
    Ref<Node> gradFn;           ///< null for leaves
    Tensor base;                ///< of a differentiable view: the tensor that it looks at
    Tensor grad;                ///< of a leaf
    Node* accumulate = nullptr; ///< of a leaf: its AccumulateGrad while a graph holds it

    void lastReferenceDropped();
};

inline const Dims& Tensor::sizes() const
{
    return m_impl->sizes;
}
inline const Dims& Tensor::strides() const
{
    return m_impl->strides;
}
inline std::int64_t Tensor::size(int i) const
{
    return sizes()[i < 0 ? sizes().count() + i : i];
}
inline DType Tensor::dtype() const
{
    return m_impl->dtype;
}
inline bool Tensor::requiresGrad() const
{
    return m_impl->requiresGrad;
}
inline Machine& Tensor::machine() const
{
    return *m_impl->machine;
}

} // namespace remat::torch
