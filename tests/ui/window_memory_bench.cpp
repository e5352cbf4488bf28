// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What the window holds in memory while somebody uses it at random for ten minutes: resident bytes, and how fast they
// grow from the second minute on (least squares over a sample a second); beside them the bytes of live blocks, so that
// what the window keeps can be told from what fragments the allocator.
#include "tests/ui/random_hands.h"

#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <malloc.h>

#include "core/run/process_memory.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

/// Twenty things a second: more than anybody does, and slow enough that answers arrive.
constexpr qint64 kPace = 50;
constexpr double kWarmUpMinutes = 2;

struct Sample {
    double minute = 0;
    double resident = 0, live = 0; ///< MiB
};

/// MiB a minute, by least squares.
double slopeOf(const std::vector<Sample>& samples, double Sample::*mebibytes)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Sample& sample : samples) {
        if (sample.minute < kWarmUpMinutes)
            continue;
        n += 1;
        x += sample.minute;
        y += sample.*mebibytes;
        xx += sample.minute * sample.minute;
        xy += sample.minute * sample.*mebibytes;
    }
    const double spread = n * xx - x * x;
    return spread > 0 ? (n * xy - x * y) / spread : 0.0;
}

double residentMebibytes()
{
    return static_cast<double>(readProcessMemory()->resident.value) / (1 << 20);
}

/// Of all arenas and of blocks that are mappings of their own.
double liveMebibytes()
{
    const struct mallinfo2 blocks = ::mallinfo2();
    return static_cast<double>(blocks.uordblks + blocks.hblkhd) / (1 << 20);
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    configureAllocator(kWindowArenas);
    QApplication application(argc, argv);
    bool isGiven = false;
    const int minutes = qEnvironmentVariableIntValue("REMAT_MINUTES", &isGiven);
    const qint64 end = (isGiven ? minutes : 10) * qint64{60'000};
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    WindowContext context = plainContext();
    context.settings = &settings;
    context.sessionPath = folder.filePath(QStringLiteral("session.json"));
    context.configurationFolder = folder.filePath(QStringLiteral("configuration")).toStdString();
    MainWindow window(context);
    window.resize(1440, 900);
    window.show();
    QDir::setCurrent(folder.path()); // what is saved by chance lies there
    waitForAnswer(window.state());
    const double first = residentMebibytes();
    RandomHands hands(window, folder.path(), 20261130);
    hands.beImpatient();
    std::vector<Sample> samples;
    QElapsedTimer clock;
    clock.start();
    int steps = 0;
    double most = 0;
    while (clock.elapsed() < end) {
        hands.step();
        ++steps;
        if (const qint64 early = steps * kPace - clock.elapsed(); early > 0)
            QTest::qWait(static_cast<int>(std::min(early, kPace)));
        if (clock.elapsed() < static_cast<qint64>(samples.size()) * 1000)
            continue;
        samples.push_back({static_cast<double>(clock.elapsed()) / 60'000, residentMebibytes(), liveMebibytes()});
        most = std::max(most, samples.back().resident);
        if (samples.size() % 60 == 0)
            std::printf("minute %2.0f  steps %6d  resident %.1f MiB  live %.1f MiB\n", samples.back().minute, steps,
                samples.back().resident, samples.back().live);
        std::fflush(stdout);
    }
    std::printf("window memory  steps %d  first %.1f  last %.1f  most seen %.1f MiB (aim 200)  slope from minute 2 on "
                "%.2f MiB a minute (aim 1), of live blocks %.2f\n",
        steps, first, samples.back().resident, most, slopeOf(samples, &Sample::resident),
        slopeOf(samples, &Sample::live));
    return 0;
}
