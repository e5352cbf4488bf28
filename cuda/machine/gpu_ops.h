// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

#include "core/run/machine.h"
#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// An op that needs more workspace than there is.
struct WorkspaceTooSmall : std::runtime_error {
    explicit WorkspaceTooSmall(Bytes bytes) : std::runtime_error("workspace too small"), needed(bytes) { }
    Bytes needed;
};

/// Runs ops whose numbers are stored as T, float or bf16, with the kernels of cuda/kernels and a Gpu's products.
///
/// `workspace`: kCudaWorkspace bytes; an op that needs more throws WorkspaceTooSmall.
template <class T> class GpuOps {
public:
    GpuOps(Gpu& gpu, std::byte* workspace) : m_gpu(gpu), m_stream(gpu.stream()), m_workspace(workspace) { }

    void forward(const OpRun& run);
    void backward(const OpRun& run);
    void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update);
    /// `master` (or null) becomes the unrounded weight.
    void initialize(
        const Parameter& parameter, std::uint64_t seed, std::uint64_t stream, std::byte* data, float* master);

private:
    void linearForward(const OpRun& run);
    void linearBackward(const OpRun& run);
    void chunkedHead(const OpRun& run);
    void product(const kernels::Gemm& gemm, const T* a, const T* b, const T* bias, T* c, kernels::Store store);
    /// The workspace, if it has so many bytes.
    std::byte* workspace(std::int64_t bytes) const;
    float* floatWorkspace(std::int64_t bytes) const { return reinterpret_cast<float*>(workspace(bytes)); }

    Gpu& m_gpu;
    Stream m_stream;
    std::byte* m_workspace;
};

} // namespace remat::cuda
