// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/answer_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/chain/stage_script.h"
#include "ui/state/core_text.h"
#include "ui/state/grid_builder.h"

namespace remat::ui {

namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

QString tr(const char* text)
{
    return QCoreApplication::translate("AnswerViews", text);
}

/// The larger budget that a person would think of next: the first point that saves at least half a percent of a step,
/// or the next one at all.
std::optional<std::size_t> worthwhilePoint(const Study& study, const Plan& plan)
{
    const std::optional<std::size_t> next = study.nextCheaper(plan.budget.value_or(plan.prediction.peak));
    if (!next)
        return std::nullopt;
    const auto saves = [&](const StudyPoint& point) { return plan.extraTime() - study.extraTimeOf(point); };
    // Time falls along the frontier, so the first point that saves enough is found by bisection.
    const auto first = study.points().begin() + static_cast<std::ptrdiff_t>(*next);
    const auto enough = std::partition_point(
        first, study.points().end(), [&](const StudyPoint& point) { return saves(point) < 0.005; });
    return enough == study.points().end() ? next : static_cast<std::size_t>(enough - study.points().begin());
}

/// "layer 3, recomputing attention" of a call of the program.
QString instructionTitle(const ShownPlan& shown, int instruction)
{
    const Instruction& step = shown.program.instructions[at(instruction)];
    const StepTape& tape = shown.plan.step->tape;
    const QString phase = step.kind == Instruction::Kind::Backward ? tr("%1, backward of %2")
        : step.isRerun                                             ? tr("%1, recomputing %2")
                                                                   : tr("%1, forward of %2");
    return phase.arg(QString::fromStdString(tape.stages[at(step.stage)].name),
        QString::fromStdString(tape.tapeOf(step.stage).ops[at(step.op)].name));
}

TradeoffPoint pointOf(const Plan& plan)
{
    return {plan.prediction.peak, plan.extraTime()};
}

} // namespace

VerdictView makeVerdictView(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const Plan& plan = answer.shown->plan;
    VerdictView view;
    view.generation = answer.generation;
    view.peak = plan.prediction.peak;
    view.budget = answer.question.budget;
    view.least = answer.study->leastPeak();
    view.extraTime = plan.extraTime();
    const bool fits = !answer.doesNotFit && plan.prediction.peak <= view.budget;
    view.answer = !fits               ? VerdictView::Answer::DoesNotFit
        : plan.prediction.reruns == 0 ? VerdictView::Answer::FitsWithoutRecomputing
                                      : VerdictView::Answer::Fits;
    if (!fits || plan.strategy.kind != Strategy::Kind::Optimal)
        return view;
    if (const auto next = worthwhilePoint(*answer.study, plan)) {
        const StudyPoint& point = answer.study->points()[*next];
        view.moreBudget = point.cost.peak - view.budget;
        view.moreTime = answer.study->extraTimeOf(point) - view.extraTime;
    }
    return view;
}

RulerView makeRulerView(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const ShownPlan& shown = *answer.shown;
    const BaseBytes& base = shown.plan.step->tape.base;
    RulerView view;
    view.generation = answer.generation;
    view.weights = base.weights;
    view.gradients = base.gradients + shown.timeline.atPeak.weightGradients;
    view.optimizer = base.optimizer;
    view.inputs = base.inputs + base.workspace;
    view.saved = shown.timeline.atPeak.saved;
    view.working = shown.timeline.atPeak.working;
    view.frontier.reserve(answer.curve->size());
    for (const CurvePoint& point : *answer.curve)
        view.frontier.push_back({point.peak, point.extraTime});
    view.least = answer.study->leastPeak();
    view.keepEverything = answer.study->keepAllPeak();
    view.budget = state.inputs().budget;
    view.fits = !answer.doesNotFit && shown.plan.prediction.peak <= answer.question.budget;
    return view;
}

TradeoffView makeTradeoffView(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    TradeoffView view;
    for (const CurvePoint& point : *answer.curve)
        view.frontier.push_back({point.peak, point.extraTime});
    for (const ComparedStrategy& row : answer.strategies)
        if (row.plan && row.strategy.kind != Strategy::Kind::Optimal)
            view.rivals.push_back({QString::fromStdString(toName(row.strategy)), strategyTitle(row.strategy),
                pointOf(*row.plan), row.plan->fits()});
    view.plan = pointOf(answer.shown->plan);
    view.budget = state.inputs().budget;
    return view;
}

LayerBarsView makeLayerBarsView(const ExplorerState& state)
{
    const GridView grid = makeGridView(state);
    const std::vector<GridRowMeaning> rows = gridRows(state.answer()->shown->plan.step->tape.kinds[1]);
    LayerBarsView view;
    view.layers.resize(at(grid.layerCount));
    for (int row = 0; row < grid.rowCount(); ++row) {
        if (grid.rows[at(row)].isTensor())
            continue;
        for (int layer = 0; layer < grid.layerCount; ++layer) {
            LayerBar& bar = view.layers[at(layer)];
            const Bytes kept = grid.cell(row, layer + 1).kept;
            switch (rows[at(row)].sublayer) {
            case Sublayer::Attention:
                bar.attention += kept;
                break;
            case Sublayer::Ffn:
                bar.ffn += kept;
                break;
            case Sublayer::Norm1:
            case Sublayer::Norm2:
                bar.norm += kept;
                break;
            default:
                bar.residual += kept;
                break;
            }
        }
    }
    if (state.selection() && state.selection()->layer >= 0 && state.selection()->layer < grid.layerCount)
        view.selected = state.selection()->layer;
    return view;
}

