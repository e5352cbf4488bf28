// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/screenshots.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QScrollArea>
#include <QStyle>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/model/presets.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/rank_group.h"
#include "ui/state/comparison.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

using namespace remat::literals;

constexpr int kLongestWaitMs = 120'000;

/// Lets events run until `isDone`, or gives up.
bool waitFor(const std::function<bool()>& isDone)
{
    QElapsedTimer timer;
    timer.start();
    while (!isDone() && timer.elapsed() < kLongestWaitMs)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 50);
    return isDone();
}

bool waitForAnswer(MainWindow& window)
{
    return waitFor([&] { return !window.state().isBusy() && window.state().answer()->isComplete; });
}

/// A state of the window: how to reach it, and how large the window is.
struct Shot {
    QString name;
    QSize size;
    std::function<void(MainWindow&)> prepare;
    bool isProjector = false;
};

void edit(MainWindow& window, const std::function<void(Inputs&)>& change)
{
    Inputs inputs = window.state().inputs();
    change(inputs);
    window.state().edit(EditKind::Document, QString(), inputs);
}

void useModel(Inputs& inputs, const char* preset, std::int64_t batch, std::int64_t sequence)
{
    inputs.shape = findPreset(preset).value();
    inputs.setup.batch = batch;
    inputs.setup.sequence = sequence;
}

/// The middle between the least and the keep-everything peak.
void useMiddleBudget(MainWindow& window)
{
    waitForAnswer(window);
    const Study& study = *window.state().answer()->study;
    window.state().setBudget({(study.leastPeak().value + study.keepAllPeak().value) / 2});
}

void usePytorchBudget(MainWindow& window)
{
    waitForAnswer(window);
    const Answer& answer = *window.state().answer();
    window.state().setBudget({(answer.leastPeak().value + answer.keepAllPeak().value) / 2});
    waitForAnswer(window);
}

void trigger(MainWindow& window, const char* action)
{
    window.findChild<QAction*>(QLatin1String(action))->trigger();
}

/// Starts a lesson from its menu entry and goes on to one of its steps.
void playLesson(MainWindow& window, const char* action, int step)
{
    trigger(window, action);
    for (int i = 0; i < step; ++i)
        window.lessons().player().next();
}

