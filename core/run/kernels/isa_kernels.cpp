// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"

namespace remat::kernels::REMAT_ISA {

const char* IsaKernels::name() const
{
#ifdef REMAT_KERNELS_AVX2
    return "avx2";
#else
    return "baseline";
#endif
}

const CpuKernels& allKernels()
{
    static constinit const IsaKernels kernels;
    return kernels;
}

} // namespace remat::kernels::REMAT_ISA
