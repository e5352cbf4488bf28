// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/plan/nested_study.h"
#include "core/plan/study.h"

namespace remat {

/// What one combination of variants can do within a budget.
struct VariantOffer {
    TrainingSetup setup;      ///< with these variants
    std::optional<Plan> plan; ///< the cheapest within the budget; empty where none fits
    bool isChosen = false;    ///< the planner's answer has these variants
};

/// Layers that run forward again, whole or in part.
int recomputingLayers(const Plan& plan);

/// What every variant that the planner could choose offers within the budget of its plan (its peak, where it has none):
/// those of the study's own setup first, then those of variantsOf().  The plan itself is the offer of its variants.
///  Empty where the variants are fixed, and for a rule's plan.
std::vector<VariantOffer> variantOffers(const Study& study, const Plan& plan);
/// The same for a plan of optimal-nested.
std::vector<VariantOffer> variantOffers(const Study& study, const NestedStudy& nested, const Plan& plan);

} // namespace remat
