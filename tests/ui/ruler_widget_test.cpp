// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest/QTest>

#include "sample_views.h"
#include "ui/painters/ruler_layout.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/ruler_widget.h"
#include "ui/widgets/stale_state.h"
#include "ui/widgets/verdict_widget.h"

using namespace samples;

namespace {

struct Fixture {
    RulerWidget widget{theme(Lightness::Light)};
    QSignalSpy spy{&widget, &RulerWidget::budgetRequested};
    Fixture()
    {
        widget.resize(856, 98);
        widget.setView(ruler());
        widget.show();
        // The first paint is over before a test counts paints.
        (void)QTest::qWaitForWindowExposed(&widget);
    }
    Bytes last() const { return spy.last().first().value<Bytes>(); }
    RulerLayout layout() const { return layoutRuler(widget.rect(), widget.view(), widget.theme()); }
};

constexpr Bytes kTenthOfGiB{107374182}; // 0.1 x 2^30, rounded

} // namespace

/// Expected behaviour: the design page's budget ruler.
class RulerWidgetTest : public QObject {
    Q_OBJECT
private slots:
    void draggingAnywhereMovesTheBudget()
    {
        Fixture f;
        QSignalSpy started(&f.widget, &RulerWidget::dragStarted), finished(&f.widget, &RulerWidget::dragFinished);
        for (const int y : {5, 40, 65, 92}) {
            f.spy.clear();
            QTest::mousePress(&f.widget, Qt::LeftButton, {}, QPoint(300 + y, y));
            QTest::mouseMove(&f.widget, QPoint(500, y));
            QTest::mouseRelease(&f.widget, Qt::LeftButton, {}, QPoint(500, y));
            QVERIFY(f.spy.size() >= 2);
            QCOMPARE(f.last(), f.layout().budgetAt(500));
            QCOMPARE(f.widget.view().budget, f.last());
        }
        QCOMPARE(started.size(), 4);
        QCOMPARE(finished.size(), 4);
    }

    void movingWithoutAButtonAsksForNothing()
    {
        Fixture f;
        QTest::mouseMove(&f.widget, QPoint(500, 40));
        QTest::mouseMove(&f.widget, QPoint(300, 40));
        QCOMPARE(f.spy.size(), 0);
    }

    void arrowsWalkTheFrontier()
    {
        Fixture f;
        const std::vector<RulerPoint> points = f.widget.view().frontier;
        QTest::keyClick(&f.widget, Qt::Key_Right);
        const auto above = std::find_if(points.begin(), points.end(),
            [](const RulerPoint& point) { return point.peak.value > std::llround(3.5 * 1073741824.0); });
        QCOMPARE(f.last(), above->peak);
        QTest::keyClick(&f.widget, Qt::Key_Left);
        QCOMPARE(f.last(), std::prev(above)->peak);
        QTest::keyClick(&f.widget, Qt::Key_Home);
        QCOMPARE(f.last(), f.widget.view().least);
        f.spy.clear();
        QTest::keyClick(&f.widget, Qt::Key_Left);
        QCOMPARE(f.spy.size(), 0); // nothing below the least
        QTest::keyClick(&f.widget, Qt::Key_End);
        QCOMPARE(f.last(), f.widget.view().keepEverything);
    }

