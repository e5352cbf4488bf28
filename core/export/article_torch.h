// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/export/article_audit.h"

namespace remat {

/// What PyTorch keeps of a layer of the article's model, in one way of training, and what its granularities free there:
/// the simulated step of core/torch, dropout as the model has it, against which the article's claims are held.
struct TorchArticleModel {
    std::string name; ///< "pytorch half eager"
    LayerParts parts; ///< a tensor counts to the part that reads it; `input` is nothing, since attention reads it
    std::vector<GranularityFigures> granularities; ///< parallel to ArticleClaims::granularities
};

/// In half precision and under AMP, with scores stored and with fused attention.
/// Errors: those of the presets, or a granularity that PyTorch does not have.
Result<std::vector<TorchArticleModel>> torchArticleModels(
    const ArticleClaims& claims, const std::string& configurationFolder);

} // namespace remat
