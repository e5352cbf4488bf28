// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/bottom_tabs.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTime>
#include <QVBoxLayout>

#include "ui/charts/layer_bars_chart.h"
#include "ui/charts/tradeoff_chart.h"
#include "ui/forms/form_text.h"
#include "ui/forms/inline_strip.h"
#include "ui/panels/article_panel.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/map_panel.h"
#include "ui/panels/playback_bar.h"
#include "ui/panels/sweep_panel.h"
#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/comparison.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_builder.h"
#include "ui/state/strategy_board.h"
#include "ui/tables/log_list_model.h"
#include "ui/tables/run_memory_table_model.h"
#include "ui/tables/runs_table_model.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/tables/tensor_table_model.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// Number of pages of the left group in a wide window.
constexpr int kLeftPages = 5;
/// Between refreshes of one group and the other.
constexpr int kRefreshMilliseconds = 60;

} // namespace

BottomTabs::BottomTabs(ExplorerState& state, RunController& runs, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_runs(runs),
      m_playback(state),
      m_refresh([this] { refreshOneGroup(); }, kRefreshMilliseconds),
      m_light([this] { lightDifference(); }),
      m_left(new FittingTabs),
      m_right(new FittingTabs),
      m_timeline(new TimelineChart(theme)),
      m_bars(new LayerBarsChart(theme)),
      m_tradeoff(new TradeoffChart(theme)),
      m_tensors(new TensorTableModel(this)),
      m_strategies(new StrategyTableModel(this)),
      m_board(new StrategyBoard(state, *m_strategies, this)),
      m_runRows(new RunsTableModel(this)),
      m_runMemory(new RunMemoryTableModel(this)),
      m_log(new LogListModel(this)),
      m_comparison(new Comparison(state, runs, this)),
      m_compare(new ComparePanel(state, *m_comparison, theme)),
      m_article(new ArticlePanel(state, theme)),
      m_map(new MapPanel(state, theme)),
      m_sweep(new SweepPanel(theme, this))
{
    m_left->setObjectName(QStringLiteral("leftTabs"));
    m_right->setObjectName(QStringLiteral("rightTabs"));
    const auto table = [&](QAbstractItemModel* model, const QString& emptyText) {
        auto* view = new TableView(model, theme);
        view->setEmptyText(emptyText);
        m_tables << view;
        return view;
    };
    addPage(QStringLiteral("timeline"), tr("Timeline"), makeTimelinePage(theme));
    addPage(QStringLiteral("perLayer"), tr("Per layer"), m_bars);
    TableView* tensors = table(m_tensors, tr("No plan yet."));
    m_tensorTable = tensors;
    tensors->setColumnsThatGiveWay({TensorTableModel::Shape, TensorTableModel::ReadBy, TensorTableModel::Sublayer});
    addPage(QStringLiteral("tensors"), tr("Tensors"), tensors);
    addPage(QStringLiteral("compare"), tr("Compare"), m_compare);
    addPage(QStringLiteral("article"), tr("Article"), m_article);
    addPage(QStringLiteral("tradeoff"), tr("Trade-off"), m_tradeoff);
    TableView* strategies = table(m_strategies, tr("Strategies are compared once a plan is there."));
    m_strategyTable = strategies;
    addPage(QStringLiteral("strategies"), tr("Strategies"), strategies);
    strategies->setColumnsThatGiveWay({StrategyTableModel::Reruns, StrategyTableModel::Saved});
    addPage(QStringLiteral("batchMap"), tr("Batch map"), m_map);
    addPage(QStringLiteral("runs"), tr("Runs"), makeRunsPage(theme));
    addPage(QStringLiteral("runMemory"), tr("Run memory"), makeMemoryPage(theme));
    TableView* log = table(m_log, tr("Nothing yet."));
    log->setStretchColumn(LogListModel::Text);
    log->setFollowsEnd(true);
    addPage(QStringLiteral("log"), tr("Log"), log);
    addPage(QStringLiteral("sweepMap"), tr("Sweep"), m_sweep);
    m_sweep->hide(); // until it has a tab
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_left, 1);
    layout->addWidget(m_right, 1);

    connect(&m_state, &ExplorerState::answerChanged, this, [this] {
        for (QTabWidget* group : {m_left, m_right})
            if (!m_olderGroups.contains(group))
                m_olderGroups.append(group);
        m_refresh.request();
    });
    connect(&m_state, &ExplorerState::selectionChanged, this, &BottomTabs::showVisiblePages);
    connect(&m_state, &ExplorerState::inputsChanged, this, [this] { m_tradeoff->setBudget(m_state.inputs().budget); });
    connect(&m_state, &ExplorerState::inputsChanged, this, &BottomTabs::showMeasuredCosts);
    for (QTabWidget* group : {m_left, m_right})
        connect(group, &QTabWidget::currentChanged, this, &BottomTabs::showVisiblePages);
    connect(m_tradeoff, &TradeoffChart::budgetRequested, &m_state,
        [this](Bytes budget, bool isLast) { m_state.setBudget(budget, !isLast); });
    linkViews();
    const auto useStrategy = [this](const QString& key) {
        Inputs inputs = m_state.inputs();
        inputs.strategy = parseStrategy(key.toStdString()).value();
        m_state.edit(EditKind::Strategy, tr("change strategy"), inputs);
    };
    connect(m_tradeoff, &TradeoffChart::rivalActivated, this, useStrategy);
    connect(strategies, &TableView::rowActivated, this,
        [this, useStrategy](int row) { useStrategy(m_strategies->rows()[static_cast<std::size_t>(row)].key); });
    connect(&m_runs, &RunController::runsChanged, this, &BottomTabs::showRuns);
    connect(&m_runs, &RunController::machineChanged, this, &BottomTabs::showRuns);
    connect(&m_runs, &RunController::logged, this, &BottomTabs::log);
    arrange(true, nullptr);
    showRuns();
}

