// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QScrollArea>

#include "app/gui/window_states.h"
#include "ui/charts/timeline_chart.h"
#include "ui/charts/tradeoff_chart.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/rank_group.h"
#include "ui/state/comparison.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
#include "ui/widgets/ruler_widget.h"
#include "ui/window/main_window.h"

namespace remat::ui {

using namespace remat::literals;

namespace {

/// As the mouse does that rests there.
void pointAt(const ChartPanel& chart, const QPointF& at)
{
    QWidget* viewport = chart.findChild<QGraphicsView*>()->viewport();
    QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(viewport, &move);
}

} // namespace

std::vector<WindowState> planStates()
{
    return {
        {QStringLiteral("empty"), kUsualWindow, [](MainWindow&) {}, {}, false, true},
        {QStringLiteral("first-start"), kUsualWindow, [](MainWindow&) {}},
        {QStringLiteral("busy"), kUsualWindow,
            [](MainWindow& w) {
                useMiddleBudget(w);
                // More layers than a plan is made for in the time after which the old answer pales.
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 8, 512);
                    inputs.shape.layers = 600;
                });
                waitFor([&] { return w.answerCard().ruler().isStale() || !w.state().isBusy(); });
            },
            {}, false, true},
        {QStringLiteral("selection-and-pins"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 8, 512);
                    for (const char* pin : {"L1.ffn_up=recompute", "L2.attn_core=keep", "L3.attn_core=keep"})
                        inputs.pins.push_back(parsePin(pin).value());
                });
                useMiddleBudget(w);
                w.state().setRowOpen(static_cast<int>(Sublayer::Ffn), true);
                const GridView& grid = w.gridCard().grid().view();
                for (int row = 0; row < grid.rowCount(); ++row)
                    if (grid.rows[static_cast<std::size_t>(row)].canOpen
                        && grid.rows[static_cast<std::size_t>(row)].isOpen)
                        w.state().setSelection(GridPlace{row, 3});
            }},
        {QStringLiteral("alive-at-the-peak"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                w.state().setRowOpen(static_cast<int>(Sublayer::Ffn), true);
                w.state().pointing().setInstant(w.state().answer()->shown->timeline.peakInstruction);
            }},
        {QStringLiteral("peak-hover"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                w.showNewestAnswer();
                auto* chart = w.findChild<TimelineChart*>();
                const ShownPlan& shown = *w.state().answer()->shown;
                const QRectF plot = chart->frameLayout().plot;
                const double share
                    = static_cast<double>(
                          shown.timeline.points[static_cast<std::size_t>(shown.timeline.peakInstruction)].time.value)
                    / static_cast<double>((shown.timeline.time + shown.plan.prediction.optimizer).value);
                pointAt(*chart, {plot.left() + plot.width() * share, plot.center().y()});
            }},
        {QStringLiteral("frontier-hover"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                w.showNewestAnswer();
                auto* chart = w.findChild<TradeoffChart*>();
                const QRectF plot = chart->frameLayout().plot;
                pointAt(*chart, {plot.left() + plot.width() * 0.3, plot.center().y()});
                waitFor([&] { return !w.state().pointing().lit().empty(); });
            },
            {}, false, true},
        {QStringLiteral("whole-row"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 8, 512);
                    inputs.pins.push_back(parsePin("*.attention=keep").value());
                });
                useMiddleBudget(w);
                w.bottomTabs().showPage(QStringLiteral("tensors"));
                const GridView& grid = w.gridCard().grid().view();
                for (int row = 0; row < grid.rowCount(); ++row)
                    if (grid.rows[static_cast<std::size_t>(row)].label == sublayerTitle(Sublayer::Attention))
                        w.state().setSelection(GridPlace{row, 3, GridPlace::Extent::Row});
            }},
        {QStringLiteral("compared-with-full"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                w.bottomTabs().comparison().setB(Comparison::strategyKey(QStringLiteral("full")));
                w.bottomTabs().showPage(QStringLiteral("compare"));
                w.findChild<QCheckBox*>(QStringLiteral("differencesInGrid"))->setChecked(true);
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("batch-map-and-article"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2-medium", 8, 512);
                    inputs.setup.device = "rtx-4090";
                    inputs.budget = 12_GiB;
                });
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("article"));
                w.bottomTabs().showPage(QStringLiteral("batchMap"));
                waitFor([&] { return w.bottomTabs().isIdleWorkDone(); });
            }},
        {QStringLiteral("article-bf16"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    inputs.setup.device = "a100-80";
                    inputs.budget = 60_GiB;
                });
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("article"));
                w.findChild<QComboBox*>(QStringLiteral("articlePrecision"))->setCurrentIndex(1);
                waitFor([&] { return w.bottomTabs().isIdleWorkDone(); });
                w.bottomTabs().showPage(QStringLiteral("runs"));
            }},
        {QStringLiteral("compared-narrow"), kSmallestWindow,
            [](MainWindow& w) {
                waitForAnswer(w);
                w.bottomTabs().comparison().putAsideShown();
                w.state().setBudget(w.state().answer()->leastPeak());
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("compare"));
            }},
        {QStringLiteral("bert-large-strategies"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "bert-large", 8, 512); });
                useMiddleBudget(w);
                w.bottomTabs().showPage(QStringLiteral("perLayer"));
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("gpt2-xl-a100"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2-xl", 16, 1024);
                    inputs.setup.device = "a100-80";
                    inputs.budget = 60_GiB;
                });
                w.bottomTabs().showPage(QStringLiteral("tensors"));
            }},
        {QStringLiteral("pytorch"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "llama-2-7b", 4, 1024); });
                w.state().useProfile(StepProfile::Pytorch);
                edit(w, [](Inputs& inputs) { inputs.torch.optimizer = torch::TorchOptimizer::Sgd; });
                useMiddleBudget(w);
                w.state().setRowOpen(openRowKey(1), true);
                w.state().setSelection(GridPlace{1, 9});
            }},
        {QStringLiteral("pytorch-eager-amp"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "bert-large", 16, 512); });
                w.state().useProfile(StepProfile::Pytorch);
                edit(w, [](Inputs& inputs) {
                    inputs.torch.precision = torch::TorchPrecision::Amp;
                    inputs.torch.attention = torch::TorchAttention::Eager;
                });
                useMiddleBudget(w);
                w.bottomTabs().comparison().putAsideShown();
                w.state().setBudget(w.state().answer()->leastPeak());
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("perLayer"));
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("several-gpus"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "llama-2-7b", 4, 1024); });
                w.state().useProfile(StepProfile::Pytorch);
                edit(w, [](Inputs& inputs) {
                    inputs.setup.microBatches = 8;
                    inputs.ranks.parallelism = {2, true, 4, 2, 1};
                });
                waitForAnswer(w);
                auto* group = w.findChild<RankGroup*>();
                group->findChild<QAbstractButton*>()->click();
                waitFor([&] { return group->isComplete(); });
                w.findChild<QScrollArea*>(QStringLiteral("modelScroll"))->ensureWidgetVisible(group);
            }},
        {QStringLiteral("pytorch-narrow"), kSmallestWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2-xl", 8, 1024); });
                w.state().useProfile(StepProfile::Pytorch);
                waitForAnswer(w);
                w.state().setBudget({w.state().answer()->leastPeak().value - 1});
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("runs"));
            }},
        {QStringLiteral("126-layers-narrow"), kSmallestWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 4, 512);
                    inputs.shape.layers = 126;
                    inputs.shape.name = "126 layers";
                });
                useMiddleBudget(w);
            }},
        {QStringLiteral("126-layers-16-rows"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 4, 512);
                    inputs.shape.layers = 126;
                    inputs.shape.name = "126 layers";
                });
                useMiddleBudget(w);
                for (const Sublayer sublayer : {Sublayer::Attention, Sublayer::Ffn})
                    w.state().setRowOpen(static_cast<int>(sublayer), true);
                w.bottomTabs().showPage(QStringLiteral("perLayer"));
            }},
        {QStringLiteral("does-not-fit"), kSmallestWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    inputs.budget = 1700_MiB;
                    useModel(inputs, "gpt2", 16, 512);
                });
            }},
        {QStringLiteral("pins-in-the-way"), kSmallestWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                waitForAnswer(w);
                w.state().setBudget(w.state().answer()->leastPeak());
                edit(w, [](Inputs& inputs) {
                    for (const char* pin : {"L2.ffn_up=keep", "L3.ffn_up=keep"})
                        inputs.pins.push_back(parsePin(pin).value());
                });
            }},
        {QStringLiteral("too-much-for-the-device"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2-xl", 16, 1024);
                    inputs.setup.device = "rtx-4090";
                    inputs.budget = 60_GiB;
                });
                w.bottomTabs().showPage(QStringLiteral("log"));
            }},
        {QStringLiteral("fits-without-recomputing"), kUsualWindow, [](MainWindow& w) { w.state().setBudget(8_GiB); }},
        {QStringLiteral("one-layer"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 2, 256);
                    inputs.shape.layers = 1;
                    inputs.shape.name = "one layer";
                    inputs.budget = 900_MiB;
                });
            }},
        {QStringLiteral("bad-shape"), kUsualWindow,
            [](MainWindow& w) {
                waitForAnswer(w);
                edit(w, [](Inputs& inputs) { inputs.shape.heads = 7; });
            }},
        {QStringLiteral("bad-file"), kUsualWindow,
            [](MainWindow& w) {
                waitForAnswer(w);
                (void)w.openFile(QStringLiteral("/nonexistent/config.json"));
            }},
    };
}

} // namespace remat::ui