    void shiftArrowsMoveATenthOfAGiB()
    {
        Fixture f;
        const Bytes before = f.widget.view().budget;
        QTest::keyClick(&f.widget, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(f.last() - before, kTenthOfGiB);
        QTest::keyClick(&f.widget, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&f.widget, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(before - f.last(), kTenthOfGiB);
    }

    void aWheelNotchMovesAStep()
    {
        Fixture f;
        const Bytes before = f.widget.view().budget;
        const auto turn = [&](int angle) {
            QWheelEvent event(QPointF(400, 40), f.widget.mapToGlobal(QPointF(400, 40)), {}, QPoint(0, angle),
                Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&f.widget, &event);
        };
        turn(60);
        QCOMPARE(f.spy.size(), 0);
        turn(60);
        // A hundredth of 5.69 GiB, rounded up to 1, 2 or 5: 0.1 GiB.
        QCOMPARE(f.last() - before, kTenthOfGiB);
        turn(-240);
        QCOMPARE(before - f.last(), kTenthOfGiB);
    }

    void belowTheLeastItTurnsRedAtOnce()
    {
        Fixture f;
        QVERIFY(f.widget.view().fits);
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, QPoint(100, 40));
        QVERIFY(f.last() < f.widget.view().least);
        QVERIFY(!f.widget.view().fits);
        const QImage image = f.widget.grab().toImage();
        QVERIFY(countColour(image, image.rect(), f.widget.theme().colour(Role::Over)) > 100);
    }

    void theSameViewIsNotPaintedAgain()
    {
        Fixture f;
        QCoreApplication::processEvents();
        QSignalSpy painted(&f.widget, &PaintedWidget::painted);
        f.widget.setView(f.widget.view());
        QCoreApplication::processEvents();
        QCOMPARE(painted.size(), 0);
        RulerView view = f.widget.view();
        view.generation = 7;
        f.widget.setView(view);
        QTRY_COMPARE(f.widget.paintedGeneration(), quint64{7});
    }

    void aPaintRecordsTheEventBeforeIt()
    {
        Fixture f;
        QMouseEvent press(QEvent::MouseButtonPress, QPointF(300, 40), f.widget.mapToGlobal(QPointF(300, 40)),
            Qt::LeftButton, Qt::LeftButton, {});
        press.setTimestamp(41);
        QCoreApplication::sendEvent(&f.widget, &press);
        QMouseEvent move(QEvent::MouseMove, QPointF(420, 40), f.widget.mapToGlobal(QPointF(420, 40)), Qt::NoButton,
            Qt::LeftButton, {});
        move.setTimestamp(42);
        QCoreApplication::sendEvent(&f.widget, &move);
        QTRY_COMPARE(f.widget.paintedEvent(), quint64{42});
    }

    void staleIsSixtyPercentOverThePanel()
    {
        Fixture f;
        const QColor keep = f.widget.theme().colour(Role::Keep), panel = f.widget.theme().colour(Role::Panel);
        const RulerLayout layout = f.layout();
        const QPoint inSaved(int(layout.xOf(f.widget.view().fixed())) + 10, int(layout.bar.top()) + 2);
        QCOMPARE(f.widget.grab().toImage().pixelColor(inSaved).rgb(), keep.rgb());
        f.widget.setStale(true);
        const QColor stale = f.widget.grab().toImage().pixelColor(inSaved);
        QVERIFY(std::abs(stale.red() - (0.6 * keep.red() + 0.4 * panel.red())) <= 2.0);
        QVERIFY(std::abs(stale.green() - (0.6 * keep.green() + 0.4 * panel.green())) <= 2.0);
    }

    void staleComesAfter150MillisecondsAndNotForShortWork()
    {
        StaleState state;
        QSignalSpy spy(&state, &StaleState::staleChanged);
        state.setBusy(true);
        state.setBusy(false);
        QVERIFY(!spy.wait(300));
        QElapsedTimer timer;
        timer.start();
        state.setBusy(true);
        QVERIFY(spy.wait(5000));
        QVERIFY(timer.elapsed() >= 140);
        QVERIFY(state.isStale());
        state.setBusy(false);
        QVERIFY(!state.isStale());
        QCOMPARE(spy.size(), 2);
    }

    void theBusyBarTravels()
    {
        BusyBar bar(theme(Lightness::Light));
        bar.resize(400, 2);
        QCOMPARE(bar.height(), 2);
        const auto accent = [&] {
            const QImage image = bar.grab().toImage();
            return countColour(image, image.rect(), theme(Lightness::Light).colour(Role::Keep));
        };
        QCOMPARE(accent(), 0);
        bar.setActive(true);
        QTRY_VERIFY(accent() > 50);
        bar.setActive(false);
        QCOMPARE(accent(), 0);
    }

    void everythingHasAnAccessibleName()
    {
        Fixture f;
        QVERIFY(!f.widget.accessibleName().isEmpty());
        QVERIFY(f.widget.accessibleDescription().contains(QStringLiteral("3.50 GiB")));
        VerdictWidget verdictLine(theme(Lightness::Light));
        verdictLine.setView(verdict(ruler()));
        QVERIFY(verdictLine.accessibleName().startsWith(QStringLiteral("Fits, peak")));
    }

    void theWholeAnswerCard()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const double budget : {3.5, 1.1}) {
                const Theme look = theme(lightness);
                QWidget card;
                QPalette palette;
                palette.setColor(QPalette::Window, look.colour(Role::Panel));
                card.setPalette(palette);
                auto* column = new QVBoxLayout(&card);
                column->setContentsMargins(12, 10, 12, 10);
                column->setSpacing(4);
                auto* line = new VerdictWidget(look);
                auto* bar = new RulerWidget(look);
                bar->setView(ruler(1.0, budget));
                line->setView(verdict(bar->view()));
                column->addWidget(line);
                column->addWidget(bar);
                card.resize(914, card.sizeHint().height());
                const QImage image = card.grab().toImage();
                save(image, QStringLiteral("answer-%1-%2").arg(int(lightness)).arg(budget));
                QVERIFY(countColour(image, image.rect(), look.colour(budget > 2 ? Role::Fits : Role::Over)) > 20);
            }
    }
};

QTEST_MAIN(RulerWidgetTest)
#include "ruler_widget_test.moc"
