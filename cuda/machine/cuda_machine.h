// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/run/machine.h"
#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// Trains on a GPU, or on the emulator in its place, in fp32 or bf16: the op dispatch over the kernels of cuda/kernels
/// and the products of a Gpu.
///
/// An op that fails is remembered, what is asked for after it is not done, and the next finish() tells.  What a GPU
/// reports later than it happens is found at the next call, whatever that does.
class CudaMachine : public Machine {
public:
    struct Options {
        /// Allocated and released blocks are filled with NaN, so that reading a dropped value cannot go unseen.
        bool poisonsBlocks = false;
    };
    CudaMachine(Gpu& gpu, Options options) : m_gpu(gpu), m_options(options) { }

    std::string name() const override { return m_gpu.name(); }
    MachineTraits traits() const override;
    Result<std::byte*> allocate(Bytes bytes) override;
    void release(std::byte* data, Bytes bytes) override;
    void useWorkspace(std::byte* data) override { m_workspace = data; }
    void forward(const OpRun& run) override;
    void backward(const OpRun& run) override;
    void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update) override;
    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override;
    void fillZero(Bytes bytes, std::byte* data) override;
    void drawTokens(std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) override;
    Result<void> finish() override;
    Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>& room) override;

private:
    template <class Work> void attempt(const std::string& what, const Work& work);
    template <class Work> void attemptIn(ElementType storage, const std::string& what, const Work& work);
    void poison(std::byte* data, Bytes bytes);

    Gpu& m_gpu;
    Options m_options;
    std::byte* m_workspace = nullptr;
    Bytes m_live; ///< as asked for
    std::optional<Error> m_error;
};

} // namespace remat::cuda
