// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_facts.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/model/names.h"
#include "ui/run/run_controller.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct LessonFactsText {
    Q_DECLARE_TR_FUNCTIONS(LessonFactsText)
};

using Value = std::optional<LessonValue>;

/// The plan of the newest answer, once that answers the newest question.
const Plan* planOf(const LessonWorld& world)
{
    const Answer* answer = world.state.answer();
    return answer && answer->shown && !answer->inputError && !world.state.isBusy() ? &answer->shown->plan : nullptr;
}

Value number(std::int64_t value)
{
    return LessonValue(static_cast<double>(value));
}

template <class Figure> Value ofPlan(const LessonWorld& world, Figure figure)
{
    const Plan* plan = planOf(world);
    return plan ? Value(LessonValue(static_cast<double>(figure(*plan)))) : std::nullopt;
}

const RunRecord* lastRun(const LessonWorld& world)
{
    return world.runs.runs().size() > world.firstRun ? &world.runs.runs().back() : nullptr;
}

std::string runWord(const LessonWorld& world)
{
    const RunRecord* run = lastRun(world);
    if (!run)
        return "none";
    switch (run->row.state) {
    case RunState::Waiting:
    case RunState::Running:
        return "running";
    case RunState::Done:
        return "done";
    case RunState::Failed:
        return "failed";
    case RunState::Stopped:
        break;
    }
    return "stopped";
}

/// The rows of the grid that a name means: a sublayer, or an op of the block.
bool isRowNamed(const GridRowMeaning& row, const StageTape& block, const std::string& name)
{
    return row.op < 0 ? sublayerName(row.sublayer) == name : block.ops[static_cast<std::size_t>(row.op)].name == name;
}

/// The share of a row's bytes that the plan holds from forward to backward, over all layers.
Value keptShare(const LessonWorld& world, const std::string& name)
{
    const Plan* plan = planOf(world);
    if (!plan)
        return std::nullopt;
    const StageTape& block = plan->step->tape.kinds[1];
    const std::vector<GridRowMeaning> rows = gridRows(block);
    const GridView grid = makeGridView(world.state);
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (isRowNamed(rows[r], block, name) && grid.rows[r].all.value > 0)
            return LessonValue(ratio(grid.rows[r].kept, grid.rows[r].all));
    return std::nullopt;
}

/// "L3.ffn", "L3.gelu", "embedding", "head", or nothing.
Value selectedPlace(const LessonWorld& world)
{
    const Plan* plan = planOf(world);
    const std::optional<GridPlace> place = world.state.selection();
    if (!plan)
        return std::nullopt;
    if (!place)
        return LessonValue(std::string("nothing"));
    const StepTape& tape = plan->step->tape;
    if (place->layer < 0 || place->layer >= tape.shape.layers)
        return LessonValue(std::string(place->layer < 0 ? "embedding" : "head"));
    const StageTape& block = tape.kinds[1];
    const std::vector<GridRowMeaning> rows = gridRows(block);
    if (place->row < 0 || place->row >= static_cast<int>(rows.size()))
        return LessonValue(std::string("nothing"));
    const GridRowMeaning& row = rows[static_cast<std::size_t>(place->row)];
    return LessonValue("L" + std::to_string(place->layer) + "."
        + (row.op < 0 ? sublayerName(row.sublayer) : block.ops[static_cast<std::size_t>(row.op)].name));
}

const char* metricName(GridMetric metric)
{
    switch (metric) {
    case GridMetric::Bytes:
        return "bytes";
    case GridMetric::Flops:
        return "flops";
    case GridMetric::RecomputeTime:
        return "recompute_time";
    case GridMetric::BytesPerMicrosecond:
        break;
    }
    return "bytes_per_microsecond";
}

