// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/answer_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/index.h"
#include "core/chain/stage_script.h"
#include "core/cost/device_memory.h"
#include "core/export/description.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct AnswerViewsText {
    Q_DECLARE_TR_FUNCTIONS(AnswerViewsText)
};

/// "layer 3, recomputing attention" of a call of the program.
QString instructionTitle(const ShownPlan& shown, int instruction)
{
    const Instruction& step = shown.program.instructions[at(instruction)];
    const StepTape& tape = shown.plan.step->tape;
    const QString phase = step.kind == Instruction::Kind::Backward ? AnswerViewsText::tr("%1, backward of %2")
        : step.isRerun                                             ? AnswerViewsText::tr("%1, recomputing %2")
                                                                   : AnswerViewsText::tr("%1, forward of %2");
    return phase.arg(QString::fromStdString(tape.stages[at(step.stage)].name),
        QString::fromStdString(tape.tapeOf(step.stage).ops[at(step.op)].name));
}

/// The call for which an instruction is there: itself, or the next one that an allocation serves.
std::optional<int> callOf(const Program& program, int instruction)
{
    for (int i = instruction; i < static_cast<int>(program.instructions.size()); ++i)
        if (program.instructions[at(i)].stage >= 0)
            return i;
    return std::nullopt;
}

/// Why a buffer is there.
QString reasonOf(const Buffer& buffer, bool isHeld)
{
    switch (buffer.role) {
    case BufferRole::WeightGradient:
        return AnswerViewsText::tr("gradient of a weight, until the optimizer step");
    case BufferRole::Boundary:
        return AnswerViewsText::tr("output of a stage");
    case BufferRole::Saved:
        return isHeld ? AnswerViewsText::tr("kept for the backward") : AnswerViewsText::tr("in use now");
    case BufferRole::Gradient:
        return AnswerViewsText::tr("gradient of an activation");
    case BufferRole::Workspace:
        return AnswerViewsText::tr("workspace");
    }
    return {};
}

/// The largest buffers at an instant, a line each, and how many more there are.
QStringList stackText(const ShownPlan& shown, int instruction)
{
    constexpr std::size_t kMostLines = 4;
    const NumberFormat format;
    const std::vector<AliveBuffer> alive = aliveAfter(shown.program, instruction);
    QStringList lines;
    for (std::size_t i = 0; i < std::min(alive.size(), kMostLines); ++i) {
        const Buffer& buffer = shown.program.buffers[at(alive[i].buffer)];
        lines << QStringLiteral("\u2022 %1, %2").arg(QString::fromStdString(buffer.name), format.bytes(buffer.bytes));
    }
    if (alive.size() > kMostLines)
        lines << AnswerViewsText::tr(
            "and %n more; click: all of them", nullptr, static_cast<int>(alive.size() - kMostLines));
    return lines;
}

template <class AnyPlan> TradeoffPoint pointOf(const AnyPlan& plan)
{
    return {plan.prediction.peak, plan.extraTime()};
}

} // namespace

VerdictView makeVerdictView(const ExplorerState& state)
{
    if (state.answer()->regions)
        return regionVerdict(state);
    const Answer& answer = *state.answer();
    const Plan& plan = answer.shown->plan;
    VerdictView view;
    view.generation = answer.generation;
    view.peak = plan.prediction.peak;
    view.budget = answer.question.budget;
    view.least = answer.leastPeak();
    view.extraTime = plan.extraTime();
    const bool fits = !answer.doesNotFit && plan.prediction.peak <= view.budget;
    view.answer = !fits               ? VerdictView::Answer::DoesNotFit
        : plan.prediction.reruns == 0 ? VerdictView::Answer::FitsWithoutRecomputing
                                      : VerdictView::Answer::Fits;
    if (fits && !plan.fitsDevice())
        view.deviceLimit = deviceBudget(plan.device);
    if (!fits || view.deviceLimit || !plan.strategy.isPlanner())
        return view;
    if (const std::optional<MoreBudget> next = moreBudget(answer.points(), plan)) {
        view.moreBudget = next->more;
        view.moreTime = -next->saved;
    }
    return view;
}

