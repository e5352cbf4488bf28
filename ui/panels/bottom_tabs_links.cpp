// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How the pages under the grid point at each other's things: always through the state, never at each other.
#include <QAction>

#include "core/base/index.h"
#include "ui/charts/layer_bars_chart.h"
#include "ui/charts/tradeoff_chart.h"
#include "ui/panels/article_panel.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/map_panel.h"
#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/comparison.h"
#include "ui/state/grid_builder.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
#include "ui/state/strategy_board.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/tables/tensor_table_model.h"

namespace remat::ui {

namespace {

/// The row that stays selected while another layer is pointed at.
int rowOf(const ExplorerState& state)
{
    return state.selection() ? state.selection()->row : 0;
}

} // namespace

void BottomTabs::linkViews()
{
    Pointing& pointing = m_state.pointing();
    connect(m_bars, &LayerBarsChart::layerSelected, &m_state, [this](int layer) {
        m_state.setSelection(GridPlace{rowOf(m_state), layer});
    });
    connect(m_bars, &LayerBarsChart::layerHovered, this, [this](std::optional<int> layer) {
        m_state.pointing().setHover(
            layer ? std::optional(GridPlace{rowOf(m_state), *layer, GridPlace::Extent::Layer}) : std::nullopt);
    });
    connect(m_timeline, &TimelineChart::peakActivated, &m_state, [this] {
        if (!m_state.answer()->shown)
            return selectStage(-1);
        const ShownPlan& shown = *m_state.answer()->shown;
        selectStage(shown.program.instructions[at(shown.timeline.peakOp)].stage);
    });
    // A sample of the prediction is an instruction of the program.
    connect(m_timeline, &TimelineChart::instantActivated, &pointing, [this](std::optional<int> sample) {
        if (m_state.answer()->regions)
            return selectEvent(sample);
        m_state.pointing().setInstant(sample);
    });
    connect(m_timeline, &TimelineChart::opHovered, this, [this](int instruction) {
        if (instruction < 0 || !m_state.answer() || !m_state.answer()->hasPlan())
            return m_state.pointing().setHover(std::nullopt);
        if (m_state.answer()->regions)
            return m_state.pointing().setHover(placeOfEvent(*m_state.answer()->regions, instruction));
        const ShownPlan& shown = *m_state.answer()->shown;
        const Instruction& step = shown.program.instructions[at(instruction)];
        m_state.pointing().setHover(placeOfOp(shown.plan.step->tape, step.stage, step.op));
    });
    connect(&pointing, &Pointing::instantChanged, m_timeline,
        [this] { m_timeline->setInstant(m_state.pointing().instant()); });
    connect(&pointing, &Pointing::hoverChanged, this, &BottomTabs::showHover);

    const auto pointAtRow
        = [this](int row) { m_state.pointing().setStrategy(row >= 0 ? m_strategies->row(row).key : QString()); };
    connect(m_strategyTable, &TableView::rowHovered, this, pointAtRow);
    connect(m_strategyTable, &TableView::rowChosen, this, pointAtRow);
    connect(m_tradeoff, &TradeoffChart::rivalHovered, &pointing, &Pointing::setStrategy);
    connect(m_tradeoff, &TradeoffChart::planHovered, this, [this](std::optional<Bytes> peak) {
        if (m_pointedPeak == peak)
            return;
        m_pointedPeak = peak;
        m_light.request();
    });
    connect(&pointing, &Pointing::strategyChanged, this, [this] {
        const QString& key = m_state.pointing().strategy();
        m_tradeoff->setPointedRival(key);
        if (m_strategyTable->underMouse())
            return; // what is under the mouse there is no choice yet
        for (int row = 0; row < m_strategies->rowCount(); ++row)
            if (m_strategies->row(row).key == key)
                m_strategyTable->selectModelRow(row);
    });

    offerAsB(*m_strategyTable, [this](int row) {
        const StrategyRow& strategy = m_strategies->row(row);
        return strategy.figures ? Comparison::strategyKey(strategy.key) : QString();
    });
    offerAsB(*m_runTable, [this](int row) {
        const RunRecord& run = m_runs.runs()[at(row)];
        return run.report ? Comparison::runKey(run.row.number) : QString();
    });

    const auto placeOfTensor = [this](int row) -> std::optional<GridPlace> {
        if (!m_state.answer()->shown)
            return std::nullopt;
        const StepTape& tape = m_state.answer()->shown->plan.step->tape;
        const int producer = m_tensors->row(row).producer;
        const int layer = m_state.selection() ? m_state.selection()->layer : 0;
        return producer >= 0 ? placeOfOp(tape, stageOfLayer(tape, layer), producer) : std::nullopt;
    };
    connect(m_tensorTable, &TableView::rowHovered, this,
        [this, placeOfTensor](int row) { m_state.pointing().setHover(row >= 0 ? placeOfTensor(row) : std::nullopt); });
    connect(m_tensorTable, &TableView::rowChosen, this, [this, placeOfTensor](int row) {
        if (const std::optional<GridPlace> place = row >= 0 ? placeOfTensor(row) : std::nullopt)
            m_state.setSelection(place);
    });
}

void BottomTabs::offerAsB(TableView& table, const std::function<QString(int row)>& keyOf)
{
    auto* offer = new QAction(tr("Compare as B"), &table);
    offer->setObjectName(QStringLiteral("compareAsB"));
    offer->setShortcut(QKeySequence(Qt::Key_B));
    offer->setShortcutContext(Qt::WidgetShortcut);
    connect(offer, &QAction::triggered, this, [this, &table, keyOf] {
        const QModelIndex chosen = table.currentIndex();
        const QString key = chosen.isValid() ? keyOf(table.modelRow(chosen)) : QString();
        if (key.isEmpty())
            return;
        m_comparison->setB(key);
        showPage(QStringLiteral("compare"));
    });
    table.addAction(offer);
}

bool BottomTabs::isIdleWorkDone() const
{
    return (!m_article->isVisible() || m_article->isComplete()) && (!m_map->isVisible() || m_map->isComplete())
        && (!m_strategyTable->isVisible() || !m_state.answer() || !m_state.answer()->shown || m_board->isComplete());
}

void BottomTabs::showHover()
{
    const std::optional<GridPlace>& hover = m_state.pointing().hover();
    const bool isKnown = hover && m_state.answer() && m_state.answer()->hasPlan();
    const bool isLayer = isKnown && hover->extent != GridPlace::Extent::Row;
    m_bars->setHovered(isLayer ? std::optional(hover->layer) : std::nullopt);
    const QWidget* page = m_left->currentWidget();
    if (page == m_timelinePage) {
        const ShownPlan* shown = isLayer ? m_state.answer()->shown.get() : nullptr;
        const ShownRegions* regions = isLayer ? m_state.answer()->regions.get() : nullptr;
        m_timeline->setHovered(shown ? spansOfStage(*shown, stageOfLayer(shown->plan.step->tape, hover->layer))
                : regions            ? spansOfLayer(*regions, hover->layer)
                                     : std::vector<TimelineSpan>{});
    }
}

void BottomTabs::lightDifference()
{
    const Answer* answer = m_state.answer();
    std::vector<GridPlace> places;
    if (m_pointedPeak && answer && answer->shown) {
        const Plan& plan = answer->shown->plan;
        const Result<Plan> other = answer->nested ? answer->nested->cheapestWithin(*m_pointedPeak)
                                                  : answer->study->cheapestWithin(*m_pointedPeak);
        if (const auto flips = other ? flipsBetween(plan, *other) : std::nullopt)
            places = placesOf(plan.step->tape, *flips);
    } else if (m_pointedPeak && answer && answer->regions) {
        const RegionTable& table = answer->regions->table;
        for (const std::size_t layer : answer->regionStudy->layersThatDiffer(answer->regions->plan, *m_pointedPeak))
            for (std::size_t row = 0; row < table.rows.size(); ++row)
                places.push_back({static_cast<int>(row), static_cast<int>(layer)});
    }
    if (!m_pointedPeak && m_compare->isVisible())
        return m_compare->refresh(); // its own light comes back
    m_state.pointing().setLit(places);
}

void BottomTabs::selectTensor()
{
    if (!m_state.selection() || !m_state.answer()->shown)
        return;
    const KeepSet ops = opsOfPlace(m_state.answer()->shown->plan.step->tape, *m_state.selection());
    const auto isIts = [&](int row) {
        const int producer = m_tensors->row(row).producer;
        return producer >= 0 && keeps(ops, producer);
    };
    // A row that the person chose among several of one op stays theirs.
    const QModelIndex current = m_tensorTable->currentIndex();
    if (current.isValid() && isIts(m_tensorTable->modelRow(current)))
        return;
    for (int row = 0; row < m_tensors->rowCount(); ++row)
        if (isIts(row))
            return m_tensorTable->selectModelRow(row);
}

void BottomTabs::selectEvent(std::optional<int> event)
{
    if (const auto place = event ? placeOfEvent(*m_state.answer()->regions, *event) : std::nullopt)
        m_state.setSelection(place);
}

void BottomTabs::selectStage(int stage)
{
    const GridView grid = makeGridView(m_state);
    if (grid.peak)
        m_state.setSelection(*grid.peak);
    else if (stage >= 0)
        m_state.setSelection(GridPlace{0, stage - 1});
}

const RunRecord* BottomTabs::runBeside(const Plan& plan) const
{
    const QModelIndex chosen = m_runTable ? m_runTable->currentIndex() : QModelIndex();
    if (chosen.isValid()) {
        const RunRecord& run = m_runs.runs()[at(m_runTable->modelRow(chosen))];
        if (RunController::isReportOf(run, plan))
            return &run;
    }
    return m_runs.lastReportOf(plan);
}

} // namespace remat::ui