QWidget* BottomTabs::addPage(const QString& objectName, const QString& title, QWidget* page)
{
    page->setObjectName(objectName);
    page->setAccessibleName(title);
    m_pages << page;
    m_titles << title;
    return page;
}

QWidget* BottomTabs::makeTimelinePage(const Theme& theme)
{
    m_timelinePage = new QWidget;
    auto* layout = new QVBoxLayout(m_timelinePage);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_playbackBar = new PlaybackBar(m_playback, theme);
    layout->addWidget(m_timeline, 1);
    layout->addWidget(m_playbackBar);
    return m_timelinePage;
}

QWidget* BottomTabs::makeRunsPage(const Theme& theme)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    m_runStrip = new InlineStrip(theme);
    m_runStrip->setObjectName(QStringLiteral("runStrip"));
    m_runStrip->clear();
    auto* view = new TableView(m_runRows, theme);
    view->setEmptyText(tr("No run yet."));
    view->setAccessibleName(tr("Runs"));
    view->setStretchColumn(RunsTableModel::State);
    view->setColumnsThatGiveWay({RunsTableModel::Machine, RunsTableModel::Loss, RunsTableModel::Gradients,
        RunsTableModel::System, RunsTableModel::Difference});
    m_tables << view;
    m_runTable = view;
    connect(view, &TableView::rowChosen, this, [this] {
        showRunHint();
        showRunMemory();
        showVisiblePages();
    });
    m_runHint = new HintLine(QString(), theme);
    m_runButton = new QPushButton(runTitle(m_runs));
    m_costsButton = new QPushButton(tr("Plan with measured costs"));
    m_costsButton->setObjectName(QStringLiteral("measuredCosts"));
    m_costsButton->setToolTip(
        tr("Times each operation as the last run of this step did. The device \"This CPU\", or undo, "
           "leads back to times measured in general."));
    m_costsButton->hide();
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    foot->addWidget(m_costsButton);
    foot->addWidget(m_runButton);
    layout->addWidget(m_runStrip);
    layout->addWidget(view, 1);
    layout->addWidget(m_runHint);
    layout->addLayout(foot);
    connect(m_runButton, &QPushButton::clicked, this, &BottomTabs::runRequested);
    connect(m_costsButton, &QPushButton::clicked, this, &BottomTabs::measuredCostsRequested);
    connect(m_runStrip, &InlineStrip::actionTriggered, this, &BottomTabs::useBatchThatFits);
    return page;
}

