// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QtTest/QTest>

#include "sample_views.h"

using namespace samples;

namespace {

QImage picture(const VerdictView& view, const Theme& theme, int width, double ratio = 1.0)
{
    return render(theme, {width, int(verdictHeight(theme))}, ratio,
        [&](QPainter& painter, QRectF rect) { paintVerdict(painter, rect, view, theme); });
}

} // namespace

/// Expected words: the design page's examples.
class VerdictPainterTest : public QObject {
    Q_OBJECT
private slots:
    void wordsAnswerTheQuestions()
    {
        VerdictView view;
        view.answer = VerdictView::Answer::Fits;
        view.peak = Bytes{3693671874};
        view.budget = Bytes{3758096384};
        view.extraTime = 0.034;
        view.moreBudget = Bytes{536870912};
        view.moreTime = -0.019;
        const NumberFormat english{QLocale(QLocale::English)};
        VerdictText text = verdictText(view, english);
        QCOMPARE(text.word, QStringLiteral("Fits"));
        QCOMPARE(text.figures, QStringLiteral("peak 3.44 GiB of 3.50 GiB"));
        QCOMPARE(text.price, QStringLiteral("+3.4 % time"));
        QCOMPARE(text.more, QStringLiteral("with 0.50 GiB more: \u22121.9 % time"));
        // 40 MiB would be 0.04 of the budget's unit: two digits short.
        view.moreBudget = Bytes{41943040};
        QCOMPARE(verdictText(view, english).more, QStringLiteral("with 40.0 MiB more: \u22121.9 % time"));
        view.answer = VerdictView::Answer::DoesNotFit;
        view.least = Bytes{225056305971};
        view.budget = Bytes{197783243980};
        text = verdictText(view, english);
        QCOMPARE(text.word, QStringLiteral("Does not fit"));
        QCOMPARE(text.figures, QStringLiteral("least possible 210 GiB, budget 184 GiB"));
        QVERIFY(text.more.isEmpty());
        view.answer = VerdictView::Answer::FitsWithoutRecomputing;
        QCOMPARE(verdictText(view, english).price, QStringLiteral("without recomputing"));
    }

    void colourSaysTheAnswer()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const double ratio : {1.0, 2.0}) {
                const Theme look = theme(lightness);
                VerdictView view = verdict(ruler());
                const QImage fits = picture(view, look, 856, ratio);
                QVERIFY(countColour(fits, fits.rect(), look.colour(Role::Fits)) > 20);
                QCOMPARE(countColour(fits, fits.rect(), look.colour(Role::Over)), 0);
                view.answer = VerdictView::Answer::DoesNotFit;
                const QImage over = picture(view, look, 856, ratio);
                QVERIFY(countColour(over, over.rect(), look.colour(Role::Over)) > 20);
                QCOMPARE(countColour(over, over.rect(), look.colour(Role::Fits)), 0);
                const QString suffix = QStringLiteral("-%1-%2x").arg(int(lightness)).arg(ratio);
                save(fits, QStringLiteral("verdict-fits") + suffix);
                save(over, QStringLiteral("verdict-over") + suffix);
            }
    }

    void theRightEndGivesWayInANarrowLine()
    {
        const Theme look = theme(Lightness::Light);
        const QImage wide = picture(verdict(ruler()), look, 856), narrow = picture(verdict(ruler()), look, 420);
        // Muted is used by the right end alone.
        QVERIFY(countColour(wide, wide.rect(), look.colour(Role::Muted)) > 20);
        QCOMPARE(countColour(narrow, narrow.rect(), look.colour(Role::Muted)), 0);
        QVERIFY(countColour(narrow, narrow.rect(), look.colour(Role::Text)) > 20);
    }
};

QTEST_MAIN(VerdictPainterTest)
#include "verdict_painter_test.moc"
