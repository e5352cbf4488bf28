// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/dropout.h"

#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {

void IsaKernels::dropout(const Workers& workers, const Dropout& dropout, Index count, const float* in, float* out) const
{
    assertAligned(in, out);
    forPieces(workers, count, [&](Index begin, Index end) {
        DropoutMask mask(dropout);
        if (mask.dropsNothing()) {
            if (in != out)
                __builtin_memcpy(out + begin, in + begin, static_cast<std::size_t>(end - begin) * sizeof(float));
            return;
        }
        for (Index at = begin; at < end; at += kRandomWindow) {
            const Index window = least(kRandomWindow, end - at);
            const float* factors = mask.factors(static_cast<std::uint64_t>(at), window);
            forVectors(window,
                [&](Index i, auto read, auto write) { write(out + at + i, read(in + at + i) * load(factors + i)); });
        }
    });
}

} // namespace remat::kernels::REMAT_ISA
