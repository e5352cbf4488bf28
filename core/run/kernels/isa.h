// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The namespace of the kernels' implementation: one per instruction set.
///
/// Every file that includes this header is compiled once per instruction set (CMakeLists.txt), which defines REMAT_ISA
/// as the set's name.  An inline function or template that the linker may merge must then carry the instruction set in
/// its name, or a program would run code that its processor lacks.  So everything in these files lives in
/// remat::kernels::REMAT_ISA, and templates of the standard library that make code stay out.
#ifndef REMAT_ISA
#define REMAT_ISA baseline
#endif