constexpr LessonFact kFacts[] = {
    {"choice", FactKind::Count, false, [] { return LessonFactsText::tr("answer"); },
        [](const LessonWorld& w, const std::string&) { return number(w.choice); }},
    {"fits", FactKind::Flag, false, [] { return LessonFactsText::tr("the plan fits its budget"); },
        [](const LessonWorld& w, const std::string&) -> Value {
            const Plan* plan = planOf(w);
            return plan
                ? Value(LessonValue(!w.state.answer()->doesNotFit && plan->prediction.peak <= w.state.inputs().budget))
                : std::nullopt;
        }},
    {"extra_time", FactKind::Share, false, [] { return LessonFactsText::tr("extra time"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [](const Plan& plan) { return plan.extraTime(); });
        }},
    {"peak", FactKind::Size, false, [] { return LessonFactsText::tr("peak"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [](const Plan& plan) { return plan.prediction.peak.value; });
        }},
    {"saved", FactKind::Size, false, [] { return LessonFactsText::tr("saved for backward"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [](const Plan& plan) { return plan.prediction.saved.value; });
        }},
    {"base", FactKind::Size, false, [] { return LessonFactsText::tr("weights, optimizer and inputs"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [](const Plan& plan) { return plan.prediction.base.value; });
        }},
    {"reruns", FactKind::Count, false, [] { return LessonFactsText::tr("operations run again"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [](const Plan& plan) { return plan.prediction.reruns; });
        }},
    {"least_peak", FactKind::Size, false, [] { return LessonFactsText::tr("least budget"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [&](const Plan&) { return w.state.answer()->leastPeak().value; });
        }},
    {"keep_all_peak", FactKind::Size, false, [] { return LessonFactsText::tr("peak of keeping everything"); },
        [](const LessonWorld& w, const std::string&) {
            return ofPlan(w, [&](const Plan&) { return w.state.answer()->study->keepAllPeak().value; });
        }},
    {"kept", FactKind::Share, true, [] { return LessonFactsText::tr("kept share of %1"); }, &keptShare},
    {"budget", FactKind::Size, false, [] { return LessonFactsText::tr("budget"); },
        [](const LessonWorld& w, const std::string&) { return number(w.state.inputs().budget.value); }},
    {"batch", FactKind::Count, false, [] { return LessonFactsText::tr("batch"); },
        [](const LessonWorld& w, const std::string&) { return number(w.state.inputs().setup.batch); }},
    {"sequence", FactKind::Count, false, [] { return LessonFactsText::tr("sequence"); },
        [](const LessonWorld& w, const std::string&) { return number(w.state.inputs().setup.sequence); }},
    {"layers", FactKind::Count, false, [] { return LessonFactsText::tr("layers"); },
        [](const LessonWorld& w, const std::string&) { return number(w.state.inputs().shape.layers); }},
    {"pins", FactKind::Count, false, [] { return LessonFactsText::tr("pins"); },
        [](const LessonWorld& w, const std::string&) {
            return number(static_cast<std::int64_t>(w.state.inputs().pins.size()));
        }},
    {"pin", FactKind::Word, true, [] { return LessonFactsText::tr("pin of %1"); },
        [](const LessonWorld& w, const std::string& of) -> Value {
            for (const remat::Pin& pin : w.state.inputs().pins) {
                const std::string text = toText(pin);
                if (const std::size_t sign = text.find('='); text.substr(0, sign) == of)
                    return LessonValue(text.substr(sign + 1));
            }
            return LessonValue(std::string("none"));
        }},
    {"model", FactKind::Word, false, [] { return LessonFactsText::tr("model"); },
        [](const LessonWorld& w, const std::string&) { return Value(LessonValue(w.state.inputs().shape.name)); }},
    {"device", FactKind::Word, false, [] { return LessonFactsText::tr("device"); },
        [](const LessonWorld& w, const std::string&) { return Value(LessonValue(w.state.inputs().setup.device)); }},
    {"strategy", FactKind::Word, false, [] { return LessonFactsText::tr("strategy"); },
        [](const LessonWorld& w, const std::string&) { return Value(LessonValue(toName(w.state.inputs().strategy))); }},
    {"attention", FactKind::Word, false, [] { return LessonFactsText::tr("attention"); },
        [](const LessonWorld& w, const std::string&) {
            return Value(LessonValue(std::string(toName(w.state.inputs().setup.attention))));
        }},
    {"optimizer", FactKind::Word, false, [] { return LessonFactsText::tr("optimizer"); },
        [](const LessonWorld& w, const std::string&) {
            return Value(LessonValue(std::string(toName(w.state.inputs().setup.optimizer))));
        }},
    {"selected", FactKind::Word, false, [] { return LessonFactsText::tr("selected cell"); },
        [](const LessonWorld& w, const std::string&) { return selectedPlace(w); }},
    {"metric", FactKind::Word, false, [] { return LessonFactsText::tr("what a cell's fill means"); },
        [](const LessonWorld& w, const std::string&) {
            return Value(LessonValue(std::string(metricName(w.state.metric()))));
        }},
    {"run", FactKind::Word, false, [] { return LessonFactsText::tr("run"); },
        [](const LessonWorld& w, const std::string&) { return Value(LessonValue(runWord(w))); }},
    {"run_failure", FactKind::Word, false, [] { return LessonFactsText::tr("why the run failed"); },
        [](const LessonWorld& w, const std::string&) {
            const RunRecord* run = lastRun(w);
            return Value(LessonValue(run && run->failure ? run->failure->code : std::string("none")));
        }},
    {"run_as_predicted", FactKind::Flag, false,
        [] { return LessonFactsText::tr("the run's peak is the predicted one"); },
        [](const LessonWorld& w, const std::string&) {
            const RunRecord* run = lastRun(w);
            return Value(LessonValue(run && run->report && run->report->peak.tracked == run->report->peak.predicted));
        }},
    {"run_gradients_equal", FactKind::Flag, false, [] { return LessonFactsText::tr("gradients are bit-equal"); },
        [](const LessonWorld& w, const std::string&) {
            const RunRecord* run = lastRun(w);
            return Value(LessonValue(run && run->row.gradientsEqual.value_or(false)));
        }},
};

