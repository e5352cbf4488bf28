// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/run/stopwatch.h"
#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// The emulator as a Gpu: memory is heap blocks of exactly the size asked for, so that the address sanitizer sees every
/// access beside them, and products are plain loops with fp32 sums.
///
/// Its pool counts as a GPU's does: every block rounded up to the granule, and what was ever in use at once is reserved
/// for good.  No driver stands behind it, so that driverMemory() tells nothing.
class EmulatedGpu : public Gpu {
public:
    /// `poolLimit`: no allocation succeeds beyond it.
    explicit EmulatedGpu(std::optional<Bytes> poolLimit = {}) : m_poolLimit(poolLimit) { }

    std::string name() const override { return "emulated GPU"; }
    Stream stream() const override { return nullptr; }
    std::byte* allocate(Bytes bytes) override;
    void release(std::byte* data) override;
    void setBytes(std::span<std::byte> data, unsigned char value) override;
    void copyToHost(std::span<const std::byte> data, std::span<std::byte> out) override;
    void finish() override { }
    void resetPeak() override { m_peak = m_used; }
    PoolPeak peak() override { return {m_peak, m_reserved}; }
    DriverMemory driverMemory() override { return {}; }
    void stamp() override { m_stopwatch.stamp(); }
    std::vector<Nanoseconds> takeStamps() override { return m_stopwatch.take(); }
    void multiply(const Product& product, std::byte* workspace) override;

private:
    std::optional<Bytes> m_poolLimit;
    std::map<std::byte*, Bytes> m_blocks; ///< as the pool counts them
    Bytes m_used, m_peak, m_reserved;
    HostStopwatch m_stopwatch{steadyClock};
};

} // namespace remat::cuda
