// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "ui/panels/bottom_tabs.h"
#include "ui/panels/grid_card.h"
#include "ui/theme/format.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// Forward and backward as an animation: every view follows, and the controls do what they say.
class PlaybackTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_window = std::make_unique<MainWindow>(plainContext());
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(waitForAnswer(m_window->state()));
    }
    void cleanup() { m_window.reset(); }

    void stepsGoOpByOp()
    {
        Playback& playback = m_window->bottomTabs().playback();
        const ShownPlan& shown = *m_window->state().answer()->shown;
        int ops = 0;
        for (const Instruction& step : shown.program.instructions)
            ops += step.kind != Instruction::Kind::Allocate && step.kind != Instruction::Kind::Release;
        QCOMPARE(playback.count(), ops);
        QCOMPARE(playback.position(), -1);
        QVERIFY(!m_window->state().pointing().instant());
        tool("playOn").click();
        QCOMPARE(playback.position(), 0);
        const int first = m_window->state().pointing().instant().value();
        QCOMPARE(shown.program.instructions[static_cast<std::size_t>(first)].kind, Instruction::Kind::Forward);
        tool("playOn").click();
        tool("playBack").click();
        QCOMPARE(m_window->state().pointing().instant().value(), first);
        QVERIFY(!tool("playBack").isEnabled());
        playback.setPosition(ops + 100);
        QCOMPARE(playback.position(), ops - 1);
        QVERIFY(!tool("playOn").isEnabled());
    }

    /// At speed 1 a step takes kStepSeconds, at speed 2 half of that; half of the time is half of the predicted step.
    void theStepTakesItsTime()
    {
        Playback& playback = m_window->bottomTabs().playback();
        const ShownPlan& shown = *m_window->state().answer()->shown;
        playback.setPosition(0);
        playback.advance(Playback::kStepSeconds / 2);
        const auto timeOf = [&](int instruction) {
            return static_cast<double>(shown.timeline.points[static_cast<std::size_t>(instruction)].time.value);
        };
        const double whole = static_cast<double>((shown.timeline.time + shown.plan.prediction.optimizer).value);
        const int instruction = m_window->state().pointing().instant().value();
        // The op under the cursor ends after half of the step, and the one before it did not.
        QVERIFY(timeOf(instruction) >= whole / 2);
        playback.stepBy(-1);
        QVERIFY(timeOf(m_window->state().pointing().instant().value()) <= whole / 2);
        auto* speed = m_window->findChild<QComboBox*>(QStringLiteral("playSpeed"));
        speed->setCurrentIndex(speed->findData(2.0));
        playback.setPosition(0);
        playback.advance(Playback::kStepSeconds / 2);
        QCOMPARE(playback.position(), playback.count() - 1);
        QVERIFY(!playback.isPlaying());
    }

    void playRunsByItself()
    {
        Playback& playback = m_window->bottomTabs().playback();
        playback.setSpeed(40); // half a second
        tool("play").click();
        QVERIFY(playback.isPlaying());
        QTRY_COMPARE(playback.position(), playback.count() - 1);
        QTRY_VERIFY(!playback.isPlaying());
        // Again from the start.
        tool("play").click();
        QVERIFY(playback.position() < playback.count() - 1);
        tool("play").click();
        QVERIFY(!playback.isPlaying());
    }

    void everyViewFollows()
    {
        Playback& playback = m_window->bottomTabs().playback();
        const ShownPlan& shown = *m_window->state().answer()->shown;
        auto* slider = m_window->findChild<QSlider*>(QStringLiteral("playPlace"));
        auto* sentence = m_window->findChild<QLabel*>(QStringLiteral("playSentence"));
        const QPixmap before = m_window->gridCard().grid().grab();
        int reruns = 0;
        playback.setPosition(0); // the slider stands there before the first op too
        for (int position = 0; position < playback.count(); ++position) {
            slider->setValue(position);
            QCOMPARE(playback.position(), position);
            const auto instruction = static_cast<std::size_t>(m_window->state().pointing().instant().value());
            QVERIFY(sentence->text().contains(NumberFormat().bytes(shown.timeline.points[instruction].live)));
            reruns += sentence->text().contains(QStringLiteral(" again"));
        }
        // What the plan says is recomputed is what the play calls made again.
        QCOMPARE(reruns, static_cast<int>(shown.plan.prediction.reruns));
        QVERIFY(reruns > 0);
        slider->setValue(playback.count() / 2);
        QVERIFY(m_window->gridCard().grid().grab().toImage() != before.toImage());
        // A click on the timeline takes the play along; leaving the instant ends it.
        const int peak = shown.timeline.peakOp;
        m_window->state().pointing().setInstant(peak);
        QVERIFY(slider->value() > 0);
        QVERIFY(sentence->text().contains(NumberFormat().bytes(shown.plan.prediction.peak)));
        m_window->state().pointing().setInstant(std::nullopt);
        QCOMPARE(playback.position(), -1);
    }

    void anotherPlanEndsThePlay()
    {
        Playback& playback = m_window->bottomTabs().playback();
        playback.play();
        m_window->state().setBudget({330 << 20});
        QVERIFY(waitForAnswer(m_window->state()));
        QVERIFY(!playback.isPlaying());
        QCOMPARE(playback.position(), -1);
        QVERIFY(playback.count() > 0);
    }

private:
    QToolButton& tool(const char* name) { return *m_window->findChild<QToolButton*>(QLatin1String(name)); }

    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(PlaybackTest)
#include "playback_test.moc"
