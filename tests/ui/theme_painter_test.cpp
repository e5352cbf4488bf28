// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSvgGenerator>
#include <QTabBar>
#include <QtTest/QTest>

#include "sample_views.h"
#include "ui/theme/application_style.h"
#include "ui/theme/format.h"
#include "ui/theme/hatch.h"

using namespace samples;

/// Expected values: the design's palette page, WCAG 2.1's contrast formula, and the hatch's written geometry.
class ThemePainterTest : public QObject {
    Q_OBJECT
private slots:
    void contrastFollowsWcag()
    {
        // WCAG 2.1: black on white is 21:1, and #777777 on white is the well-known 4.48:1 that just fails.
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QVERIFY(std::abs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);
    }

    void textReadsOnEveryGround()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark}) {
            const Theme look = theme(lightness);
            for (const Role ground : {Role::Window, Role::Panel, Role::Field})
                for (const Role text : {Role::Text, Role::Muted})
                    QVERIFY(contrastRatio(look.colour(text), look.colour(ground)) >= 4.5);
            for (const Role word : {Role::Over, Role::Fits, Role::Peak, Role::Keep, Role::Recompute})
                QVERIFY2(contrastRatio(look.colour(word), look.colour(Role::Panel)) >= 4.5,
                    qPrintable(QString::number(int(word))));
            for (const Role fill : {Role::Keep, Role::Peak, Role::Over})
                QVERIFY(contrastRatio(textOn(look.colour(fill)), look.colour(fill)) >= 4.5);
        }
    }

    void fontSizesAreRelativeToTheBase()
    {
        const Theme look = theme(Lightness::Light);
        QCOMPARE(look.fontPixels(FontRole::Verdict), 19);
        QCOMPARE(look.fontPixels(FontRole::Figures), 15);
        QCOMPARE(look.fontPixels(FontRole::Label), 11);
        QCOMPARE(look.fontPixels(FontRole::Tick), 10);
        QVERIFY(look.font(FontRole::Title).bold());
        QCOMPARE(theme(Lightness::Light, true).fontPixels(FontRole::Text), 18);
        QCOMPARE(theme(Lightness::Light, true).px(98), 147.0);
        QFont small(QStringLiteral("DejaVu Sans"));
        small.setPixelSize(10);
        QCOMPARE(Theme(Lightness::Light, small).fontPixels(FontRole::Tick), 10);
    }

    void aCjkFamilyStandsSecond()
    {
        const QStringList families = theme(Lightness::Light).font(FontRole::Text).families();
        QCOMPARE(families.first(), QStringLiteral("DejaVu Sans"));
        QVERIFY2(!QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty(),
            "no CJK font is installed: ./dev test installs fonts-noto-cjk");
        QVERIFY(families.size() >= 2);
        QVERIFY(QFontDatabase::writingSystems(families.at(1)).contains(QFontDatabase::SimplifiedChinese));
        Theme chinese = theme(Lightness::Light);
        chinese.setCjkText(true);
        QVERIFY(chinese.minimumRowHeight() >= 1.5 * chinese.fontPixels(FontRole::Text));
    }

    void lightnessFollowsTheDesktopUnlessChosen()
    {
        QPalette dark;
        dark.setColor(QPalette::Window, Qt::black);
        dark.setColor(QPalette::WindowText, Qt::white);
        QCOMPARE(Theme::fromDesktop(dark, {}, ThemeChoice::FollowDesktop).lightness(), Lightness::Dark);
        QCOMPARE(Theme::fromDesktop(dark, {}, ThemeChoice::Light).lightness(), Lightness::Light);
        dark.setColor(QPalette::Window, Qt::white);
        dark.setColor(QPalette::WindowText, Qt::black);
        QCOMPARE(Theme::fromDesktop(dark, {}, ThemeChoice::FollowDesktop).lightness(), Lightness::Light);
    }

    void numbersHaveThreeDigitsAUnitAndARealMinus()
    {
        const NumberFormat english{QLocale(QLocale::English)}, german{QLocale(QLocale::German)};
        QCOMPARE(english.bytes(Bytes{3693671874}), QStringLiteral("3.44 GiB"));
        QCOMPARE(german.bytes(Bytes{3693671874}), QStringLiteral("3,44 GiB"));
        QCOMPARE(english.bytes(Bytes{512}), QStringLiteral("512 B"));
        QCOMPARE(english.signedBytes(Bytes{-(1LL << 29)}), QStringLiteral("\u2212512 MiB"));
        QCOMPARE(english.duration(Nanoseconds{28000}), QStringLiteral("28.0 µs"));
        QCOMPARE(english.flops(Flops{1900000000000}), QStringLiteral("1.90 TFLOP"));
        QCOMPARE(english.percent(-0.019), QStringLiteral("\u22121.9 %"));
        QCOMPARE(english.percent(0.034), QStringLiteral("+3.4 %"));
        QCOMPARE(english.percent(0.334), QStringLiteral("+33 %"));
        QCOMPARE(english.percent(-0.0001), QStringLiteral("+0.0 %"));
        QCOMPARE(niceStepAtLeast(0.11), 0.2);
        QCOMPARE(niceStepAtLeast(3.0), 5.0);
        QCOMPARE(niceStepAtLeast(7.0), 10.0);
        QCOMPARE(niceStepAtLeast(2.0), 2.0);
    }

    void hatchCoversItsShareAndNothingOutside()
    {
        const Theme look = theme(Lightness::Light);
        for (const double ratio : {1.0, 1.5, 2.0}) {
            const QRectF area(8, 8, 64, 64);
            const QImage image = render(look, {80, 80}, ratio, [&](QPainter& painter, QRectF) {
                fillHatch(painter, area, look.colour(Role::Recompute), look.colour(Role::RecomputeTint));
            });
            // 1.1 px lines at 45 degrees every 8 px along x: sqrt(2) * 1.1 / 8 of a row is line, and antialiasing
            // spreads each over at most two more pixels.
            const double all = 64.0 * 64.0 * ratio * ratio;
            const double ground = countColour(image, area, look.colour(Role::RecomputeTint)) / all;
            QVERIFY2(ground > 0.45 && ground < 0.83, qPrintable(QString::number(ground)));
            QCOMPARE(countColour(image, QRectF(0, 0, 80, 8), look.colour(Role::Panel)), int(80 * 8 * ratio * ratio));
        }
    }

    void hatchContinuesAcrossNeighbours()
    {
        // The phase belongs to the window: two rectangles side by side look like one.
        const Theme look = theme(Lightness::Light);
        const auto fill = [&](const std::vector<QRectF>& parts) {
            return render(look, {80, 40}, 1.0, [&](QPainter& painter, QRectF) {
                painter.setBrushOrigin(3, 5);
                for (const QRectF& part : parts)
                    fillHatch(painter, part, look.colour(Role::Recompute), look.colour(Role::RecomputeTint));
            });
        };
        QCOMPARE(fill({{0, 0, 33, 40}, {33, 0, 47, 40}}), fill({{0, 0, 80, 40}}));
    }

    void hatchReachesVectorFiles()
    {
        QBuffer buffer;
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize({80, 80});
        {
            QPainter painter(&generator);
            fillHatch(painter, QRectF(0, 0, 64, 64), Qt::red, Qt::white);
        }
        // 64 + 64 px of diagonals at 8 px: 15 lines whose length is above zero.
        QCOMPARE(buffer.data().count("<polyline"), 15);
    }

    void controls()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark}) {
            const Theme look = theme(lightness);
            applyTheme(*qApp, look);
            QFrame card;
            card.setProperty("card", true);
            QFormLayout form(&card);
            QLabel title(QStringLiteral("Training step"));
            title.setProperty("role", QStringLiteral("title"));
            form.addRow(&title);
            QComboBox combo;
            combo.addItem(QStringLiteral("GPT-2 124M"));
            form.addRow(QStringLiteral("Model"), &combo);
            QDoubleSpinBox spin, bad;
            spin.setSuffix(QStringLiteral(" GiB"));
            spin.setValue(3.5);
            bad.setProperty("bad", true);
            form.addRow(QStringLiteral("Budget"), &spin);
            form.addRow(QStringLiteral("Refused"), &bad);
            QSlider slider(Qt::Horizontal);
            slider.setValue(30);
            form.addRow(QStringLiteral("Batch"), &slider);
            QCheckBox on(QStringLiteral("group equal layers")), off(QStringLiteral("blocked"));
            on.setChecked(true);
            form.addRow(&on, &off);
            QPushButton plain(QStringLiteral("Edit shape…")), primary(QStringLiteral("Run for real (CPU)"));
            primary.setProperty("primary", true);
            form.addRow(&plain);
            form.addRow(&primary);
            QTabBar tabs;
            for (const char* name : {"Timeline", "Per layer", "Tensors"})
                tabs.addTab(QString::fromLatin1(name));
            form.addRow(&tabs);
            card.resize(260, 330);
            const QImage image = card.grab().toImage();
            save(image,
                QStringLiteral("controls-%1")
                    .arg(lightness == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark")));
            const auto shows = [&](Role role) { return countColour(image, image.rect(), look.colour(role)); };
            QVERIFY(shows(Role::Panel) > 10000);
            QVERIFY2(shows(Role::Keep) > 2000, "the primary button is in the accent colour");
            QVERIFY2(shows(Role::Over) > 50, "the refused field has a red frame");
        }
        qApp->setStyleSheet({});
    }
};

QTEST_MAIN(ThemePainterTest)
#include "theme_painter_test.moc"