TimelineView makeTimelineView(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const ShownPlan& shown = *answer.shown;
    const StepTape& tape = shown.plan.step->tape;
    TimelineView view;
    view.budget = state.inputs().budget;
    view.end = shown.timeline.time + shown.plan.prediction.optimizer;
    view.opName = [shown = answer.shown](int op) { return instructionTitle(*shown, op); };
    int op = -1; // the last call so far: what a free belongs to
    view.predicted.reserve(shown.timeline.points.size());
    for (const TimelinePoint& point : shown.timeline.points) {
        const Instruction& step = shown.program.instructions[at(point.instruction)];
        if (step.stage >= 0)
            op = static_cast<int>(point.instruction);
        view.predicted.push_back({point.time, point.live, op});
    }
    const TimelinePoint& peak = shown.timeline.points[at(shown.timeline.peakInstruction)];
    view.peak = TimelineSample{peak.time, shown.timeline.peak, view.predicted[at(shown.timeline.peakOp)].op};
    view.phases = {{tr("forward"), {0}, shown.timeline.forwardEnd},
        {tr("backward"), shown.timeline.forwardEnd, shown.timeline.time},
        {tr("optimizer"), shown.timeline.time, view.end}};
    if (state.selection())
        view.highlighted = spansOfStage(shown, stageOfLayer(tape, state.selection()->layer));
    return view;
}

std::vector<TimelineSpan> spansOfStage(const ShownPlan& shown, int stage)
{
    std::vector<TimelineSpan> spans;
    Nanoseconds previous;
    bool isInside = false;
    for (const TimelinePoint& point : shown.timeline.points) {
        const Instruction& step = shown.program.instructions[at(point.instruction)];
        if (step.stage < 0)
            continue;
        if (step.stage == stage && isInside)
            spans.back().end = point.time;
        else if (step.stage == stage)
            spans.push_back({previous, point.time});
        isInside = step.stage == stage;
        previous = point.time;
    }
    return spans;
}

std::vector<StrategyRow> makeStrategyRows(const ExplorerState& state)
{
    std::vector<StrategyRow> rows;
    for (const ComparedStrategy& compared : state.answer()->strategies) {
        StrategyRow row;
        row.key = QString::fromStdString(toName(compared.strategy));
        row.name = strategyTitle(compared.strategy);
        row.isCurrent = compared.strategy == state.inputs().strategy;
        if (compared.plan) {
            const Plan& plan = *compared.plan;
            row.figures = StrategyFigures{plan.fits(), plan.prediction.peak, plan.prediction.saved,
                plan.prediction.stepTime(plan.setup()), plan.extraTime(), plan.prediction.reruns};
        } else {
            row.notApplicable = translated(*compared.problem);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TensorRow> makeTensorRows(const ExplorerState& state)
{
    const ShownPlan& shown = *state.answer()->shown;
    const StepChain& step = *shown.plan.step;
    const int stage = stageOfLayer(step.tape, state.selection() ? state.selection()->layer : 0);
    const StageFacts facts = step.factsOf(stage);
    const KeepSet keep = shown.plan.keep[at(stage)];
    const KeepSet all = keepAll(facts.tape);
    const std::vector<int> saved = buildStageScript(facts.tape, facts.flow, keep, facts.gradientsInBase).savedTensors;
    const Nanoseconds keepAllTime = makeOption(facts, all).option.backwardTime;
    const Result<std::vector<KeepRule>> rules = pinRules(step.tape, state.inputs().pins);
    std::vector<TensorRow> rows;
    for (std::size_t t = 0; t < facts.tape.tensors.size(); ++t) {
        const Tensor& tensor = facts.tape.tensors[t];
        const int index = static_cast<int>(t);
        TensorRow row;
        row.tensor = QString::fromStdString(tensor.name);
        row.sublayer = sublayerTitle(tensor.sublayer);
        QStringList sizes;
        for (const std::int64_t n : tensor.shape)
            sizes.append(QString::number(n));
        row.shape = QString::fromStdString(tensor.shapeText) + QStringLiteral(" = ") + sizes.join(QStringLiteral(", "));
        row.bytes = tensor.bytes;
        row.isKept = index == facts.tape.input || index == facts.tape.output
            || std::find(saved.begin(), saved.end(), index) != saved.end();
        QStringList readers;
        for (const Op& op : facts.tape.ops)
            if (std::find(op.backwardReads.begin(), op.backwardReads.end(), index) != op.backwardReads.end())
                readers.append(QString::fromStdString(op.name));
        row.readBy = readers.join(QStringLiteral(", "));
        if (tensor.producer >= 0 && keeps(all, tensor.producer)) {
            const KeepSet dropped = KeepSet{1} << tensor.producer;
            row.recomputeTime = makeOption(facts, all & ~dropped).option.backwardTime - keepAllTime;
            row.isPinned = rules && (((*rules)[at(stage)].mustKeep | (*rules)[at(stage)].mustDrop) & dropped) != 0;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

QString strategyTitle(const Strategy& strategy)
{
    switch (strategy.kind) {
    case Strategy::Kind::None:
        return tr("keep everything");
    case Strategy::Kind::Full:
        return tr("full layer");
    case Strategy::Kind::EveryK:
        return tr("every %1 layers").arg(strategy.k);
    case Strategy::Kind::FfnOnly:
        return tr("FFN only");
    case Strategy::Kind::AttentionOnly:
        return tr("attention only");
    case Strategy::Kind::CoreAttention:
        return tr("attention core only");
    case Strategy::Kind::ArticleGreedy:
        return tr("article's greedy");
    case Strategy::Kind::Optimal:
        return tr("optimal");
    }
    return {};
}

} // namespace remat::ui
