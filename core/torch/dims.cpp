// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/dims.h"

#include <algorithm>

namespace remat::torch {

namespace {

/// The stride of an operand in dimension `i` of a broadcast result with `count` dimensions; 0 where it is broadcast.
std::int64_t strideIn(const Operand& operand, const Dims& sizes, int i)
{
    const int own = i - (sizes.count() - operand.sizes->count());
    if (own < 0 || ((*operand.sizes)[own] == 1 && sizes[i] != 1))
        return 0;
    return (*operand.strides)[own];
}

/// TensorIteratorBase's should_swap: above 0 when `first` is slower than `second` in the first operand that can tell,
/// below 0 when it is faster.
int slownessOf(const Dims& sizes, std::span<const Operand> operands, int first, int second)
{
    for (const Operand& operand : operands) {
        const std::int64_t a = strideIn(operand, sizes, first);
        const std::int64_t b = strideIn(operand, sizes, second);
        if (a == 0 || b == 0)
            continue;
        if (a != b)
            return a < b ? -1 : 1;
        if (sizes[first] > sizes[second])
            return 1;
    }
    return 0;
}

} // namespace

void Dims::insert(int at, std::int64_t value)
{
    push(value);
    for (int i = m_count - 1; i > at; --i)
        std::swap(m_values[static_cast<std::size_t>(i)], m_values[static_cast<std::size_t>(i - 1)]);
}

void Dims::erase(int at)
{
    for (int i = at; i + 1 < m_count; ++i)
        m_values[static_cast<std::size_t>(i)] = m_values[static_cast<std::size_t>(i + 1)];
    --m_count;
}

bool Dims::operator==(const Dims& other) const
{
    return m_count == other.m_count && std::equal(m_values.begin(), m_values.begin() + m_count, other.m_values.begin());
}

std::int64_t elementsOf(const Dims& sizes)
{
    std::int64_t n = 1;
    for (int i = 0; i < sizes.count(); ++i)
        n *= sizes[i];
    return n;
}

Dims contiguousStrides(const Dims& sizes)
{
    Dims strides = sizes;
    std::int64_t step = 1;
    for (int i = sizes.count() - 1; i >= 0; --i) {
        strides[i] = step;
        step *= std::max<std::int64_t>(sizes[i], 1);
    }
    return strides;
}

bool isContiguous(const Dims& sizes, const Dims& strides)
{
    std::int64_t step = 1;
    for (int i = sizes.count() - 1; i >= 0; --i) {
        if (sizes[i] == 1)
            continue;
        if (strides[i] != step)
            return false;
        step *= sizes[i];
    }
    return true;
}

bool isDense(const Dims& sizes, const Dims& strides)
{
    std::array<int, Dims::kMost> order{};
    int count = 0;
    for (int i = 0; i < sizes.count(); ++i)
        if (sizes[i] != 1)
            order[static_cast<std::size_t>(count++)] = i;
    std::sort(order.begin(), order.begin() + count, [&](int a, int b) { return strides[a] < strides[b]; });
    std::int64_t step = 1;
    for (int i = 0; i < count; ++i) {
        const int dim = order[static_cast<std::size_t>(i)];
        if (strides[dim] != step)
            return false;
        step *= sizes[dim];
    }
    return true;
}

Dims broadcast(const Dims& a, const Dims& b)
{
    const Dims& longer = a.count() >= b.count() ? a : b;
    const Dims& shorter = a.count() >= b.count() ? b : a;
    Dims result = longer;
    const int shift = longer.count() - shorter.count();
    for (int i = 0; i < shorter.count(); ++i)
        if (result[i + shift] == 1)
            result[i + shift] = shorter[i];
    return result;
}

std::optional<Dims> viewStrides(const Dims& sizes, const Dims& strides, const Dims& wanted)
{
    Dims result = wanted;
    int view = wanted.count() - 1;
    std::int64_t chunkBase = sizes.count() > 0 ? strides.last() : 1;
    std::int64_t chunk = 1;
    std::int64_t viewed = 1;
    for (int i = sizes.count() - 1; i >= 0; --i) {
        chunk *= sizes[i];
        // A run of dimensions ends where the next slower one does not continue it.
        if (i != 0 && (sizes[i - 1] == 1 || strides[i - 1] == chunk * chunkBase))
            continue;
        while (view >= 0 && (viewed < chunk || wanted[view] == 1)) {
            result[view] = viewed * chunkBase;
            viewed *= wanted[view];
            --view;
        }
        if (viewed != chunk)
            return std::nullopt;
        if (i > 0) {
            chunkBase = strides[i - 1];
            chunk = 1;
            viewed = 1;
        }
    }
    for (; view >= 0; --view)
        result[view] = 1;
    return result;
}

Dims elementwiseStrides(const Dims& sizes, std::span<const Operand> operands)
{
    const bool allContiguous = std::all_of(operands.begin(), operands.end(),
        [&](const Operand& o) { return *o.sizes == sizes && isContiguous(*o.sizes, *o.strides); });
    if (allContiguous)
        return contiguousStrides(sizes);
    // Fastest dimension first, then insertion sort by the operands' strides as TensorIterator does it.
    const int count = sizes.count();
    std::array<int, Dims::kMost> order{};
    for (int i = 0; i < count; ++i)
        order[static_cast<std::size_t>(i)] = count - 1 - i;
    for (int i = 1; i < count; ++i) {
        int place = i;
        for (int other = i - 1; other >= 0; --other) {
            int& before = order[static_cast<std::size_t>(other)];
            int& moving = order[static_cast<std::size_t>(place)];
            const int comparison = slownessOf(sizes, operands, before, moving);
            if (comparison > 0) {
                std::swap(before, moving);
                place = other;
            } else if (comparison < 0) {
                break;
            }
        }
    }
    Dims strides = sizes;
    std::int64_t step = 1;
    for (int i = 0; i < count; ++i) {
        const int dim = order[static_cast<std::size_t>(i)];
        strides[dim] = step;
        step *= sizes[dim];
    }
    return strides;
}

} // namespace remat::torch
