// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/kernels.h"

#include "core/run/kernels/isa_kernels.h" // the baseline: this file is not compiled for AVX2

namespace remat::kernels {
#ifdef REMAT_HAVE_AVX2_KERNELS
namespace avx2 {
const CpuKernels& allKernels();
}
#endif

std::int64_t chunkedHeadWorkspaceBytes(const HeadShape& shape)
{
    const std::int64_t rows = (shape.rows + shape.chunks - 1) / shape.chunks;
    return ((rows * shape.vocabulary + 15) / 16 * 16 + rows) * 4;
}

const CpuKernels* cpuKernels(InstructionSet set)
{
    if (set == InstructionSet::Baseline)
        return &baseline::allKernels();
#ifdef REMAT_HAVE_AVX2_KERNELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2::allKernels();
#endif
    return nullptr;
}

const CpuKernels& bestCpuKernels()
{
    const CpuKernels* avx2 = cpuKernels(InstructionSet::Avx2);
    return avx2 != nullptr ? *avx2 : *cpuKernels(InstructionSet::Baseline);
}

} // namespace remat::kernels
