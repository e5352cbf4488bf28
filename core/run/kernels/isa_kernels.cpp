// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"

// A native build says how wide its vectors are, which decides the rounding.
#ifndef REMAT_ISA_NAME
#if defined(__AVX512F__)
#define REMAT_ISA_NAME "native-avx512"
#elif defined(__AVX2__)
#define REMAT_ISA_NAME "native-avx2"
#else
#define REMAT_ISA_NAME "native"
#endif
#endif

namespace remat::kernels::REMAT_ISA {

const char* IsaKernels::name() const
{
    return REMAT_ISA_NAME;
}

const CpuKernels& allKernels()
{
    static constinit const IsaKernels kernels;
    return kernels;
}

} // namespace remat::kernels::REMAT_ISA