QWidget* BottomTabs::makeMemoryPage(const Theme& theme)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    auto* view = new TableView(m_runMemory, theme);
    view->setEmptyText(tr("A run tells here where its memory went."));
    view->setAccessibleName(tr("Run memory"));
    view->setStretchColumn(RunMemoryTableModel::Name);
    m_tables << view;
    m_memoryHint = new HintLine(QString(), theme);
    layout->addWidget(view, 1);
    layout->addWidget(m_memoryHint);
    return page;
}

void BottomTabs::arrange(bool isWide, QWidget* details)
{
    const QString leftPage = m_left->currentWidget() ? m_left->currentWidget()->objectName() : QString();
    const QString rightPage = m_right->currentWidget() ? m_right->currentWidget()->objectName() : QString();
    const QSignalBlocker leftBlocker(m_left), rightBlocker(m_right);
    m_left->clear();
    m_right->clear();
    m_details = details;
    for (int i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i] == m_sweep && !m_hasSweepTab)
            continue;
        FittingTabs* group = isWide && i >= kLeftPages ? m_right : m_left;
        group->addTab(m_pages[i], m_titles[i]);
        if (i == 0 && !isWide && details)
            m_left->addTab(details, tr("Details"));
    }
    m_right->setVisible(isWide);
    showPage(leftPage);
    if (isWide)
        showPage(rightPage);
}

void BottomTabs::showPage(const QString& objectName)
{
    if (objectName == m_sweep->objectName() && !m_hasSweepTab) {
        m_hasSweepTab = true;
        arrange(!m_right->isHidden(), m_details);
    }
    for (FittingTabs* group : {m_left, m_right})
        for (int i = 0; i < group->count(); ++i)
            if (group->widget(i)->objectName() == objectName)
                group->open(i);
}

QStringList BottomTabs::openPages() const
{
    QStringList names;
    for (const QTabWidget* group : {m_left, m_right})
        if (group->currentWidget())
            names << group->currentWidget()->objectName();
    return names;
}

void BottomTabs::refresh()
{
    if (!m_state.answer() || !m_state.answer()->hasPlan())
        return;
    m_olderGroups.clear();
    m_board->show();
    m_compare->refresh();
    showVisiblePages();
    showRunHint();
}

void BottomTabs::refreshOneGroup()
{
    if (!m_state.answer() || !m_state.answer()->hasPlan() || m_olderGroups.isEmpty())
        return;
    QTabWidget* group = m_olderGroups.takeFirst();
    if (m_olderGroups.isEmpty()) {
        m_board->show();
        showRunHint();
    } else {
        m_refresh.request();
    }
    showPageOf(*group);
}

/// Fills what can be seen; a tab that is opened later is filled then.
void BottomTabs::showVisiblePages()
{
    m_board->setWatched(m_left->currentWidget() == m_strategyTable || m_right->currentWidget() == m_strategyTable);
    for (QTabWidget* group : {m_left, m_right})
        showPageOf(*group);
}

void BottomTabs::showPageOf(const QTabWidget& group)
{
    if (!m_state.answer() || !m_state.answer()->hasPlan())
        return;
    const QWidget* page = group.currentWidget();
    if (page == m_timelinePage)
        showTimeline();
    else if (page == m_bars)
        showLayerBars();
    else if (page == m_tradeoff)
        m_tradeoff->setTradeoffView(makeTradeoffView(m_state));
    else if (page == m_tensorTable) {
        m_tensors->setRows(makeTensorRows(m_state));
        selectTensor();
    }
}

