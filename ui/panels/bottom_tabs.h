// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QList>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/base/units.h"
#include "ui/charts/timeline_chart.h"
#include "ui/panels/card.h"
#include "ui/state/playback.h"
#include "ui/widgets/fitting_tabs.h"
#include "ui/widgets/frame_pace.h"

class QPushButton;

namespace remat {
struct Plan;
}

namespace remat::ui {

class ArticlePanel;
class ComparePanel;
class Comparison;
class ExplorerState;
class InlineStrip;
class HintLine;
class LayerBarsChart;
class LogListModel;
class MapPanel;
class PlaybackBar;
class RunController;
class RunMemoryTableModel;
struct RunRecord;
class RunsTableModel;
class StrategyBoard;
class StrategyTableModel;
class SweepPanel;
class TableView;
class TensorTableModel;
class TradeoffChart;

/// The tabs under the grid: when and why (timeline, per layer, tensors) and what else (trade-off, strategies, runs,
/// log).
///
/// Wide windows show them as two groups side by side, narrow ones as one group that takes the details in as its second
/// tab; the pages stay the same objects.
class BottomTabs : public QWidget {
    Q_OBJECT
public:
    BottomTabs(ExplorerState& state, RunController& runs, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `details`, when given, becomes a tab of the single group.
    void arrange(bool isWide, QWidget* details);
    /// What is put side by side in the page "compare".
    Comparison& comparison() const { return *m_comparison; }
    /// The map of a sweep's results; its tab is there once it was asked for.
    SweepPanel& sweep() const { return *m_sweep; }
    /// Whether the pages that can be seen have all that the planner thread works out for them bit by bit.
    bool isIdleWorkDone() const;
    Playback& playback() { return m_playback; }
    FittingTabs& left() const { return *m_left; }
    FittingTabs& right() const { return *m_right; }
    void showPage(const QString& objectName);
    /// Names for showPage of what is open now.
    QStringList openPages() const;
    /// Every page by name, for pictures.
    QList<QWidget*> pages() const { return m_pages; }
    void log(const QString& text, bool isError);
    QStringList lastLogLines(int most) const;
    /// Offers to plan with the times that a run of this step measured, where there is one.
    void setOffersMeasuredCosts(bool offers);
    /// Shows the newest answer now; a picture is about to be taken.
    void refresh();

private:
    void refreshOneGroup();
    void showVisiblePages();
    void showPageOf(const QTabWidget& group);
    void showTimeline();
    void showLayerBars();
    void showRuns();
    void showRunStrip();
    void showRunMemory();
    void useBatchThatFits();
    void showRunHint();
    void showMeasuredCosts();
    QWidget* addPage(const QString& objectName, const QString& title, QWidget* page);
    QWidget* makeTimelinePage(const Theme& theme);
    QWidget* makeRunsPage(const Theme& theme);
    QWidget* makeMemoryPage(const Theme& theme);
    void selectStage(int stage);
    /// The cell in which an op of PyTorch's step ran.
    void selectEvent(std::optional<int> event);
    /// What one view points at lights up in the others.
    void linkViews();
    void showHover();
    /// Lights the cells about which the frontier's plan under the pointer decides otherwise than the plan shown.
    void lightDifference();
    /// A table whose rows can become side B; `keyOf` names a row's.
    void offerAsB(TableView& table, const std::function<QString(int row)>& keyOf);
    void selectTensor();
    /// The run that the timeline and the bars show beside the plan: the one that is chosen, or the newest, if it ran
    /// exactly this plan.
    const RunRecord* runBeside(const Plan& plan) const;

    ExplorerState& m_state;
    RunController& m_runs;
    Playback m_playback;
    FramePace m_refresh; ///< of one group that shows an older answer
    FramePace m_light;
    std::optional<Bytes> m_pointedPeak; ///< of the plan of the frontier under the pointer
    QList<QTabWidget*> m_olderGroups;   ///< they follow the newest answer in turn, so that no frame pays for both
    FittingTabs* m_left;
    FittingTabs* m_right;
    QList<QWidget*> m_pages;
    QStringList m_titles;
    TimelineChart* m_timeline;
    QWidget* m_timelinePage = nullptr;
    PlaybackBar* m_playbackBar = nullptr;
    LayerBarsChart* m_bars;
    TradeoffChart* m_tradeoff;
    TensorTableModel* m_tensors;
    StrategyTableModel* m_strategies;
    StrategyBoard* m_board;
    RunsTableModel* m_runRows;
    RunMemoryTableModel* m_runMemory;
    LogListModel* m_log;
    Comparison* m_comparison;
    ComparePanel* m_compare;
    ArticlePanel* m_article;
    MapPanel* m_map;
    SweepPanel* m_sweep;
    bool m_hasSweepTab = false;
    QWidget* m_details = nullptr; ///< a tab of the single group, or null
    QList<TableView*> m_tables;
    TableView* m_tensorTable = nullptr;
    TableView* m_strategyTable = nullptr;
    InlineStrip* m_runStrip;
    std::optional<std::int64_t> m_batchThatFits; ///< offered by the strip
    TableView* m_runTable = nullptr;
    HintLine* m_runHint;
    HintLine* m_memoryHint;
    QPushButton* m_runButton;
    QPushButton* m_costsButton;

signals:
    void runRequested();
    void measuredCostsRequested();
};

} // namespace remat::ui