std::vector<Shot> shots()
{
    const QSize usual(1440, 900), narrow(1024, 700);
    return {
        {QStringLiteral("first-start"), usual, [](MainWindow&) {}},
        {QStringLiteral("selection-and-pins"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 8, 512);
                    for (const char* pin : {"L1.ffn_up=recompute", "L2.attn_core=keep", "L3.attn_core=keep"})
                        inputs.pins.push_back(parsePin(pin).value());
                });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.state().setRowOpen(static_cast<int>(Sublayer::Ffn), true);
                const GridView& grid = w.gridCard().grid().view();
                for (int row = 0; row < grid.rowCount(); ++row)
                    if (grid.rows[static_cast<std::size_t>(row)].canOpen
                        && grid.rows[static_cast<std::size_t>(row)].isOpen)
                        w.state().setSelection(GridPlace{row, 3});
            }},
        {QStringLiteral("alive-at-the-peak"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.state().setRowOpen(static_cast<int>(Sublayer::Ffn), true);
                w.state().pointing().setInstant(w.state().answer()->shown->timeline.peakInstruction);
            }},
        {QStringLiteral("whole-row"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 8, 512);
                    inputs.pins.push_back(parsePin("*.attention=keep").value());
                });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("tensors"));
                const GridView& grid = w.gridCard().grid().view();
                for (int row = 0; row < grid.rowCount(); ++row)
                    if (grid.rows[static_cast<std::size_t>(row)].label == sublayerTitle(Sublayer::Attention))
                        w.state().setSelection(GridPlace{row, 3, GridPlace::Extent::Row});
            }},
        {QStringLiteral("compared-with-full"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2", 8, 512); });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.bottomTabs().comparison().setB(Comparison::strategyKey(QStringLiteral("full")));
                w.bottomTabs().showPage(QStringLiteral("compare"));
                w.findChild<QCheckBox*>(QStringLiteral("differencesInGrid"))->setChecked(true);
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("batch-map-and-article"), usual,
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
        {QStringLiteral("compared-narrow"), narrow,
            [](MainWindow& w) {
                waitForAnswer(w);
                w.bottomTabs().comparison().putAsideShown();
                w.state().setBudget(w.state().answer()->leastPeak());
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("compare"));
            }},
        {QStringLiteral("bert-large-strategies"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "bert-large", 8, 512); });
                useMiddleBudget(w);
                w.bottomTabs().showPage(QStringLiteral("perLayer"));
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("gpt2-xl-a100"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2-xl", 16, 1024);
                    inputs.setup.device = "a100-80";
                    inputs.budget = 60_GiB;
                });
                w.bottomTabs().showPage(QStringLiteral("tensors"));
            }},
        {QStringLiteral("pytorch"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "llama-2-7b", 4, 1024); });
                w.state().useProfile(StepProfile::Pytorch);
                edit(w, [](Inputs& inputs) { inputs.torch.optimizer = torch::TorchOptimizer::Sgd; });
                usePytorchBudget(w);
                w.state().setRowOpen(openRowKey(1), true);
                w.state().setSelection(GridPlace{1, 9});
            }},
        {QStringLiteral("pytorch-eager-amp"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "bert-large", 16, 512); });
                w.state().useProfile(StepProfile::Pytorch);
                edit(w, [](Inputs& inputs) {
                    inputs.torch.precision = torch::TorchPrecision::Amp;
                    inputs.torch.attention = torch::TorchAttention::Eager;
                });
                usePytorchBudget(w);
                w.bottomTabs().comparison().putAsideShown();
                w.state().setBudget(w.state().answer()->leastPeak());
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("perLayer"));
                w.bottomTabs().showPage(QStringLiteral("strategies"));
            }},
        {QStringLiteral("several-gpus"), usual,
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
        {QStringLiteral("pytorch-narrow"), narrow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2-xl", 8, 1024); });
                w.state().useProfile(StepProfile::Pytorch);
                waitForAnswer(w);
                w.state().setBudget({w.state().answer()->leastPeak().value - 1});
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("runs"));
            }},
        {QStringLiteral("126-layers-narrow"), narrow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 4, 512);
                    inputs.shape.layers = 126;
                    inputs.shape.name = "126 layers";
                });
                useMiddleBudget(w);
            }},
        {QStringLiteral("does-not-fit"), narrow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    inputs.budget = 1700_MiB;
                    useModel(inputs, "gpt2", 16, 512);
                });
            }},
        {QStringLiteral("fits-without-recomputing"), usual, [](MainWindow& w) { w.state().setBudget(8_GiB); }},
        {QStringLiteral("one-layer"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) {
                    useModel(inputs, "gpt2", 2, 256);
                    inputs.shape.layers = 1;
                    inputs.shape.name = "one layer";
                    inputs.budget = 900_MiB;
                });
            }},
        {QStringLiteral("bad-shape"), usual,
            [](MainWindow& w) {
                waitForAnswer(w);
                edit(w, [](Inputs& inputs) { inputs.shape.heads = 7; });
            }},
        {QStringLiteral("bad-file"), usual,
            [](MainWindow& w) {
                waitForAnswer(w);
                (void)w.openFile(QStringLiteral("/nonexistent/config.json"));
            }},
        {QStringLiteral("run-done"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "tiny-gpt2", 8, 128); });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
            }},
        {QStringLiteral("run-memory"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "tiny-gpt2", 1, 16); });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.runs().setMachine(RunMachine::Emulated);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
                w.bottomTabs().showPage(QStringLiteral("runMemory"));
            }},
        {QStringLiteral("run-refused"), usual,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2-xl", 64, 1024); });
                useMiddleBudget(w);
                waitForAnswer(w);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
            }},
        {QStringLiteral("playing"), usual,
            [](MainWindow& w) {
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("timeline"));
                w.bottomTabs().playback().setPosition(w.bottomTabs().playback().count() * 3 / 5);
            }},
        {QStringLiteral("dialog-fit"), usual, [](MainWindow& w) { trigger(w, "fitModel"); }},
        {QStringLiteral("dialog-palette"), usual, [](MainWindow& w) { trigger(w, "palette"); }},
        {QStringLiteral("dialog-keys"), usual, [](MainWindow& w) { trigger(w, "keys"); }},
        {QStringLiteral("dialog-device"), usual, [](MainWindow& w) { trigger(w, "editDevice"); }},
        {QStringLiteral("dialog-launch"), usual, [](MainWindow& w) { trigger(w, "launchProfiles"); }},
        {QStringLiteral("lesson"), usual,
            [](MainWindow& w) {
                playLesson(w, "lesson-where-memory-goes", 1);
                w.lessons().player().choose(1);
            }},
        {QStringLiteral("lesson-narrow"), narrow, [](MainWindow& w) { playLesson(w, "lesson-beat-the-planner", 1); }},
        {QStringLiteral("projector"), QSize(1920, 1080), [](MainWindow&) {}, true},
    };
}

} // namespace

int writeScreenshots(QApplication&, const WindowContext& context, const QFont& baseFont, const QString& folder)
{
    if (!QDir().mkpath(folder)) {
        std::fprintf(stderr, "rematscope: %s cannot be made\n", qPrintable(folder));
        return 3;
    }
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        for (const Shot& shot : shots()) {
            WindowContext own = context;
            own.theme
                = Theme::fromDesktop(QApplication::style()->standardPalette(), baseFont, choice, shot.isProjector);
            MainWindow window(own);
            window.resize(shot.size);
            window.show();
            shot.prepare(window);
            if (!waitForAnswer(window))
                return 3;
            // What the events bring is shown too, and then laid out.
            QApplication::processEvents();
            window.showNewestAnswer();
            QApplication::processEvents();
            QWidget* dialog = window.findChild<QDialog*>();
            const QPixmap picture = dialog ? dialog->grab() : window.grab();
            const QString scale = picture.devicePixelRatio() > 1.5 ? QStringLiteral("@2x") : QString();
            const QString path
                = QStringLiteral("%1/%2-%3%4.png")
                      .arg(folder, shot.name,
                          choice == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"), scale);
            if (!picture.save(path)) {
                std::fprintf(stderr, "rematscope: %s cannot be written\n", qPrintable(path));
                return 3;
            }
        }
    }
    return 0;
}

} // namespace remat::ui
