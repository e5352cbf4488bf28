// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/region_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/index.h"
#include "core/cost/device_memory.h"
#include "core/model/families.h"
#include "ui/state/answer_views.h"
#include "ui/state/why_views.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct RegionViewsText {
    Q_DECLARE_TR_FUNCTIONS(RegionViewsText)
};

const ShownRegions& shownOf(const ExplorerState& state)
{
    return *state.answer()->regions;
}

QString phaseTitle(torch::Phase phase)
{
    switch (phase) {
    case torch::Phase::Forward:
        return RegionViewsText::tr("forward");
    case torch::Phase::Backward:
        return RegionViewsText::tr("backward");
    case torch::Phase::Recompute:
        return RegionViewsText::tr("recomputation");
    case torch::Phase::Optimizer:
        break;
    }
    return RegionViewsText::tr("optimizer step");
}

QString shapeText(const LayerTensor& tensor)
{
    QStringList sizes;
    for (int i = 0; i < tensor.sizes.count(); ++i)
        sizes << QString::number(tensor.sizes[i]);
    return sizes.join(QStringLiteral(" \u00d7 ")) + u' ' + QLatin1String(torch::nameOf(tensor.type));
}

bool fits(const Answer& answer)
{
    return !answer.doesNotFit && answer.regions->plan.prediction.peak <= answer.question.budget;
}

} // namespace

VerdictView regionVerdict(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const RegionPlan& plan = answer.regions->plan;
    VerdictView view;
    view.generation = answer.generation;
    view.peak = plan.prediction.peak;
    view.budget = answer.question.budget;
    view.least = answer.leastPeak();
    view.extraTime = plan.extraTime();
    view.answer = !fits(answer) ? VerdictView::Answer::DoesNotFit
        : plan.prediction.recompute == Flops{} && plan.prediction.overhead.value == 0
        ? VerdictView::Answer::FitsWithoutRecomputing
        : VerdictView::Answer::Fits;
    if (fits(answer) && !plan.fitsDevice())
        view.deviceLimit = deviceBudget(plan.request.device);
    else if (const std::optional<RegionMove>& more = answer.regionMoves.more; more && fits(answer)) {
        view.moreBudget = more->peak - view.budget;
        view.moreTime = more->extraTime - view.extraTime;
    }
    return view;
}

RulerView regionRuler(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const RegionPrediction& p = answer.regions->plan.prediction;
    RulerView view;
    view.generation = answer.generation;
    view.weights = p.parameters;
    view.optimizer = p.optimizer;
    const bool isAtOptimizer = p.peakAt.phase == torch::Phase::Optimizer;
    // At the optimizer's step every gradient is there and nothing saved is; before it, what forward saved.
    if (isAtOptimizer)
        view.gradients = std::min(p.gradients, p.peak - p.base);
    view.inputs = p.base - p.parameters - p.optimizer;
    view.saved = isAtOptimizer ? Bytes{} : std::min(p.saved, p.peak - p.base);
    view.working = p.peak - p.base - view.gradients - view.saved;
    for (const CurvePoint& point : *answer.curve)
        view.frontier.push_back({point.peak, point.extraTime});
    view.least = answer.leastPeak();
    view.keepEverything = answer.keepAllPeak();
    view.budget = state.inputs().budget;
    view.fits = fits(answer);
    return view;
}

LayerBarsView regionLayerBars(const ExplorerState& state)
{
    const RegionTable& table = shownOf(state).table;
    LayerBarsView view;
    view.layers.resize(table.layers);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        // A child with modules of its own is their sum.
        const bool isSum = row + 1 < table.rows.size() && table.rows[row + 1].parent == static_cast<int>(row);
        if (isSum)
            continue;
        for (std::size_t layer = 0; layer < table.layers; ++layer) {
            LayerBar& bar = view.layers[layer];
            const Bytes kept = table.cell(row, layer).kept;
            switch (table.rows[row].part) {
            case LayerPart::Attention:
                bar.attention += kept;
                break;
            case LayerPart::Ffn:
                bar.ffn += kept;
                break;
            case LayerPart::Norm:
                bar.norm += kept;
                break;
            case LayerPart::Other:
                bar.residual += kept;
                break;
            }
        }
    }
    const auto layers = static_cast<int>(table.layers);
    if (state.selection() && state.selection()->layer >= 0 && state.selection()->layer < layers)
        view.selected = state.selection()->layer;
    return view;
}

QString eventTitle(const torch::TorchStep& step, int event)
{
    const torch::Event& at = step.events[remat::at(event)];
    if (at.phase == torch::Phase::Optimizer)
        return phaseTitle(at.phase);
    const std::string& module = step.modulePaths[remat::at(at.module)];
    const std::string_view op = nameOf(at.op);
    return RegionViewsText::tr("%1, %2: %3", "phase, module: op")
        .arg(phaseTitle(at.phase),
            module.empty() ? RegionViewsText::tr("the model itself") : QString::fromStdString(module),
            QString::fromUtf8(op.data(), static_cast<qsizetype>(op.size())));
}

