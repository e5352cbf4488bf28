// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// An NVIDIA GPU: one stream, one explicit memory pool that all allocations come from, products by cuBLASLt.
///
/// Construction throws std::runtime_error when the device cannot be used.
class CudaGpu : public Gpu {
public:
    /// `poolLimit`: no allocation succeeds beyond it, as on a card of that size.
    explicit CudaGpu(int device, std::optional<Bytes> poolLimit = {});
    ~CudaGpu() override;
    CudaGpu(const CudaGpu&) = delete;
    CudaGpu& operator=(const CudaGpu&) = delete;

    std::string name() const override;
    Stream stream() const override;
    std::byte* allocate(Bytes bytes) override;
    void release(std::byte* data) override;
    void setBytes(std::span<std::byte> data, unsigned char value) override;
    void copyToHost(std::span<const std::byte> data, std::span<std::byte> out) override;
    void finish() override;
    void resetPeak() override;
    PoolPeak peak() override;
    DriverMemory driverMemory() override;
    void stamp() override;
    std::vector<Nanoseconds> takeStamps() override;
    void multiply(const Product& product, std::byte* workspace) override;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace remat::cuda