void BottomTabs::showTimeline()
{
    TimelineView view = makeTimelineView(m_state);
    m_playbackBar->setVisible(m_state.answer()->shown != nullptr);
    if (!m_state.answer()->shown)
        return m_timeline->setTimelineView(std::move(view));
    const ShownPlan& shown = *m_state.answer()->shown;
    // The run lies over the prediction, its own clock stretched to the predicted step.
    if (const RunRecord* run = runBeside(shown.plan); run && !run->report->timeline.empty()) {
        view.measuredStep = run->report->time.step;
        const double stretch = ratio(view.end, std::max(run->report->time.step, run->report->timeline.back().time));
        for (const TimelinePoint& point : run->report->timeline)
            view.measured.push_back(
                {{static_cast<std::int64_t>(static_cast<double>(point.time.value) * stretch)}, point.live, -1});
    }
    m_timeline->setTimelineView(std::move(view));
    m_timeline->setInstant(m_state.pointing().instant());
}

void BottomTabs::showLayerBars()
{
    LayerBarsView view = makeLayerBarsView(m_state);
    if (!m_state.answer()->shown)
        return m_bars->setLayerBarsView(std::move(view));
    const Plan& plan = m_state.answer()->shown->plan;
    if (const RunRecord* run = runBeside(plan)) {
        // What was predicted then is no prediction of this plan if another device times it now.
        const bool isTimedAlike = run->report->setup.device == plan.setup().device;
        const auto timeOf = [](const std::vector<StageTime>& stages, std::size_t layer) {
            // The embedding is the first stage.
            const StageTime* stage = layer + 1 < stages.size() ? &stages[layer + 1] : nullptr;
            return stage ? std::optional(stage->forward + stage->rerun + stage->backward) : std::nullopt;
        };
        for (std::size_t layer = 0; layer < view.layers.size(); ++layer) {
            if (isTimedAlike)
                view.layers[layer].predicted = timeOf(run->report->predictedStages, layer);
            view.layers[layer].measured = timeOf(run->report->stages, layer);
        }
    }
    m_bars->setLayerBarsView(std::move(view));
}

void BottomTabs::showRuns()
{
    std::vector<RunRow> rows;
    for (const RunRecord& run : m_runs.runs())
        rows.push_back(run.row);
    m_runRows->setRows(rows);
    m_runButton->setText(m_runs.isRunning() ? tr("Stop") : runTitle(m_runs));
    showRunStrip();
    showRunHint();
    showRunMemory();
    showMeasuredCosts();
    if (m_left->currentWidget() == m_timelinePage || m_left->currentWidget() == m_bars)
        showPageOf(*m_left);
}

void BottomTabs::setOffersMeasuredCosts(bool offers)
{
    m_costsButton->setVisible(offers);
}

void BottomTabs::showMeasuredCosts()
{
    m_costsButton->setEnabled(m_runs.lastTimesOf(m_state.inputs().shape, m_state.inputs().setup) != nullptr);
}

void BottomTabs::showRunStrip()
{
    m_batchThatFits.reset();
    if (m_runs.runs().empty() || m_runs.runs().back().row.state != RunState::Failed)
        return m_runStrip->clear();
    const RunRecord& run = m_runs.runs().back();
    StripView view{StripKind::Error, tr("Run %1 failed: %2").arg(run.row.number).arg(run.row.stage), {}};
    const std::int64_t batch = run.failure ? run.failure->largestBatch.value_or(0) : 0;
    if (batch > 0 && batch < m_state.inputs().setup.batch) {
        m_batchThatFits = batch;
        view.actions.append(tr("Batch %1 fits").arg(batch));
    }
    m_runStrip->setStripView(view);
}

