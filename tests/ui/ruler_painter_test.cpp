// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QElapsedTimer>
#include <QtTest/QTest>

#include "sample_views.h"
#include "ui/painters/ruler_layout.h"
#include "ui/painters/ruler_painter.h"

using namespace samples;

namespace {

constexpr QSize kSize{856, 98};

QImage picture(const RulerView& view, const Theme& theme, double ratio = 1.0, QSize size = kSize)
{
    return render(theme, size, ratio, [&](QPainter& painter, QRectF rect) { paintRuler(painter, rect, view, theme); });
}

RulerLayout layoutOf(const RulerView& view, const Theme& theme, QSize size = kSize)
{
    return layoutRuler(QRectF(QPointF(), QSizeF(size)), view, theme);
}

} // namespace

/// Expected numbers are the design's (axis 0 ... 1.06 x keep-everything, 98 px) and the view's own bytes.
class RulerPainterTest : public QObject {
    Q_OBJECT
private slots:
    void pictures()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark}) {
            const Theme look = theme(lightness);
            const QString tone = lightness == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark");
            for (const double ratio : {1.0, 2.0}) {
                const QString suffix = QStringLiteral("-%1-%2x").arg(tone).arg(ratio);
                save(picture(ruler(), look, ratio), QStringLiteral("ruler-fits") + suffix);
                save(picture(ruler(1.0, 1.1), look, ratio), QStringLiteral("ruler-over") + suffix);
                save(picture(ruler(1.0, 24.0), look, ratio), QStringLiteral("ruler-large-device") + suffix);
                save(picture(ruler(70.0, 300), look, ratio, {740, 98}), QStringLiteral("ruler-405b") + suffix);
            }
        }
    }

    void axisEndsAbove106PercentOfKeepEverything()
    {
        const RulerView view = ruler();
        const RulerLayout layout = layoutOf(view, theme(Lightness::Light));
        QCOMPARE(layout.axisEnd.value, std::llround(1.06 * static_cast<double>(view.keepEverything.value)));
        QCOMPARE(rulerHeight(theme(Lightness::Light)), 98.0);
        // A larger device does not stretch the axis.
        QCOMPARE(layoutOf(ruler(1.0, 24.0), theme(Lightness::Light)).axisEnd, layout.axisEnd);
    }

    void pixelsAndBudgetsMapBothWays()
    {
        const RulerLayout layout = layoutOf(ruler(), theme(Lightness::Light));
        const double bytesPerPixel = static_cast<double>(layout.axisEnd.value) / layout.bar.width();
        for (double gib = 0.0; gib <= 6.0; gib += 0.37) {
            const Bytes budget{std::llround(gib * 1073741824.0)};
            const Bytes back = layout.budgetAt(layout.xOf(budget));
            QVERIFY(std::abs(static_cast<double>((back - budget).value)) <= 0.01 * bytesPerPixel);
        }
        QCOMPARE(layout.budgetAt(-50.0), Bytes{0});
        QCOMPARE(layout.budgetAt(1e5), layout.axisEnd);
        QCOMPARE(layout.xOf(Bytes{1LL << 40}), layout.bar.right());
    }

    void frontierNeighboursAreFoundByHand()
    {
        RulerView view;
        view.frontier = {{Bytes{100}, 0.3}, {Bytes{200}, 0.1}, {Bytes{300}, 0.0}};
        QCOMPARE(nextFrontierBudget(view, Bytes{100}), std::optional(Bytes{200}));
        QCOMPARE(nextFrontierBudget(view, Bytes{150}), std::optional(Bytes{200}));
        QCOMPARE(nextFrontierBudget(view, Bytes{300}), std::optional<Bytes>());
        QCOMPARE(previousFrontierBudget(view, Bytes{200}), std::optional(Bytes{100}));
        QCOMPARE(previousFrontierBudget(view, Bytes{250}), std::optional(Bytes{200}));
        QCOMPARE(previousFrontierBudget(view, Bytes{100}), std::optional<Bytes>());
        QCOMPARE(extraTimeAt(view, Bytes{299}), std::optional(0.1));
        QCOMPARE(extraTimeAt(view, Bytes{99}), std::optional<double>());
    }

    void segmentsAreAsWideAsTheirBytes()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const double ratio : {1.0, 2.0}) {
                const Theme look = theme(lightness);
                const RulerView view = ruler();
                const RulerLayout layout = layoutOf(view, look);
                const QImage image = picture(view, look, ratio);
                // One row of pixels under the bar's upper edge: above the labels, so only fills are counted.
                const QRectF row(layout.bar.left(), layout.bar.top() + 1.0, layout.bar.width(), 1.0);
                const auto width = [&](Role role) {
                    const QRectF line(row.left(), row.top(), row.width(), 1.0 / ratio);
                    return countColour(image, line, look.colour(role)) / ratio;
                };
                const double perByte = layout.bar.width() / static_cast<double>(layout.axisEnd.value);
                QVERIFY(std::abs(width(Role::Keep) - perByte * static_cast<double>(view.saved.value)) <= 2.5);
                QVERIFY(std::abs(width(Role::Optimizer) - perByte * static_cast<double>(view.optimizer.value)) <= 2.5);
                QVERIFY(std::abs(width(Role::Weights) - perByte * static_cast<double>(view.weights.value)) <= 2.5);
                QVERIFY(width(Role::Peak) > 5.0);
            }
    }

    void redHatchFillsTheBarFromBudgetToLeastAndOnlyThen()
    {
        for (const double ratio : {1.0, 2.0}) {
            const Theme look = theme(Lightness::Light);
            const RulerView fits = ruler(), over = ruler(1.0, 1.1);
            const QImage good = picture(fits, look, ratio), bad = picture(over, look, ratio);
            QCOMPARE(countColour(good, good.rect(), look.colour(Role::Over)), 0);
            const RulerLayout layout = layoutOf(over, look);
            const double from = layout.xOf(over.budget) + 3.0, to = layout.xOf(over.least) - 1.0;
            const QRectF hatched(from, layout.bar.top() + 1.0, to - from, layout.bar.height() - 2.0);
            QVERIFY(countColour(bad, hatched, look.colour(Role::Over)) > 20);
            // Hatch and not a solid fill: full-strength line on well below the whole area.
            QVERIFY(countColour(bad, hatched, look.colour(Role::Over))
                < 0.7 * ratio * ratio * hatched.width() * hatched.height());
            const QRectF beyond(to + 3.0, layout.bar.top(), 60.0, layout.bar.height());
            QCOMPARE(countColour(bad, beyond, look.colour(Role::Over)), 0);
        }
    }

    void theRingSitsOnTheCurve()
    {
        const Theme look = theme(Lightness::Light);
        const RulerView view = ruler();
        const RulerLayout layout = layoutOf(view, look);
        const QImage image = picture(view, look);
        const double x = layout.xOf(view.budget);
        const double y = layout.yOf(*extraTimeAt(view, view.budget), view.frontier.front().extraTime);
        // Its inside is panel, its rim the text colour.
        QCOMPARE(image.pixelColor(int(std::round(x)), int(std::round(y))), look.colour(Role::Panel));
        QVERIFY(countColour(image, QRectF(x - 7, y - 7, 14, 14), look.colour(Role::Text)) > 10);
    }

    void theTagStaysInsideAtBothEnds()
    {
        const Theme look = theme(Lightness::Light);
        for (const double budget : {0.0, 1.45, 3.5, 5.9, 24.0, 1000.0}) {
            const QImage image = picture(ruler(1.0, budget), look, 1.0);
            const Role role = budget < 1.45 ? Role::Over : Role::Text;
            const QRectF edgeLeft(0, 80, 2, 18), edgeRight(kSize.width() - 1, 80, 1, 18);
            QVERIFY(countColour(image, image.rect(), look.colour(role)) > 500);
            QCOMPARE(countColour(image, edgeRight, look.colour(role)), 0);
            QCOMPARE(countColour(image, edgeLeft, look.colour(role)), 0);
        }
    }

    void aRepaintIsMuchShorterThanAFrame()
    {
        // The design's limit: ruler and grid together stay far below a 16.7 ms frame.  The best of ten, because the
        // machine may be busy.
        const Theme look = theme(Lightness::Light);
        const RulerView view = ruler(1.0, 3.5, 3000);
        double best = 1e9;
        QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
        for (int i = 0; i < 10; ++i) {
            QElapsedTimer timer;
            timer.start();
            QPainter painter(&image);
            paintRuler(painter, QRectF(QPointF(), QSizeF(kSize)), view, look);
            painter.end();
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        qInfo("ruler, 3000 plans, 1x: %.2f ms", best);
        QVERIFY(best < 5.0);
    }
};

QTEST_MAIN(RulerPainterTest)
#include "ruler_painter_test.moc"
