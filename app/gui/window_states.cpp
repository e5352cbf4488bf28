// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/window_states.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include "core/model/presets.h"
#include "ui/window/main_window.h"

namespace remat::ui {

bool waitFor(const std::function<bool()>& isDone)
{
    constexpr int kLongestWaitMs = 120'000;
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

void useMiddleBudget(MainWindow& window)
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

} // namespace remat::ui
