// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QApplication>
#include <QFont>
#include <QTest>
#include <memory>

#include "core/cost/devices.h"
#include "tests/support/small_models.h"
#include "ui/run/run_controller.h"
#include "ui/state/explorer_state.h"
#include "ui/window/main_window.h"

namespace remat::ui::testing {

/// A worker that says what the test tells it to say.
class FakeLauncher : public RunLauncher {
public:
    using RunLauncher::RunLauncher;
    void start(const RunRequest& started) override { request = QByteArray::fromStdString(requestLine(started)); }
    void stop() override { wasStopped = true; }
    void say(const QByteArray& line) { emit heard(m_talk.hear(line.toStdString())); }
    void end(WorkerExit exit) { emit ended(m_talk.finish(exit, wasStopped)); }

    QByteArray request;
    bool wasStopped = false;

private:
    RunConversation m_talk;
};

/// Devices with a CPU of round figures in place of a measured one.
inline DeviceCatalog fixedDevices()
{
    DeviceCatalog catalog = devices();
    catalog.add(remat::testing::roundCpu(2));
    return catalog;
}

inline bool waitForAnswer(ExplorerState& state)
{
    return QTest::qWaitFor([&] { return !state.isBusy() && state.answer()->isComplete; }, 30'000);
}

inline WindowContext plainContext()
{
    return {fixedDevices(), nullptr, QString(), [](const WorkerLaunch&) { return std::make_unique<FakeLauncher>(); },
        Theme(Lightness::Light, QFont())};
}

} // namespace remat::ui::testing
