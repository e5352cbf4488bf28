// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/staged_worker.h"
#include "app/gui/window_states.h"
#include "core/run/gpu_answer.h"
#include "core/run/run_events.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/window/main_window.h"

namespace remat::ui {

using namespace remat::literals;

namespace {

/// What a worker says that found one.
GpuAnswer oneGpu()
{
    return {true, 0, "cudaSuccess", 13000, 13000, {{"NVIDIA H200", "9.0", {150'000'000'000}, {149'000'000'000}}}};
}

/// Starts a lesson from its menu entry and goes on to one of its steps.
void playLesson(MainWindow& window, const char* action, int step)
{
    trigger(window, action);
    for (int i = 0; i < step; ++i)
        window.lessons().player().next();
}

} // namespace

std::vector<WindowState> otherStates()
{
    return {
        {QStringLiteral("run-done"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "tiny-gpt2", 8, 128); });
                useMiddleBudget(w);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
            }},
        {QStringLiteral("run-under-way"), kUsualWindow,
            [](MainWindow& w) {
                waitFor([&] { return w.runs().gpu().has_value(); });
                w.runs().setMachine(RunMachine::Cuda);
                waitForAnswer(w);
                w.toggleRun();
                waitFor([&] { return w.runs().runs().back().fraction > 0; });
            },
            [](WindowContext& context) {
                context.askGpus = [](const std::stop_token&) { return oneGpu(); };
                context.makeLauncher = [](const WorkerLaunch&) {
                    return std::make_unique<StagedWorker>(
                        std::vector<RunEvent>{PhaseEvent{"timing", 2, 4}, StepEvent{"timing", 2, 10, 0.1, 0.3, ""}},
                        std::nullopt);
                };
            }},
        {QStringLiteral("run-memory"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "tiny-gpt2", 1, 16); });
                useMiddleBudget(w);
                w.runs().setMachine(RunMachine::Emulated);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
                w.bottomTabs().showPage(QStringLiteral("runMemory"));
            }},
        {QStringLiteral("run-refused"), kUsualWindow,
            [](MainWindow& w) {
                edit(w, [](Inputs& inputs) { useModel(inputs, "gpt2-xl", 64, 1024); });
                useMiddleBudget(w);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
            }},
        {QStringLiteral("out-of-memory"), kUsualWindow,
            [](MainWindow& w) {
                waitFor([&] { return w.runs().gpu().has_value(); });
                w.runs().setMachine(RunMachine::Cuda);
                waitForAnswer(w);
                w.toggleRun();
                waitFor([&] { return !w.runs().isRunning(); });
            },
            [](WindowContext& context) {
                context.askGpus = [](const std::stop_token&) { return oneGpu(); };
                context.makeLauncher = [](const WorkerLaunch&) {
                    RunFailure failure{"out-of-memory", "gpu-out-of-memory", "backward, layer 3: ffn_up",
                        "The GPU's memory pool gave no 24.0 MiB; 282 MiB are in use.",
                        "Lower the batch, plan with a smaller budget, or close other programs that use the GPU.",
                        static_cast<int>(ExitCode::OutOfMemory), 24_MiB, 282_MiB, 4};
                    failure.phase = "backward";
                    failure.op = "layer 3: ffn_up";
                    RunOutcome outcome;
                    outcome.failure = failure;
                    return std::make_unique<StagedWorker>(std::vector<RunEvent>(), outcome);
                };
            }},
        {QStringLiteral("no-gpu-driver"), kUsualWindow,
            [](MainWindow& w) {
                waitFor([&] { return !w.runs().whyNoGpu().isEmpty(); });
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("runs"));
            },
            [](WindowContext& context) {
                context.askGpus = [](const std::stop_token&) {
                    return GpuAnswer{true, 35, "cudaErrorInsufficientDriver", 0, 13000, {}};
                };
            }},
        {QStringLiteral("playing"), kUsualWindow,
            [](MainWindow& w) {
                waitForAnswer(w);
                w.bottomTabs().showPage(QStringLiteral("timeline"));
                w.bottomTabs().playback().setPosition(w.bottomTabs().playback().count() * 3 / 5);
            }},
        {QStringLiteral("dialog-fit"), kUsualWindow, [](MainWindow& w) { trigger(w, "fitModel"); }},
        {QStringLiteral("dialog-palette"), kUsualWindow, [](MainWindow& w) { trigger(w, "palette"); }},
        {QStringLiteral("dialog-keys"), kUsualWindow, [](MainWindow& w) { trigger(w, "keys"); }},
        {QStringLiteral("dialog-device"), kUsualWindow, [](MainWindow& w) { trigger(w, "editDevice"); }},
        {QStringLiteral("dialog-launch"), kUsualWindow, [](MainWindow& w) { trigger(w, "launchProfiles"); }},
        {QStringLiteral("dialog-preset"), kUsualWindow, [](MainWindow& w) { trigger(w, "savePreset"); }},
        {QStringLiteral("dialog-diagnostics"), kUsualWindow,
            [](MainWindow& w) {
                waitForAnswer(w);
                trigger(w, "diagnostics");
            }},
        {QStringLiteral("lesson"), kUsualWindow,
            [](MainWindow& w) {
                playLesson(w, "lesson-where-memory-goes", 1);
                w.lessons().player().choose(1);
            }},
        {QStringLiteral("lesson-narrow"), kSmallestWindow,
            [](MainWindow& w) { playLesson(w, "lesson-beat-the-planner", 1); }},
        {QStringLiteral("projector"), QSize(1920, 1080), [](MainWindow&) {}, {}, true},
    };
}

} // namespace remat::ui
