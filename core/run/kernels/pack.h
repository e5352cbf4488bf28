// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/shuffle.h"

/// Copies parts of a matrix into panels, as the micro kernel of a product reads them: at each depth the `width` numbers
/// of a panel's lines lie together.  Lines that are missing up to the width become zeros.
namespace remat::kernels::REMAT_ISA {

/// Lines lie side by side in memory: line i at depth d is source[d * stride + i].
inline void packAlong(float* panel, Index width, const float* source, Index stride, Index lines, Index depths)
{
    for (Index d = 0; d < depths; ++d, panel += width, source += stride)
        for (Index i = 0; i < width; i += kLanes) {
            const Index lanes = least(kLanes, width - i);
            if (i + lanes <= lines && lanes == kLanes)
                store(panel + i, load(source + i));
            else
                for (Index j = i; j < i + lanes; ++j)
                    panel[j] = j < lines ? source[j] : 0.0F;
        }
}

/// Every line is a run in memory: line i at depth d is source[i * stride + d].
inline void packAcross(float* panel, Index width, const float* source, Index stride, Index lines, Index depths)
{
    for (Index first = 0; first < width; first += kLanes) {
        const Index lanes = least(kLanes, width - first);
        Index d = 0;
        for (; d + kLanes <= depths; d += kLanes) {
            Vec square[kLanes];
#pragma GCC unroll 16
            for (Index i = 0; i < kLanes; ++i)
                square[i] = first + i < lines ? load(source + (first + i) * stride + d) : Vec{};
            transpose(square);
            float* to = panel + d * width + first;
            if (lanes == kLanes) {
#pragma GCC unroll 16
                for (Index i = 0; i < kLanes; ++i)
                    store(to + i * width, square[i]);
            } else {
                for (Index i = 0; i < kLanes; ++i)
                    __builtin_memcpy(to + i * width, &square[i], static_cast<std::size_t>(lanes) * sizeof(float));
            }
        }
        for (; d < depths; ++d)
            for (Index i = first; i < first + lanes; ++i)
                panel[d * width + i] = i < lines ? source[i * stride + d] : 0.0F;
    }
}

} // namespace remat::kernels::REMAT_ISA
