// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The namespace of the kernels' implementation: one per instruction set.
///
/// Every file that includes this header is compiled once per instruction set (CMakeLists.txt).  An inline function or
/// template that the linker may merge must then carry the instruction set in its name, or a baseline program would run
/// AVX2 code.  So everything in these files lives in remat::kernels::REMAT_ISA, Eigen's namespace is renamed by the
/// build
/// (-DEigen=...), and templates of the standard library stay out.
#ifdef REMAT_KERNELS_AVX2
#define REMAT_ISA avx2
#else
#define REMAT_ISA baseline
#endif
