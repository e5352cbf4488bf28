// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <utility>

#include "app/worker/pass_machine.h"
#include "cuda/machine/gpu_passes.h"

namespace remat::worker {

/// The passes on a Gpu.
class GpuPassMachine : public PassMachine {
public:
    /// `cap`: of the GPU's pool.
    GpuPassMachine(std::unique_ptr<cuda::Gpu> gpu, std::optional<Bytes> cap) : m_gpu(std::move(gpu)), m_cap(cap) { }

    Result<MemoryFound> memory(const PassSetup& setup, const PassWatch& watch) override
    {
        Result<MemoryFound> found = cuda::runMemoryPass(*m_gpu, setup, watch);
        if (found && found->pool)
            found->pool->cap = m_cap;
        return found;
    }
    Result<TimingFound> timing(const PassSetup& setup, std::int64_t steps, Bytes, const PassWatch& watch) override
    {
        return cuda::runTimingPass(*m_gpu, setup, steps, watch);
    }
    Result<GradientsFound> gradients(const PassSetup& setup, bool poisons, const PassWatch& watch) override
    {
        return cuda::runGradientPass(*m_gpu, setup, poisons, watch);
    }

private:
    std::unique_ptr<cuda::Gpu> m_gpu;
    std::optional<Bytes> m_cap;
};

} // namespace remat::worker
