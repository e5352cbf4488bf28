// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_choice.h"
#include "app/cli/torch_verbs.h"
#include "app/cli/variant_answer.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/plan_table.h"
#include "core/model/names.h"
#include "core/plan/explanation.h"
#include "core/plan/nested_study.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr double kMebi = 1024.0 * 1024.0;

/// A plan with what its frontier says of it.
struct Explained {
    const Plan& plan;
    Explanation reasons;
    std::optional<MoreBudget> next;
    std::vector<BudgetStep> steps;    ///< beyond it
    std::vector<VariantOffer> offers; ///< where the planner chose the variants
    std::vector<std::string> notes;
    bool hasFrontier = true; ///< whether what lies beyond the plan is known

    /// What the frontier pays for a byte more, in nanoseconds; nothing at its end, and for fixed strategies.  From peak
    /// to peak: what the budget leaves unused buys nothing.
    std::optional<double> price() const
    {
        if (!next)
            return std::nullopt;
        return static_cast<double>((plan.prediction.time - next->point.cost.time).value)
            / static_cast<double>((next->point.cost.peak - plan.prediction.peak).value);
    }
    /// Why an op is kept or made again, in a word for scripts.
    const char* why(const OpReason& reason) const
    {
        if (reason.isPinned)
            return "pin";
        if (!plan.strategy.isPlanner())
            return "rule";
        if (reason.time == Nanoseconds{} && !reason.isKept)
            return "free";
        const std::optional<double> paid = price();
        if (!paid)
            return reason.isKept ? "room" : "peak";
        const auto worth = static_cast<double>(reason.time.value);
        const bool isDear = worth >= *paid * static_cast<double>(reason.bytes.value);
        return isDear == reason.isKept ? (isDear ? "dear" : "cheap") : "peak";
    }
};

const char* sentence(std::string_view why)
{
    if (why == "pin")
        return "pinned";
    if (why == "rule")
        return "the strategy's rule";
    if (why == "free")
        return "costs nothing to make again";
    if (why == "room")
        return "the budget has room for it";
    if (why == "dear")
        return "costs more time for its bytes than the frontier pays";
    if (why == "cheap")
        return "costs less time for its bytes than the frontier pays";
    return "what fits below the peak decides";
}

const char* nameOf(PeakPart::Kind kind)
{
    switch (kind) {
    case PeakPart::Kind::Base:
        return "base";
    case PeakPart::Kind::Boundaries:
        return "boundaries";
    case PeakPart::Kind::Interiors:
        return "interiors";
    case PeakPart::Kind::Gradient:
        return "gradient";
    case PeakPart::Kind::WeightGradients:
        return "weight_gradients";
    case PeakPart::Kind::Work:
        return "work";
    }
    return "";
}

const char* textOf(PeakPart::Kind kind)
{
    switch (kind) {
    case PeakPart::Kind::Base:
        return "weights, optimizer state and inputs";
    case PeakPart::Kind::Boundaries:
        return "outputs of stages";
    case PeakPart::Kind::Interiors:
        return "kept inside stages";
    case PeakPart::Kind::Gradient:
        return "gradient between stages";
    case PeakPart::Kind::WeightGradients:
        return "weight gradients so far";
    case PeakPart::Kind::Work:
        return "what the step makes at that instant";
    }
    return "";
}

std::string stagesOf(const Plan& plan, const StageReason& reason)
{
    const auto& stages = plan.step->tape.stages;
    if (reason.first == reason.last)
        return stages[static_cast<std::size_t>(reason.first)].name;
    return "layers " + std::to_string(stages[static_cast<std::size_t>(reason.first)].layer) + " to "
        + std::to_string(stages[static_cast<std::size_t>(reason.last)].layer);
}

std::string perMebibyte(double nanosecondsPerByte)
{
    const double nanoseconds = std::min(nanosecondsPerByte * kMebi, static_cast<double>(kMaxQuantity));
    return formatDuration(Nanoseconds{static_cast<std::int64_t>(nanoseconds)}) + " per MiB";
}

std::string stageText(const Explained& explained, const StageReason& reason)
{
    std::string text = "\n" + stagesOf(explained.plan, reason) + ": keeps " + reason.keepSet;
    if (reason.forwards > 1)
        text += ", runs forward " + std::to_string(reason.forwards) + " times";
    Table table{{"op", "decision", "bytes", "time to make again", "why"}, {}};
    for (const OpReason& op : reason.ops)
        table.rows.push_back({op.op, op.isKept ? "kept" : "made again", formatBytes(op.bytes), formatDuration(op.time),
            sentence(explained.why(op))});
    return text + "\n" + (table.rows.empty() ? "" : toText(table));
}

std::string explanationText(const Explained& explained)
{
    const Plan& plan = explained.plan;
    std::string text = verdict(plan) + "\n\npeak " + formatBytes(plan.prediction.peak) + ": "
        + englishText(plan.prediction.peakAt) + "\n";
    Table peak{{"of that", "bytes"}, {}};
    for (const PeakPart& part : explained.reasons.peak)
        if (part.bytes != Bytes{})
            peak.rows.push_back({textOf(part.kind), formatBytes(part.bytes)});
    text += toText(peak);
    if (plan.budget && plan.fits())
        text += "left of the budget: " + formatBytes(*plan.budget - plan.prediction.peak) + "\n";
    for (const StageReason& reason : explained.reasons.stages)
        text += stageText(explained, reason);
    if (!explained.offers.empty())
        text += "\nwithin this budget the variants offer\n" + variantTable(explained.offers);
    text += "\n";
    if (explained.next)
        text += moreBudgetText(plan, *explained.next) + ", " + perMebibyte(*explained.price()) + "\n";
    else if (plan.strategy.isPlanner() && explained.hasFrontier)
        text += "more budget: buys no time\n";
    text += budgetStepText(explained.steps, plan.prediction.keepAll);
    for (const Pin& pin : plan.pins)
        text += "pin: " + toText(pin) + "\n";
    return text;
}