TimelineView regionTimeline(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const ShownRegions& shown = shownOf(state);
    TimelineView view;
    view.budget = state.inputs().budget;
    const RegionPrediction& p = shown.plan.prediction;
    const torch::TorchStep& step = shown.planned;
    view.predicted.reserve(shown.instants.size());
    std::size_t peak = 0;
    Nanoseconds backward, optimizer;
    bool hasBackward = false;
    for (std::size_t i = 0; i < shown.instants.size(); ++i) {
        const StepInstant& instant = shown.instants[i];
        view.predicted.push_back({instant.at, instant.allocated, static_cast<int>(i)});
        if (instant.allocated > shown.instants[peak].allocated)
            peak = i;
        const torch::Phase phase = step.events[i].phase;
        if (!hasBackward && phase != torch::Phase::Forward) {
            backward = instant.at;
            hasBackward = true;
        }
        if (phase == torch::Phase::Optimizer)
            optimizer = instant.at;
    }
    view.end = p.time + p.optimizerTime;
    if (!view.predicted.empty()) {
        view.end = std::max(view.end, view.predicted.back().at);
        view.peak = view.predicted[peak];
    }
    const Nanoseconds end = optimizer.value > 0 ? optimizer : view.end;
    view.phases = {{RegionViewsText::tr("forward"), {0}, backward}, {RegionViewsText::tr("backward"), backward, end}};
    if (optimizer.value > 0)
        view.phases.push_back({RegionViewsText::tr("optimizer"), optimizer, view.end});
    if (state.selection())
        view.highlighted = spansOfLayer(shown, state.selection()->layer);
    view.opName = [regions = answer.regions](int event) { return eventTitle(regions->planned, event); };
    return view;
}

