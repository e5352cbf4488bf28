// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace remat::torch {

/// Sizes or strides of a tensor, in elements.  Six dimensions are the most that any modelling code here makes.
class Dims {
public:
    static constexpr int kMost = 6;

    Dims() = default;
    Dims(std::initializer_list<std::int64_t> values)
    {
        for (const std::int64_t value : values)
            push(value);
    }

    int count() const { return m_count; }
    std::int64_t operator[](int i) const { return m_values[index(i)]; }
    std::int64_t& operator[](int i) { return m_values[index(i)]; }
    /// The i-th dimension from the end: last(0) is the innermost.
    std::int64_t last(int i = 0) const { return (*this)[m_count - 1 - i]; }
    void push(std::int64_t value)
    {
        assert(m_count < kMost);
        m_values[static_cast<std::size_t>(m_count++)] = value;
    }
    void insert(int at, std::int64_t value);
    void erase(int at);
    bool operator==(const Dims& other) const;

private:
    std::size_t index(int i) const
    {
        assert(i >= 0 && i < m_count);
        return static_cast<std::size_t>(i);
    }

    std::array<std::int64_t, kMost> m_values{};
    int m_count = 0;
};

std::int64_t elementsOf(const Dims& sizes);
/// Row-major strides: the last dimension is the fastest.
Dims contiguousStrides(const Dims& sizes);
bool isContiguous(const Dims& sizes, const Dims& strides);
/// True when every element of the storage's span belongs to exactly one index (any order of dimensions).
bool isDense(const Dims& sizes, const Dims& strides);
/// at::infer_size: the shape that two shapes broadcast to.
Dims broadcast(const Dims& a, const Dims& b);
/// The strides with which `sizes` of a tensor appear as `wanted`; empty when that needs a copy (at::detail::
/// computeStride).
std::optional<Dims> viewStrides(const Dims& sizes, const Dims& strides, const Dims& wanted);

/// An operand of an elementwise op.
struct Operand {
    const Dims* sizes;
    const Dims* strides;
};
/// The strides of an elementwise op's new output: TensorIterator keeps the order of dimensions that its operands agree
/// on, so that a transposed operand gives a transposed result without a copy.
Dims elementwiseStrides(const Dims& sizes, std::span<const Operand> operands);

} // namespace remat::torch