QString valueText(FactKind kind, const LessonValue& value)
{
    const NumberFormat format;
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? LessonFactsText::tr("yes") : LessonFactsText::tr("no");
    if (const std::string* word = std::get_if<std::string>(&value))
        return QString::fromStdString(*word);
    const double figure = std::get<double>(value);
    switch (kind) {
    case FactKind::Size:
        return format.bytes({static_cast<std::int64_t>(figure)});
    case FactKind::Share:
        return format.percent(figure).remove(u'+');
    default:
        return QString::number(static_cast<std::int64_t>(figure));
    }
}

QString relationText(LessonRelation relation)
{
    switch (relation) {
    case LessonRelation::Is:
        return LessonFactsText::tr("%1: %2 (now %3)");
    case LessonRelation::Below:
        return LessonFactsText::tr("%1 below %2 (now %3)");
    case LessonRelation::Above:
        return LessonFactsText::tr("%1 above %2 (now %3)");
    case LessonRelation::AtMost:
        return LessonFactsText::tr("%1 at most %2 (now %3)");
    case LessonRelation::AtLeast:
        break;
    }
    return LessonFactsText::tr("%1 at least %2 (now %3)");
}

} // namespace

std::span<const LessonFact> lessonFacts()
{
    return kFacts;
}

const LessonFact* findLessonFact(std::string_view name)
{
    const auto* const found
        = std::find_if(std::begin(kFacts), std::end(kFacts), [&](const LessonFact& fact) { return fact.name == name; });
    return found == std::end(kFacts) ? nullptr : found;
}

bool holds(const std::vector<LessonCondition>& conditions, const LessonWorld& world)
{
    return std::all_of(conditions.begin(), conditions.end(), [&](const LessonCondition& condition) {
        const LessonFact* fact = findLessonFact(condition.fact);
        const Value value = fact ? fact->value(world, condition.of) : std::nullopt;
        return value && condition.isMetBy(*value);
    });
}

QString conditionText(const LessonCondition& condition, const LessonWorld& world)
{
    const LessonFact* fact = findLessonFact(condition.fact);
    if (!fact || condition.fact == "choice")
        return {};
    const Value now = fact->value(world, condition.of);
    const QString title = fact->hasOf ? fact->title().arg(QString::fromStdString(condition.of)) : fact->title();
    return relationText(condition.relation)
        .arg(title, valueText(fact->kind, condition.value), now ? valueText(fact->kind, *now) : QString(QChar(0x2013)));
}

} // namespace remat::ui