RulerView makeRulerView(const ExplorerState& state)
{
    if (state.answer()->regions)
        return regionRuler(state);
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
    view.least = answer.leastPeak();
    view.keepEverything = answer.keepAllPeak();
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
    view.budget = state.inputs().budget;
    if (answer.regions) {
        for (const ComparedRegions& row : answer.regionStrategies)
            if (row.plan && !row.strategy.isPlanner())
                view.rivals.push_back({QString::fromStdString(toName(row.strategy)), strategyTitle(row.strategy),
                    pointOf(*row.plan), row.plan->fits()});
        view.plan = pointOf(answer.regions->plan);
        return view;
    }
    for (const ComparedStrategy& row : answer.strategies)
        if (row.plan && !row.strategy.isPlanner())
            view.rivals.push_back({QString::fromStdString(toName(row.strategy)), strategyTitle(row.strategy),
                pointOf(*row.plan), row.plan->fits()});
    view.plan = pointOf(answer.shown->plan);
    return view;
}

LayerBarsView makeLayerBarsView(const ExplorerState& state)
{
    if (state.answer()->regions)
        return regionLayerBars(state);
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
    if (state.answer()->regions)
        return regionTimeline(state);
    const Answer& answer = *state.answer();
    const ShownPlan& shown = *answer.shown;
    const StepTape& tape = shown.plan.step->tape;
    TimelineView view;
    view.budget = state.inputs().budget;
    view.end = shown.timeline.time + shown.plan.prediction.optimizer;
    view.opName = [shown = answer.shown](int op) { return instructionTitle(*shown, op); };
    view.stackAt = [shown = answer.shown](int sample) { return stackText(*shown, sample); };
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
    view.phases = {{AnswerViewsText::tr("forward"), {0}, shown.timeline.forwardEnd},
        {AnswerViewsText::tr("backward"), shown.timeline.forwardEnd, shown.timeline.time},
        {AnswerViewsText::tr("optimizer"), shown.timeline.time, view.end}};
    if (state.selection())
        view.highlighted = spansOfStage(shown, stageOfLayer(tape, state.selection()->layer));
    return view;
}

std::vector<AliveRow> makeAliveRows(const ExplorerState& state, int instruction)
{
    const ShownPlan& shown = *state.answer()->shown;
    const StepTape& tape = shown.plan.step->tape;
    const Bytes live = shown.timeline.points[at(instruction)].live;
    std::vector<AliveRow> rows{
        {AnswerViewsText::tr("resident"), AnswerViewsText::tr("weights, optimizer state and inputs, throughout"),
            tape.base.total(), ratio(tape.base.total(), live), std::nullopt}};
    for (const AliveBuffer& alive : aliveAfter(shown.program, instruction)) {
        const Buffer& buffer = shown.program.buffers[at(alive.buffer)];
        AliveRow row{QString::fromStdString(buffer.name), reasonOf(buffer, alive.isHeld), buffer.bytes,
            ratio(buffer.bytes, live), std::nullopt};
        const int producer = buffer.tensor >= 0 ? tape.tapeOf(buffer.stage).tensors[at(buffer.tensor)].producer : -1;
        if (producer >= 0)
            row.place = placeOfOp(tape, buffer.stage, producer);
        rows.push_back(std::move(row));
    }
    return rows;
}

QString instantTitle(const ExplorerState& state, int instruction)
{
    const ShownPlan& shown = *state.answer()->shown;
    const TimelinePoint& point = shown.timeline.points[at(instruction)];
    const std::optional<int> call = callOf(shown.program, instruction);
    const QString time = NumberFormat().duration(point.time);
    return call ? AnswerViewsText::tr("%1: %2", "time: what runs").arg(time, instructionTitle(shown, *call)) : time;
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
    if (state.answer()->regions)
        return regionStrategyRows(state);
    std::vector<StrategyRow> rows;
    for (const ComparedStrategy& compared : state.answer()->strategies)
        rows.push_back(strategyRow(state, compared));
    return rows;
}

