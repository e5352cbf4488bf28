// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/units.h"

namespace remat {

/// What a machine adds to the sizes that the model alone decides.
///
/// Bytes are rounded up to `granule` once, in the tape.  `residentWorkspace` is scratch that the machine holds for the
/// whole step (GEMM packing and attention blocks of every thread on the CPU, the products' workspace on a GPU); it
/// belongs to base.  `attentionRow` is what a backward of attention holds for each row of scores while it runs: the
/// row's sum of P dP on a GPU, nothing on the CPU.
struct MachineTraits {
    Bytes granule{64};
    Bytes residentWorkspace{0};
    Bytes attentionRow{0};

    bool operator==(const MachineTraits&) const = default;
};

} // namespace remat
