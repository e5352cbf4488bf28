// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/variant_offers.h"

namespace remat {

namespace {

template <class Solved> std::vector<VariantOffer> offersOf(const Study& study, const Solved& solved, const Plan& plan)
{
    std::vector<VariantOffer> offers;
    if (plan.setup().variants != VariantChoice::Auto || !plan.strategy.isPlanner())
        return offers;
    const Bytes budget = plan.budget.value_or(plan.prediction.peak);
    for (std::size_t v = 0; v < study.variants().size(); ++v) {
        const TrainingSetup& setup = study.variants()[v]->tape.setup;
        if (setup == plan.setup()) {
            offers.push_back({setup, plan, true});
            continue;
        }
        Result<Plan> best = solved.cheapestOfVariant(static_cast<int>(v), budget);
        offers.push_back({setup, best ? std::optional(*std::move(best)) : std::nullopt, false});
    }
    return offers;
}

} // namespace

int recomputingLayers(const Plan& plan)
{
    const std::vector<int> forwards = forwardCounts(plan.schedule, plan.keep.size());
    int count = 0;
    for (std::size_t s = 0; s < plan.keep.size(); ++s) {
        const bool recomputes = forwards[s] > 1 || plan.step->chain.stages[s].options.front().reruns > 0;
        count += recomputes && plan.step->tape.stages[s].layer >= 0 ? 1 : 0;
    }
    return count;
}

std::vector<VariantOffer> variantOffers(const Study& study, const Plan& plan)
{
    return offersOf(study, study, plan);
}

std::vector<VariantOffer> variantOffers(const Study& study, const NestedStudy& nested, const Plan& plan)
{
    return offersOf(study, nested, plan);
}

} // namespace remat