StrategyRow strategyRow(const ExplorerState& state, const ComparedStrategy& compared)
{
    StrategyRow row;
    row.key = QString::fromStdString(toName(compared.strategy));
    row.name = strategyTitle(compared.strategy);
    row.isCurrent = compared.strategy == state.inputs().strategy;
    if (compared.plan) {
        const Plan& plan = *compared.plan;
        row.figures = StrategyFigures{plan.fits(), plan.prediction.peak, plan.prediction.saved,
            plan.prediction.stepTime(plan.setup()), plan.extraTime(), plan.prediction.reruns};
    } else if (compared.problem) {
        row.notApplicable = translated(*compared.problem);
    }
    return row;
}

std::vector<TensorRow> makeTensorRows(const ExplorerState& state)
{
    if (state.answer()->regions)
        return regionTensorRows(state);
    const ShownPlan& shown = *state.answer()->shown;
    const StepChain& step = *shown.plan.step;
    const int stage = stageOfLayer(step.tape, state.selection() ? state.selection()->layer : 0);
    const StageFacts facts = step.factsOf(stage);
    const KeepSet keep = shown.plan.keep[at(stage)];
    const std::vector<int> saved = buildStageScript(facts.tape, facts.flow, keep, facts.gradientsInBase).savedTensors;
    const KindDescription described = describeKind(facts);
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
        row.producer = tensor.producer;
        row.isKept = index == facts.tape.input || index == facts.tape.output
            || std::find(saved.begin(), saved.end(), index) != saved.end();
        const remat::TensorRow& known = described.tensors[t];
        QStringList readers;
        for (const std::string& op : known.readBy)
            readers.append(QString::fromStdString(op));
        row.readBy = readers.join(QStringLiteral(", "));
        row.recomputeTime = known.recomputeTime.value_or(Nanoseconds{});
        if (known.recomputeTime && rules) {
            const KeepRule& rule = (*rules)[at(stage)];
            row.isPinned = keeps(rule.mustKeep | rule.mustDrop, tensor.producer);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

QString strategyTitle(const Strategy& strategy)
{
    switch (strategy.kind) {
    case Strategy::Kind::None:
        return AnswerViewsText::tr("keep everything");
    case Strategy::Kind::Full:
        return AnswerViewsText::tr("full layer");
    case Strategy::Kind::FullNoEarlyStop:
        return AnswerViewsText::tr("full layer, to its end");
    case Strategy::Kind::EveryK:
        return AnswerViewsText::tr("every %n layer(s)", nullptr, strategy.k);
    case Strategy::Kind::FfnOnly:
        return AnswerViewsText::tr("FFN only");
    case Strategy::Kind::AttentionOnly:
        return AnswerViewsText::tr("attention only");
    case Strategy::Kind::CoreAttention:
        return AnswerViewsText::tr("attention core only");
    case Strategy::Kind::ChenSqrt:
        return AnswerViewsText::tr("Chen, square root");
    case Strategy::Kind::ChenGreedy:
        return AnswerViewsText::tr("Chen, greedy");
    case Strategy::Kind::MegatronUniform:
        return AnswerViewsText::tr("Megatron uniform %1").arg(strategy.k);
    case Strategy::Kind::MegatronBlock:
        return AnswerViewsText::tr("Megatron block %1").arg(strategy.k);
    case Strategy::Kind::LlmcR1:
        return AnswerViewsText::tr("llm.c -r 1");
    case Strategy::Kind::LlmcR2:
        return AnswerViewsText::tr("llm.c -r 2");
    case Strategy::Kind::TorchtitanSelective:
        return AnswerViewsText::tr("torchtitan selective");
    case Strategy::Kind::Knapsack:
        return AnswerViewsText::tr("PyTorch's knapsack");
    case Strategy::Kind::ArticleGreedy:
        return AnswerViewsText::tr("article's greedy");
    case Strategy::Kind::Optimal:
        return AnswerViewsText::tr("optimal");
    case Strategy::Kind::Rotor500:
        return AnswerViewsText::tr("rotor, 500 slots");
    case Strategy::Kind::OptimalNested:
        return AnswerViewsText::tr("optimal, layers again");
    }
    return {};
}

} // namespace remat::ui
