// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace remat {

/// A figure that somebody published, beside what this program and other calculators say.
struct PublishedFigure {
    std::string step;
    double published = 0, predicted = 0;
    std::vector<double> others; ///< parallel to PublishedTable::calculators

    double errorOf(double said) const { return said / published - 1; }
};

/// Figures of one source.
struct PublishedTable {
    std::string title, remark;
    std::string unit;
    int decimals = 0; ///< of the published figures
    std::vector<std::string> calculators;
    std::vector<PublishedFigure> figures;

    /// Mean of the errors' sizes.
    double meanError() const;
};

/// Every published figure that the program is held against; docs/memory-model.md names the sources.
///
/// Peaks and sizes come from the simulated PyTorch step, with cuBLAS's workspace where max_memory_allocated() was
/// measured; layers of Megatron-LM from the closed forms of core/paper.  Other calculators, by their own formulas:
///
///   EleutherAI cookbook, calc/calc_transformer_mem.py at 069ae2e
///       sbhL(34 + 5as/h), weights 2Vh + sh + 8hL + 2h + 12h²L
///   furiousteabag/vram-calculator, app/_lib/index.ts at b367569
///       the same for a layer, and 8 bytes a logit
///   DeepSpeed's estimate_zero*_model_states
///       states alone
///
/// each with 2 bytes of weight and gradient and without optimizer, as the runs had it.  Error: a preset is missing.
Result<std::vector<PublishedTable>> publishedFigures();

/// The tables as docs/memory-model.md has them.
std::string publishedMarkdown(const std::vector<PublishedTable>& tables);

} // namespace remat
