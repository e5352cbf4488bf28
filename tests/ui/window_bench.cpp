// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How fast the window answers (96 layers, offscreen): first window, budget handle and batch slider, repaints of a large
// grid and a long timeline, against a frame of 16.7 ms.
//
// A second thread posts mouse moves at 250 Hz, each with a number as its timestamp; painters record the number of the
// last event they had handled.  An event's latency is post -> end of the first paint of it or of a later one.  The CPU
// time of the GUI thread between two paints is the cost of a frame.  An empty widget is the control.
#include <QApplication>
#include <QEventLoop>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "core/run/process_memory.h"
#include "tests/support/small_models.h"
#include "ui/charts/timeline_chart.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/grid_card.h"
#include "ui/widgets/ruler_widget.h"
#include "ui/window/main_window.h"

namespace {

using namespace remat;
using namespace remat::ui;
using Clock = std::chrono::steady_clock;

constexpr double kFrameMs = 1000.0 / 60.0;
constexpr int kEvents = 1000;
constexpr auto kInterval = std::chrono::milliseconds(4);

double cpuMs(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double threadCpuMs()
{
    return cpuMs(CLOCK_THREAD_CPUTIME_ID);
}

double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// A widget that paints nothing: what posting, coalescing and the event loop cost by themselves.
class EmptyWidget : public PaintedWidget {
public:
    using PaintedWidget::PaintedWidget;

protected:
    void paintContent(QPainter&, const QRegion&) override { }
    quint64 shownGeneration() const override { return 0; }
    void mouseMoveEvent(QMouseEvent*) override { update(); }
};

void dragOver(PaintedWidget& widget, const char* name)
{
    std::mutex mutex;
    std::vector<Clock::time_point> posted;
    std::vector<double> latencies, frameCpu;
    std::size_t answered = 0;
    double lastCpu = threadCpuMs();
    const auto connection
        = QObject::connect(&widget, &PaintedWidget::painted, &widget, [&](quint64, quint64 timestamp) {
              const auto now = Clock::now();
              const double cpu = threadCpuMs();
              frameCpu.push_back(cpu - lastCpu);
              lastCpu = cpu;
              const std::lock_guard lock(mutex);
              for (; answered < posted.size() && answered < timestamp; ++answered)
                  latencies.push_back(std::chrono::duration<double, std::milli>(now - posted[answered]).count());
          });
    const auto post = [&](QEvent::Type type, double x, quint64 number) {
        const QPointF at(x, widget.height() / 2.0);
        auto* event = new QMouseEvent(type, at, widget.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        event->setTimestamp(number);
        QCoreApplication::postEvent(&widget, event);
    };
    // An event loop that sleeps: one that polls would count its polling as the cost of frames.
    QEventLoop loop;
    std::thread poster([&] {
        post(QEvent::MouseButtonPress, widget.width() * 0.7, 0);
        for (int i = 0; i < kEvents; ++i) {
            std::this_thread::sleep_for(kInterval);
            {
                const std::lock_guard lock(mutex);
                posted.push_back(Clock::now());
            }
            post(QEvent::MouseMove, widget.width() * (0.60 + 0.25 * (i % 200) / 200.0), static_cast<quint64>(i) + 1);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        post(QEvent::MouseButtonRelease, widget.width() * 0.7, kEvents);
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    loop.exec();
    poster.join();
    QObject::disconnect(connection);
    std::printf("%-14s events %d, paints %zu (%.0f %% coalesced)  frame CPU p50 %.2f p99 %.2f ms = %.2f frames  wall "
                "p50 %.1f p99 %.1f ms = %.2f frames\n",
        name, kEvents, frameCpu.size(), 100.0 * (1.0 - static_cast<double>(frameCpu.size()) / kEvents),
        percentile(frameCpu, 0.5), percentile(frameCpu, 0.99), percentile(frameCpu, 0.99) / kFrameMs,
        percentile(latencies, 0.5), percentile(latencies, 0.99), percentile(latencies, 0.99) / kFrameMs);
}

/// Runs the window until a signal of `sender` finds `isDone`; false after 30 s.
template <typename Sender, typename Signal>
bool waitFor(const Sender& sender, Signal signal, const std::function<bool()>& isDone)
{
    QEventLoop loop;
    QTimer::singleShot(30000, &loop, &QEventLoop::quit);
    QObject::connect(&sender, signal, &loop, [&] {
        if (isDone())
            loop.quit();
    });
    if (!isDone())
        loop.exec();
    return isDone();
}

/// Batch slider: edit -> grid painted with the plan of that edit or a later one.
void slideBatch(MainWindow& window)
{
    std::vector<double> latencies;
    for (int i = 0; i < 60; ++i) {
        Inputs inputs = window.state().inputs();
        inputs.setup.batch = 1 + (inputs.setup.batch + 2) % 16;
        const auto start = Clock::now();
        window.state().edit(EditKind::Batch, QString(), inputs, true);
        const quint64 generation = window.state().generation();
        const GridWidget& grid = window.gridCard().grid();
        if (!waitFor(grid, &PaintedWidget::painted, [&] { return grid.paintedGeneration() >= generation; }))
            std::printf("batch %lld: no paint within 30 s\n", static_cast<long long>(inputs.setup.batch));
        latencies.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    std::printf("%-14s edits %zu  new plan painted p50 %.1f p99 %.1f ms = %.2f frames (aim 6)\n", "batch slider",
        latencies.size(), percentile(latencies, 0.5), percentile(latencies, 0.99),
        percentile(latencies, 0.99) / kFrameMs);
}

/// Edits of PyTorch's step, 32 layers: edit -> grid painted with a plan of that edit or a later one.
void editTorch(MainWindow& window)
{
    ExplorerState& state = window.state();
    Inputs inputs = state.inputs();
    inputs.shape = findPreset("llama-2-7b").value();
    inputs.setup.batch = 4;
    inputs.setup.sequence = 1024;
    state.edit(EditKind::Document, QString(), inputs);
    state.useProfile(StepProfile::Pytorch);
    const auto isComplete = [&] { return !state.isBusy() && state.answer()->isComplete; };
    waitFor(state, &ExplorerState::answerChanged, isComplete);
    std::vector<double> latencies, whole;
    for (int i = 0; i < 60; ++i) {
        inputs = state.inputs();
        switch (i % 3) {
        case 0:
            inputs.torch.attention = inputs.torch.attention == torch::TorchAttention::Sdpa
                ? torch::TorchAttention::Eager
                : torch::TorchAttention::Sdpa;
            break;
        case 1:
            inputs.torch.precision
                = static_cast<torch::TorchPrecision>((static_cast<int>(inputs.torch.precision) + 1) % 3);
            break;
        default:
            inputs.torch.loss = inputs.torch.loss == torch::TorchLoss::ModelLoss ? torch::TorchLoss::LogitsSum
                                                                                 : torch::TorchLoss::ModelLoss;
        }
        const auto start = Clock::now();
        const auto since = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); };
        state.edit(EditKind::Setup, QString(), inputs);
        const quint64 generation = state.generation();
        const GridWidget& grid = window.gridCard().grid();
        waitFor(grid, &PaintedWidget::painted, [&] { return grid.paintedGeneration() >= generation; });
        latencies.push_back(since());
        waitFor(state, &ExplorerState::answerChanged, isComplete);
        whole.push_back(since());
    }
    std::printf("%-14s edits %zu  new plan painted p50 %.1f p99 %.1f ms (aim 100)  complete p50 %.1f p99 %.1f ms\n",
        "pytorch edit", latencies.size(), percentile(latencies, 0.5), percentile(latencies, 0.99),
        percentile(whole, 0.5), percentile(whole, 0.99));
}

/// From main() to the first paint of the whole window, which shows what is chosen while the planner works.
void showFirst(MainWindow& window, Clock::time_point start)
{
    QEventLoop loop;
    QObject::connect(&window.gridCard().grid(), &PaintedWidget::painted, &loop, &QEventLoop::quit);
    window.show();
    loop.exec();
    std::printf("%-14s wall %.0f ms, CPU of all threads %.0f ms since the process began (aim 300)\n", "first window",
        std::chrono::duration<double, std::milli>(Clock::now() - start).count(), cpuMs(CLOCK_PROCESS_CPUTIME_ID));
}

/// What a paint of everything costs after `change`, which is handed 0, 1, 0, ...
void repaint(QWidget& widget, const char* name, const std::function<void(int)>& change)
{
    std::vector<double> costs;
    for (int i = 0; i < 60; ++i) {
        const double before = threadCpuMs();
        change(i % 2);
        widget.repaint();
        costs.push_back(threadCpuMs() - before);
    }
    std::printf("%-14s CPU p50 %.2f p99 %.2f ms = %.2f frames (aim %d)\n", name, percentile(costs, 0.5),
        percentile(costs, 0.99), percentile(costs, 0.99) / kFrameMs, widget.devicePixelRatioF() > 1.5 ? 2 : 1);
}

/// 126 layers with every tensor's row, all cells anew in the other theme.
void repaintGrid(MainWindow& window)
{
    Inputs inputs = window.state().inputs();
    inputs.shape.layers = 126;
    window.state().edit(EditKind::Model, QString(), inputs);
    for (const Sublayer sublayer : {Sublayer::Attention, Sublayer::Ffn})
        window.state().setRowOpen(static_cast<int>(sublayer), true);
    const ExplorerState& state = window.state();
    waitFor(state, &ExplorerState::answerChanged, [&] { return !state.isBusy() && state.answer()->isComplete; });
    QApplication::processEvents();
    GridWidget& grid = window.gridCard().grid();
    grid.setGrouping(LayerGrouping::Never);
    std::printf("%d layers x %d rows, %d x %d points\n", grid.view().layerCount, grid.view().rowCount(), grid.width(),
        grid.height());
    const Theme themes[] = {Theme(Lightness::Light, QFont()), Theme(Lightness::Dark, QFont())};
    repaint(grid, "grid", [&](int which) { grid.setTheme(themes[which]); });
    grid.setTheme(themes[0]);
    grid.setGrouping(LayerGrouping::Automatic);
}

/// A timeline of 10,000 events, of another run each time.
void repaintTimeline()
{
    TimelineView views[2];
    for (int which = 0; which < 2; ++which) {
        TimelineView& view = views[which];
        for (int i = 0; i < 10'000; ++i) {
            const std::int64_t rising = i < 5000 ? i : 10'000 - i;
            view.predicted.push_back({Nanoseconds{i * 1000}, Bytes{(rising * 100 + i % 7 * (9000 + which)) << 10}, i});
        }
        view.end = Nanoseconds{10'000'000};
        view.budget = Bytes{std::int64_t{600'000} << 10};
    }
    TimelineChart chart(Theme(Lightness::Light, QFont()));
    chart.resize(460, 230);
    chart.show();
    QApplication::processEvents();
    QWidget* viewport = chart.findChild<QGraphicsView*>()->viewport();
    repaint(*viewport, "timeline", [&](int which) { chart.setTimelineView(views[which]); });
}

} // namespace

int main(int argc, char** argv)
{
    const Clock::time_point start = Clock::now();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    configureAllocator(kWindowArenas);
    QApplication application(argc, argv);
    DeviceCatalog catalog = devices();
    catalog.add(remat::testing::roundCpu(2));
    MainWindow window({catalog, nullptr, QString(),
        [](const WorkerLaunch& launch) { return std::make_unique<WorkerLauncher>(launch); },
        Theme::fromDesktop(QApplication::palette(), QApplication::font(), ThemeChoice::Light)});
    window.resize(1440, 900);
    showFirst(window, start);
    Inputs inputs = window.state().inputs();
    inputs.shape = findPreset("bert-large").value();
    inputs.shape.layers = 96;
    inputs.setup.batch = 8;
    inputs.setup.sequence = 512;
    inputs.budget = {std::int64_t{30} << 30};
    window.state().edit(EditKind::Document, QString(), inputs);
    const ExplorerState& state = window.state();
    if (!waitFor(state, &ExplorerState::answerChanged, [&] { return !state.isBusy() && state.answer()->isComplete; }))
        return 1;
    std::printf("96 layers, %zu frontier points, %.0fx, frame = %.1f ms\n", state.answer()->study->points().size(),
        window.devicePixelRatioF(), kFrameMs);
    EmptyWidget empty(Theme(Lightness::Light, QFont()));
    empty.resize(800, 98);
    empty.show();
    dragOver(empty, "empty widget");
    dragOver(window.answerCard().ruler(), "budget handle");
    slideBatch(window);
    repaintGrid(window);
    editTorch(window);
    repaintTimeline();
    return 0;
}
