// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/machine/cuda_machine.h"

#include <stdexcept>
#include <utility>

#include "core/cost/device_traits.h"
#include "cuda/kernels/kernels.h"
#include "cuda/machine/gpu_ops.h"

namespace remat::cuda {

namespace {

constexpr MessageCode kNoGpuMemory{"gpu-out-of-memory", REMAT_TR("The GPU's memory pool gave no {0}; {1} are in use."),
    REMAT_TR("Lower the batch, plan with a smaller budget, or close other programs that use the GPU."),
    ExitCode::OutOfMemory};
constexpr MessageCode kNoWorkspace{"gpu-workspace-too-small",
    REMAT_TR("The GPU's kernel for {0} needs a workspace of {1}; it has {2}."),
    REMAT_TR("Lower the batch or the sequence."), ExitCode::OutOfMemory};
constexpr MessageCode kGpuFailed{"gpu-failed", REMAT_TR("The GPU failed, found at {0}: {1}."),
    REMAT_TR("Run again; if it fails again, check the driver and the card (nvidia-smi -q)."), ExitCode::DeviceError};

std::span<std::byte> spanOf(std::byte* data, Bytes bytes)
{
    return {data, static_cast<std::size_t>(bytes.value)};
}

/// 0xff everywhere is a NaN as fp32 and as bf16.
constexpr unsigned char kPoison = 0xff;

} // namespace

MachineTraits CudaMachine::traits() const
{
    return {kCudaGranule, kCudaWorkspace, kCudaAttentionRow};
}

/// Does the work unless something failed before, and remembers what fails.
template <class Work> void CudaMachine::attempt(const std::string& what, const Work& work)
{
    if (m_error)
        return;
    try {
        work();
    } catch (const WorkspaceTooSmall& failure) {
        m_error = Error{&kNoWorkspace, what, {what, failure.needed, kCudaWorkspace}};
    } catch (const std::runtime_error& failure) {
        m_error = Error{&kGpuFailed, what, {what, std::string(failure.what())}};
    }
}

Result<std::byte*> CudaMachine::allocate(Bytes bytes)
{
    std::byte* data = nullptr;
    attempt("allocating memory", [&] { data = m_gpu.allocate(bytes); });
    if (m_error)
        return *m_error;
    if (!data)
        return Error{&kNoGpuMemory, "", {bytes, m_live}};
    m_live += bytes;
    poison(data, bytes);
    return data;
}

void CudaMachine::release(std::byte* data, Bytes bytes)
{
    poison(data, bytes);
    m_live -= bytes;
    // Also after a failure, so that one which leaves the GPU usable leaves no memory behind.
    try {
        m_gpu.release(data);
    } catch (const std::runtime_error& failure) {
        if (!m_error)
            m_error
                = Error{&kGpuFailed, "freeing memory", {std::string("freeing memory"), std::string(failure.what())}};
    }
}

void CudaMachine::poison(std::byte* data, Bytes bytes)
{
    if (m_options.poisonsBlocks)
        attempt("poisoning", [&] { m_gpu.setBytes(spanOf(data, bytes), kPoison); });
}

/// The same with the ops of a storage type.
template <class Work> void CudaMachine::attemptIn(ElementType storage, const std::string& what, const Work& work)
{
    attempt(what, [&] {
        if (storage == ElementType::Bf16)
            work(GpuOps<bf16>(m_gpu, m_workspace));
        else
            work(GpuOps<float>(m_gpu, m_workspace));
    });
}

void CudaMachine::forward(const OpRun& run)
{
    attemptIn(run.storage, run.op->name, [&](auto ops) { ops.forward(run); });
}

void CudaMachine::backward(const OpRun& run)
{
    attemptIn(run.storage, run.op->name, [&](auto ops) { ops.backward(run); });
}

void CudaMachine::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    attemptIn(update.storage, update.parameter->name, [&](auto ops) { ops.update(kind, step, update); });
}

void CudaMachine::initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
    std::byte* data, float* master)
{
    attemptIn(storage, parameter.name, [&](auto ops) { ops.initialize(parameter, seed, stream, data, master); });
}

void CudaMachine::fillZero(Bytes bytes, std::byte* data)
{
    attempt("filling with zeros", [&] { m_gpu.setBytes(spanOf(data, bytes), 0); });
}

void CudaMachine::drawTokens(
    std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary, std::int32_t* out)
{
    attempt("drawing tokens", [&] { fillTokens({seed, stream}, count, vocabulary, out, m_gpu.stream()); });
}

Result<void> CudaMachine::finish()
{
    attempt("waiting for the GPU", [&] { m_gpu.finish(); });
    if (!m_error)
        return {};
    return *std::exchange(m_error, std::nullopt);
}

Result<std::span<const std::byte>> CudaMachine::onHost(std::span<const std::byte> data, std::vector<std::byte>& room)
{
    room.resize(data.size());
    attempt("copying to the host", [&] { m_gpu.copyToHost(data, room); });
    if (m_error)
        return *m_error;
    return std::span<const std::byte>(room);
}

} // namespace remat::cuda