void BottomTabs::useBatchThatFits()
{
    if (!m_batchThatFits)
        return;
    Inputs inputs = m_state.inputs();
    inputs.setup.batch = *m_batchThatFits;
    m_state.edit(EditKind::Batch, tr("change batch"), inputs);
    m_runStrip->clear();
}

/// Of the run that is chosen in the list, or of the newest that has a report.
void BottomTabs::showRunMemory()
{
    const std::vector<RunRecord>& runs = m_runs.runs();
    const QModelIndex chosen = m_runTable->currentIndex();
    const RunRecord* shown = nullptr;
    for (const RunRecord& run : runs)
        if (run.report)
            shown = &run;
    if (chosen.isValid())
        shown = &runs[static_cast<std::size_t>(m_runTable->modelRow(chosen))];
    if (!shown || !shown->report) {
        m_runMemory->setRows({});
        m_memoryHint->clear();
        return;
    }
    const PeakReport& peak = shown->report->peak;
    m_runMemory->setRows(runMemoryRows(peak));
    m_memoryHint->setText(tr("Run %1 on %2.").arg(shown->row.number).arg(shown->row.machine) + u' '
        + RunMemoryTableModel::phaseText(peak));
}

void BottomTabs::showRunHint()
{
    const Answer* answer = m_state.answer();
    if (!answer || !answer->hasPlan())
        return;
    if (answer->regions && !m_runs.isRunning()) {
        m_runButton->setEnabled(false);
        m_runHint->setText(tr("A step of PyTorch is not run here: what is shown is what PyTorch would ask of the GPU. "
                              "Choose this program's own run as the profile to run one."));
        return;
    }
    if (!answer->shown)
        return;
    m_runButton->setEnabled(m_runs.isRunning() || !answer->inputError);
    const QModelIndex chosen = m_runTable->currentIndex();
    const int last = m_runRows->rowCount() - 1;
    // Why the newest run failed stands in the strip already.
    if (chosen.isValid() || (last >= 0 && m_runRows->row(last).state == RunState::Done)) {
        m_runHint->setText(
            RunsTableModel::story(m_runRows->row(chosen.isValid() ? m_runTable->modelRow(chosen) : last)));
        return;
    }
    const Plan& plan = answer->shown->plan;
    const QString peak = NumberFormat().bytes(plan.prediction.peak);
    // A device's times say nothing about a run on another machine.
    m_runHint->setText(!m_runs.place().isEmpty()
            ? tr("A run of this plan takes %1 there; what goes on stands in the log.").arg(peak)
            : isThisCpu(m_state.device()) && m_runs.machine() == RunMachine::Cpu
            ? tr("A run of this plan takes about %1 a step and %2 here.")
                  .arg(NumberFormat().duration(plan.prediction.stepTime(plan.setup())), peak)
            : tr("A run of this plan takes %1 here.").arg(peak));
}

void BottomTabs::log(const QString& text, bool isError)
{
    m_log->append({QTime::currentTime(), text, isError});
}

QStringList BottomTabs::lastLogLines(int most) const
{
    QStringList lines;
    for (int row = std::max(0, m_log->rowCount() - most); row < m_log->rowCount(); ++row)
        lines << m_log->row(row).time.toString(QStringLiteral("HH:mm:ss ")) + m_log->row(row).text;
    return lines;
}

void BottomTabs::setTheme(const Theme& theme)
{
    m_timeline->setTheme(theme);
    m_playbackBar->setTheme(theme);
    m_bars->setTheme(theme);
    m_tradeoff->setTheme(theme);
    m_compare->setTheme(theme);
    m_article->setTheme(theme);
    m_map->setTheme(theme);
    m_sweep->setTheme(theme);
    for (TableView* table : m_tables)
        table->setTheme(theme);
    m_runStrip->setTheme(theme);
    m_runHint->setTheme(theme);
    m_memoryHint->setTheme(theme);
}

} // namespace remat::ui