json explanationJson(const Explained& explained)
{
    const Plan& plan = explained.plan;
    json parts = json::array(), stages = json::array(), pins = json::array();
    for (const PeakPart& part : explained.reasons.peak)
        parts.push_back({{"what", nameOf(part.kind)}, {"bytes", part.bytes.value}});
    for (const StageReason& reason : explained.reasons.stages) {
        json ops = json::array();
        for (const OpReason& op : reason.ops)
            ops.push_back({{"op", op.op}, {"kept", op.isKept}, {"pinned", op.isPinned}, {"bytes", op.bytes.value},
                {"time_ns", op.time.value}, {"why", explained.why(op)}});
        stages.push_back({{"stages", stagesOf(plan, reason)}, {"first", reason.first + 1}, {"last", reason.last + 1},
            {"keep_set", reason.keepSet}, {"forwards", reason.forwards}, {"ops", ops}});
    }
    for (const Pin& pin : plan.pins)
        pins.push_back(toText(pin));
    const auto& next = explained.next;
    const std::optional<double> price = explained.price();
    return {{"format", "remat-explanation"}, {"version", 1}, {"strategy", toName(plan.strategy)},
        {"class", plan.proof.planClass}, {"exact", plan.proof.isExact}, {"gap", plan.proof.gap}, {"fits", plan.fits()},
        {"peak",
            {{"bytes", plan.prediction.peak.value}, {"at", englishText(plan.prediction.peakAt)}, {"parts", parts}}},
        {"budget_bytes", plan.budget ? json(plan.budget->value) : json(nullptr)},
        {"slack_bytes", plan.budget ? json((*plan.budget - plan.prediction.peak).value) : json(nullptr)},
        {"stages", stages}, {"pins", pins},
        {"more_budget",
            next ? json{{"more_bytes", next->more.value}, {"peak_bytes", next->point.cost.peak.value},
                {"time_ns", next->point.cost.time.value}, {"saved_share", next->saved}}
                 : json(nullptr)},
        {"budget_steps", budgetStepJson(explained.steps)},
        {"frontier_ns_per_byte", price ? json(*price) : json(nullptr)}, {"attention", toName(plan.setup().attention)},
        {"head_chunks", plan.setup().headChunks}, {"variants", toName(plan.setup().variants)},
        {"offers", variantsJson(explained.offers)}};
}

std::vector<BudgetStep> stepsOf(std::span<const StudyPoint> points, const Plan& plan)
{
    std::vector<BudgetStep> frontier;
    for (const StudyPoint& point : points)
        frontier.push_back({point.cost.peak, point.cost.time});
    return budgetSteps(
        frontier, plan.budget.value_or(plan.prediction.peak), plan.prediction.time, plan.prediction.keepAll);
}

/// The plan with what its own frontiers offer beside and beyond it; fixed strategies have none.
Result<Explained> explained(const Plan& plan)
{
    if (!plan.strategy.isPlanner())
        return Explained{plan, explain(plan), std::nullopt, {}, {}, {}};
    const Result<Study> study = Study::solve({plan.shape(), plan.setup(), plan.device, plan.pins});
    if (!study)
        return study.error();
    if (plan.strategy.kind == Strategy::Kind::Optimal)
        return Explained{plan, explain(plan), study->moreBudget(plan), stepsOf(study->points(), plan),
            variantOffers(*study, plan), {}};
    const Result<NestedStudy> nested = NestedStudy::solve(*study);
    // A plan of --exact may lie beyond what is solved anew; it is explained all the same.
    if (!nested)
        return Explained{plan, explain(plan), std::nullopt, {}, {},
            {"what more budget would buy is not known: " + englishText(nested.error())}, false};
    std::vector<std::string> notes;
    if (nameOf(nested->solvedClass()) != plan.proof.planClass || nested->gap() > plan.proof.gap)
        notes.push_back("what more budget would buy is of the class " + std::string(nameOf(nested->solvedClass()))
            + (nested->isExact() ? "" : ", within " + formatPercent(nested->gap())) + ", the plan of "
            + plan.proof.planClass);
    return Explained{plan, explain(plan), moreBudget(nested->points(), plan), stepsOf(nested->points(), plan),
        variantOffers(*study, *nested, plan), std::move(notes)};
}

} // namespace

Result<Answer> runExplain(const Arguments& arguments)
{
    const Result<std::string> text = readFile(arguments.files[0]);
    if (text && isRegionPlan(*text))
        return explainTorch(arguments.files[0], arguments.isJson);
    const Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan)
        return plan.error();
    const Result<Explained> found = explained(*plan);
    if (!found)
        return found.error();
    Answer answer;
    if (arguments.isJson)
        answer = jsonAnswer(explanationJson(*found));
    else
        answer.output = stepHeading(plan->shape(), plan->setup()) + explanationText(*found);
    answer.notes = found->notes;
    return answer;
}

} // namespace remat::cli