std::vector<StrategyRow> regionStrategyRows(const ExplorerState& state)
{
    std::vector<StrategyRow> rows;
    const std::int64_t microBatches = shownOf(state).plan.request.setup.microBatches;
    for (const ComparedRegions& compared : state.answer()->regionStrategies) {
        StrategyRow row;
        row.key = QString::fromStdString(toName(compared.strategy));
        row.name = strategyTitle(compared.strategy);
        row.isCurrent = compared.strategy == state.inputs().strategy;
        if (compared.plan) {
            const RegionPrediction& p = compared.plan->prediction;
            const auto recomputed = std::count_if(compared.plan->options.begin(), compared.plan->options.end(),
                [](const std::string& option) { return option != "keep"; });
            row.figures = StrategyFigures{compared.plan->fits(), p.peak, p.saved, p.stepTime(microBatches),
                compared.plan->extraTime(), recomputed};
        } else {
            row.notApplicable = translated(*compared.problem);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TensorRow> regionTensorRows(const ExplorerState& state, std::optional<int> wanted)
{
    const ShownRegions& shown = shownOf(state);
    const auto layers = static_cast<int>(shown.table.layers);
    const int layer = std::clamp(state.selection() ? state.selection()->layer : 0, 0, layers - 1);
    std::vector<TensorRow> rows;
    for (const LayerTensor& tensor : layerTensors(shown.plan, shown.keepAll, shown.planned, at(layer))) {
        TensorRow row;
        const std::string child = tensor.module.substr(0, tensor.module.find('.'));
        if (wanted) {
            const ModuleRow& asked = shown.table.rows[at(*wanted)];
            if (asked.module != (asked.parent < 0 ? child : tensor.module))
                continue;
        }
        // The module that was asked for is named by who asked.
        const bool isNamed = tensor.module.empty() || (wanted && tensor.module == shown.table.rows[at(*wanted)].module);
        row.tensor = QString::fromStdString(
            isNamed ? tensor.op : tensor.module.substr(tensor.module.rfind('.') + 1) + ": " + tensor.op);
        row.sublayer = child.empty() ? RegionViewsText::tr("the layer itself") : QString::fromStdString(child);
        row.shape = shapeText(tensor);
        row.bytes = tensor.bytes;
        row.isKept = tensor.isKept;
        row.readBy = RegionViewsText::tr("saved by autograd");
        row.recomputeTime = tensor.forward;
        rows.push_back(std::move(row));
    }
    return rows;
}

QString regionText(const RegionPlan& plan, int layer)
{
    if (layer < 0 || layer >= static_cast<int>(plan.options.size()))
        return RegionViewsText::tr("No region reaches here.");
    const std::string& option = plan.options[at(layer)];
    return option == "keep"
        ? RegionViewsText::tr("Layer %1 runs once: no region.").arg(layer)
        : RegionViewsText::tr("Layer %1 is run again in backward: %2.").arg(layer).arg(QString::fromStdString(option));
}

QString whyRegion(const ExplorerState& state)
{
    const std::optional<GridPlace> place = state.selection();
    if (!place)
        return RegionViewsText::tr(
            "Click a cell, or move with the arrow keys, to see what PyTorch saves there and what runs again.");
    const ShownRegions& shown = shownOf(state);
    const GridView grid = regionGrid(state);
    const int column = grid.columnOf(place->layer);
    if (column < 0 || place->row >= grid.rowCount())
        return {};
    const NumberFormat format;
    QStringList sentences{regionText(shown.plan, place->layer)};
    const GridCell& cell = grid.cell(grid.isLayer(column) ? place->row : 0, column);
    if (cell.kept < cell.all)
        sentences << RegionViewsText::tr("Here that saves %1 and takes %2.")
                         .arg(format.bytes(cell.all - cell.kept), format.duration(cell.recomputeTime));
    else if (cell.recomputeTime.value > 0)
        sentences << RegionViewsText::tr("What is made here is kept or not needed; %1 of it runs again on the way.")
                         .arg(format.duration(cell.recomputeTime));
    return sentences.join(u' ');
}

QString regionPeakText(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const RegionPrediction& p = answer.regions->plan.prediction;
    const NumberFormat format;
    const QString module = p.peakAt.isInLoss() ? RegionViewsText::tr("the loss")
        : p.peakAt.module.empty()              ? RegionViewsText::tr("the model itself")
                                               : QString::fromStdString(p.peakAt.module);
    QString where = p.peakAt.phase == torch::Phase::Optimizer
        ? phaseTitle(p.peakAt.phase)
        : RegionViewsText::tr("%1, %2: %3", "phase, module: op")
              .arg(phaseTitle(p.peakAt.phase), module, QString::fromStdString(p.peakAt.op));
    if (!p.peakAt.node.empty())
        where += QStringLiteral(" (%1)").arg(QString::fromStdString(p.peakAt.node));
    where[0] = where[0].toUpper();
    QString rows;
    const auto add = [&](const QString& name, const QString& figure, bool isStrong = false) {
        const QString open = isStrong ? QStringLiteral("<b>") : QString(),
                      close = isStrong ? QStringLiteral("</b>") : QString();
        rows += QStringLiteral(
            "<tr><td>%1%2%3</td><td align=right style='padding-left:10px; white-space:pre'>%1%4%3</td></tr>")
                    .arg(open, name.toHtmlEscaped(), close, figure.toHtmlEscaped());
    };
    const RulerView parts = regionRuler(state);
    add(RegionViewsText::tr("weights"), format.bytes(parts.weights));
    add(RegionViewsText::tr("optimizer"), format.bytes(parts.optimizer));
    if (parts.inputs.value > 0)
        add(RegionViewsText::tr("inputs, buffers"), format.bytes(parts.inputs));
    if (parts.gradients.value > 0)
        add(RegionViewsText::tr("gradients"), format.bytes(parts.gradients));
    if (parts.saved.value > 0)
        add(RegionViewsText::tr("saved by forward"), format.bytes(parts.saved));
    add(RegionViewsText::tr("made on the way"), format.bytes(parts.working));
    add(RegionViewsText::tr("peak allocated"), format.bytes(p.peak), true);
    const Bytes slack = answer.question.budget - p.peak;
    add(slack.value >= 0 ? RegionViewsText::tr("slack below the budget") : RegionViewsText::tr("over the budget"),
        format.bytes(slack.value >= 0 ? slack : -slack));
    add(RegionViewsText::tr("saved for backward"), format.bytes(p.saved));
    add(RegionViewsText::tr("reserved"),
        RegionViewsText::tr("%1 to %2").arg(format.bytes(p.reserved), format.bytes(p.reservedMost)));
    add(RegionViewsText::tr("on the device"), format.bytes(p.device));
    return where.toHtmlEscaped() + QStringLiteral("<table width=100% cellspacing=0>%1</table>").arg(rows);
}

namespace {

QString moveText(const ExplorerState& state, const std::optional<RegionMove>& move)
{
    if (!move)
        return {};
    return moveSentence(move->peak, move->extraTime, shownOf(state).plan.extraTime()) + u' '
        + RegionViewsText::tr("%n layer(s) would run in another way.", nullptr, static_cast<int>(move->layers));
}

} // namespace

QString moreRegionBudgetText(const ExplorerState& state)
{
    const Answer& answer = *state.answer();
    const RegionPlan& plan = answer.regions->plan;
    if (fits(answer) && !plan.fitsDevice())
        return RegionViewsText::tr("Nothing here: the device has no room for more.");
    if (answer.doesNotFit)
        return RegionViewsText::tr("From %1 on a plan fits.").arg(NumberFormat().bytes(answer.leastPeak()));
    if (const QString move = moveText(state, answer.regionMoves.more); !move.isEmpty())
        return move;
    return plan.strategy.isPlanner()
        ? RegionViewsText::tr("Nothing: the fastest plan is shown already.")
        : RegionViewsText::tr("Choose the optimal strategy to see what more memory would buy.");
}

QString lessRegionBudgetText(const ExplorerState& state)
{
    return moveText(state, state.answer()->regionMoves.less);
}

} // namespace remat::ui
