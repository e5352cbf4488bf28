// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/run/kernels/kernels.h"
#include "core/run/machine.h"

namespace remat {

struct CpuMachineOptions {
    int threads = 1;
    /// Released blocks are kept for the next allocation of their size, so that a timing pass does not pay page faults
    /// again and again; off, every block goes back to the system at once (memory pass).
    bool reusesBlocks = false;
    /// With reusesBlocks: released blocks go back to the system where live and released ones together would pass this.
    Bytes mostHeld{kMaxQuantity};
    /// Every byte is written when it is allocated, so that the system counts it (memory pass).
    bool touchesBlocks = false;
    /// Allocated and released blocks are filled with NaN, so that reading a dropped value cannot go unseen.
    bool poisonsBlocks = false;
    /// What may still be taken (controlGroupRoom()), asked before a block comes from the system; a block that does not
    /// fit is refused here, where it can be told, before the kernel kills the process for writing to it.
    std::function<std::optional<Bytes>()> room;
    const kernels::CpuKernels* kernels = nullptr; ///< null: the fastest that the processor runs
};

/// Really trains on the CPU, in fp32 alone (asserted), with the kernels of core/run/kernels.
class CpuMachine : public Machine {
public:
    explicit CpuMachine(const CpuMachineOptions& options);
    ~CpuMachine() override;

    std::string name() const override;
    MachineTraits traits() const override;
    /// Bytes of live blocks and of released ones that are kept.
    Bytes held() const { return m_held; }
    Result<std::byte*> allocate(Bytes bytes) override;
    void release(std::byte* data, Bytes bytes) override;
    void useWorkspace(std::byte* data) override { m_scratch = data; }
    void forward(const OpRun& run) override;
    void backward(const OpRun& run) override;
    void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update) override;
    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override;
    void fillZero(Bytes bytes, std::byte* data) override;
    void drawTokens(std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) override;
    Result<void> finish() override { return {}; }
    Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>&) override
    {
        return data;
    }

private:
    void fill(Bytes bytes, std::byte* data, float value);
    void returnFreeBlocks(Bytes wanted);
    bool hasRoomFor(Bytes bytes) const;
    kernels::Workers workers() { return {m_pool, m_scratch}; }

    CpuMachineOptions m_options;
    const kernels::CpuKernels& m_kernels;
    ThreadPool m_pool;
    std::byte* m_scratch = nullptr;
    std::multimap<std::int64_t, std::byte*> m_free;
    Bytes m_held;
};

} // namespace remat
