// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/emulated_gpu.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "core/cost/device_traits.h"
#include "cuda/language/storage.h"

namespace remat::cuda {

namespace {

constexpr std::align_val_t kAlignment{512};
constexpr std::size_t kScribble = 1 << 16;

/// A stored matrix as op(matrix)[rows, columns] of floats; stored [columns, rows] when transposed.
template <class T>
std::vector<float> matrixOf(const std::byte* data, std::int64_t rows, std::int64_t columns, bool isTransposed)
{
    const T* const stored = reinterpret_cast<const T*>(data);
    std::vector<float> matrix;
    matrix.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            matrix.push_back(load(stored, isTransposed ? j * rows + i : i * columns + j));
    return matrix;
}

template <class T> void multiplyAs(const Product& product)
{
    const auto [m, n, k, transposeA, transposeB] = product.gemm;
    const std::vector<float> a = matrixOf<T>(product.a, m, k, transposeA);
    const std::vector<float> b = matrixOf<T>(product.b, k, n, transposeB);
    T* const c = reinterpret_cast<T*>(product.c);
    std::vector<float> row(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < m; ++i) {
        std::fill(row.begin(), row.end(), 0.0F);
        for (std::int64_t l = 0; l < k; ++l) {
            const float factor = a[static_cast<std::size_t>(i * k + l)];
            const float* const line = b.data() + l * n;
            for (std::int64_t j = 0; j < n; ++j)
                row[static_cast<std::size_t>(j)] += factor * line[j];
        }
        for (std::int64_t j = 0; j < n; ++j) {
            float value = row[static_cast<std::size_t>(j)];
            if (product.bias)
                value += load(reinterpret_cast<const T*>(product.bias), j);
            if (product.store == kernels::Store::Add)
                value += load(c, i * n + j);
            store(c, i * n + j, value);
        }
    }
}

} // namespace

std::byte* EmulatedGpu::allocate(Bytes bytes)
{
    const Bytes counted = roundUp(bytes, kCudaGranule);
    if (m_poolLimit && m_used + counted > *m_poolLimit)
        return nullptr;
    auto* const data
        = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes.value), kAlignment, std::nothrow));
    if (data) {
        m_blocks[data] = counted;
        m_used += counted;
        m_peak = std::max(m_peak, m_used);
        m_reserved = std::max(m_reserved, m_used);
    }
    return data;
}

void EmulatedGpu::release(std::byte* data)
{
    const auto block = m_blocks.find(data);
    m_used -= block->second;
    m_blocks.erase(block);
    ::operator delete(data, kAlignment);
}

void EmulatedGpu::setBytes(std::span<std::byte> data, unsigned char value)
{
    std::memset(data.data(), value, data.size());
}

void EmulatedGpu::copyToHost(std::span<const std::byte> data, std::span<std::byte> out)
{
    std::memcpy(out.data(), data.data(), data.size());
}

void EmulatedGpu::multiply(const Product& product, std::byte* workspace)
{
    // A real GPU's product may write there; what a kernel kept in it is gone.
    std::memset(workspace, 0xff, kScribble);
    if (product.storage == ElementType::Bf16)
        multiplyAs<bf16>(product);
    else
        multiplyAs<float>(product);
}

} // namespace remat::cuda
