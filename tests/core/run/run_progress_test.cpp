// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/run/run_progress.h"

using namespace remat;

namespace {

constexpr Nanoseconds seconds(double s)
{
    return {static_cast<std::int64_t>(s * 1e9)};
}

QString shown(const std::optional<std::string>& line)
{
    return line ? QString::fromStdString(*line) : QString("-");
}

} // namespace

/// A run told with a clock of the test's own; the time left is elapsed x (1 - f) / f, by hand.
class RunProgressTest : public QObject {
    Q_OBJECT

private slots:
    void longRunsSayStepAndTimeLeft()
    {
        RunProgress progress;
        const auto step = [&](std::int64_t i, double fraction, double at) {
            return shown(progress.line(StepEvent{"timing", i, 4, 0, fraction, "layer 3: gelu"}, seconds(at)));
        };
        QCOMPARE(shown(progress.line(PhaseEvent{"check", 1, 3}, seconds(0))), QString("phase: check"));
        QCOMPARE(shown(progress.line(PhaseEvent{"memory", 2, 3}, seconds(100))), QString("phase: memory"));
        QCOMPARE(shown(progress.line(PhaseEvent{"timing", 3, 3}, seconds(120))), QString("phase: timing"));
        QCOMPARE(step(0, 0.20, 120.5), QString("-")); // half a second after the phase
        QCOMPARE(step(0, 0.25, 130), QString("timing: warm-up, about 90 s left"));
        QCOMPARE(step(0, 0.26, 131), QString("-"));
        QCOMPARE(step(1, 0.40, 140), QString("timing: step 1 of 3, about 60 s left"));
        QCOMPARE(step(1, 0.41, 149.9), QString("-"));
        QCOMPARE(step(1, 0.50, 150), QString("timing: step 1 of 3, about 50 s left")); // ten seconds of silence
        QCOMPARE(step(3, 0.10, 160), QString("timing: step 3 of 3, about 9 min left"));
    }

    void shortRunsSayTheirPhasesOnly()
    {
        RunProgress progress;
        progress.line(PhaseEvent{"timing", 3, 3}, seconds(0));
        for (std::int64_t i = 0; i < 4; ++i)
            QCOMPARE(shown(progress.line(StepEvent{"timing", i, 4, 0, 0.5, ""}, seconds(0.2 * static_cast<double>(i)))),
                QString("-"));
    }

    void passesOfOneStepHaveNoNumber()
    {
        RunProgress progress;
        progress.line(PhaseEvent{"memory", 2, 3}, seconds(0));
        QCOMPARE(shown(progress.line(StepEvent{"memory", 0, 1, 0, 0.01, ""}, seconds(5))), QString("memory"));
        QCOMPARE(shown(progress.line(StepEvent{"memory", 0, 1, 0, 0.1, ""}, seconds(20))),
            QString("memory, about 3 min left"));
    }
};

QTEST_APPLESS_MAIN(RunProgressTest)
#include "run_progress_test.moc"
