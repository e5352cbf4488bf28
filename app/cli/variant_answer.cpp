// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/variant_answer.h"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/base/format_units.h"
#include "core/export/table.h"
#include "core/model/names.h"

namespace remat::cli {

namespace {

using nlohmann::json;

std::string attentionText(const TrainingSetup& setup)
{
    return "attention " + std::string(toName(setup.attention));
}

std::string headText(const TrainingSetup& setup)
{
    if (setup.loss == LossKind::CrossEntropy)
        return "the head whole";
    return std::to_string(setup.headChunks) + (setup.headChunks == 1 ? " head chunk" : " head chunks");
}

/// " and recompute 2 layers fewer"; of as many layers, how many ops; nothing where both run as many again.
std::string recomputationText(const Plan& chosen, const Plan& given)
{
    const std::int64_t layers = recomputingLayers(chosen) - recomputingLayers(given);
    const std::int64_t more = layers != 0 ? layers : chosen.prediction.reruns - given.prediction.reruns;
    if (more == 0)
        return {};
    const std::string what = layers != 0 ? "layer" : "op";
    return " and recompute " + std::to_string(std::abs(more)) + " " + what + (std::abs(more) == 1 ? "" : "s")
        + (more < 0 ? " fewer" : " more");
}

/// What the choice buys: time, or as much time in less memory.
std::string gainText(const Plan& chosen, const Plan& given)
{
    const Bytes less = given.prediction.peak - chosen.prediction.peak;
    if (chosen.prediction.time != given.prediction.time)
        return formatPercent(chosen.extraTime() - given.extraTime()) + " of a step";
    return less > Bytes{} ? "as fast in " + formatBytes(less) + " less" : "as fast";
}

/// That nothing else was better, of as many combinations as there are.
std::string asGivenText(const std::vector<VariantOffer>& offers)
{
    const std::string given = "variants: as given (" + variantText(offers.front().setup) + "); ";
    if (offers.size() == 1)
        return given + "pins and sizes of the step allow no other\n";
    if (offers.size() == 2)
        return given + "the other one is not cheaper within this budget\n";
    return given + "none of the " + std::to_string(offers.size() - 1) + " others is cheaper within this budget\n";
}

} // namespace

std::string variantText(const TrainingSetup& setup)
{
    return attentionText(setup) + ", " + headText(setup);
}

std::string variantSentence(const std::vector<VariantOffer>& offers)
{
    if (offers.empty())
        return {};
    const VariantOffer& given = offers.front();
    const auto chosen = std::find_if(offers.begin(), offers.end(), [](const VariantOffer& o) { return o.isChosen; });
    if (chosen == offers.end() || chosen == offers.begin())
        return asGivenText(offers);
    std::string what;
    if (chosen->setup.attention != given.setup.attention)
        what = attentionText(chosen->setup);
    if (headText(chosen->setup) != headText(given.setup))
        what += (what.empty() ? "" : " and ") + headText(chosen->setup);
    if (!given.plan)
        return "variants: use " + what + "; as given (" + variantText(given.setup) + ") nothing fits this budget\n";
    return "variants: use " + what + recomputationText(*chosen->plan, *given.plan) + ", "
        + gainText(*chosen->plan, *given.plan) + " against those given (" + variantText(given.setup) + ")\n";
}

std::string variantTable(const std::vector<VariantOffer>& offers)
{
    if (offers.empty())
        return {};
    Table table{{"variants", "fits", "peak", "extra time", "layers recomputing", ""}, {}};
    for (const VariantOffer& offer : offers) {
        const auto& plan = offer.plan;
        table.rows.push_back({variantText(offer.setup), plan ? "yes" : "no",
            plan ? formatBytes(plan->prediction.peak) : "", plan ? formatPercent(plan->extraTime()) : "",
            plan ? std::to_string(recomputingLayers(*plan)) : "", offer.isChosen ? "chosen" : ""});
    }
    return toText(table);
}

json variantJson(const TrainingSetup& setup)
{
    if (setup.profile == Profile::Article)
        return json::object();
    return {{"attention", toName(setup.attention)}, {"loss", toName(setup.loss)}, {"head_chunks", setup.headChunks}};
}

json variantsJson(const std::vector<VariantOffer>& offers)
{
    if (offers.empty())
        return nullptr;
    json list = json::array();
    for (const VariantOffer& offer : offers) {
        json row = variantJson(offer.setup);
        row["chosen"] = offer.isChosen;
        row["fits"] = offer.plan.has_value();
        if (offer.plan)
            row.update(
                {{"peak_bytes", offer.plan->prediction.peak.value}, {"time_ns", offer.plan->prediction.time.value},
                    {"recomputing_layers", recomputingLayers(*offer.plan)}});
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace remat::cli
