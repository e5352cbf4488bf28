// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QtTest/QTest>

#include "ui/forms/choice_field.h"
#include "ui/forms/collapsible_group.h"
#include "ui/forms/form_text.h"
#include "ui/forms/inline_strip.h"
#include "ui/forms/integer_slider.h"
#include "ui/forms/primary_action.h"
#include "ui/forms/size_field.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;

namespace {

void enter(SizeField& field, const QString& text)
{
    field.edit().selectAll();
    QTest::keyClicks(&field.edit(), text);
    QTest::keyClick(&field.edit(), Qt::Key_Return);
}

/// The left column of the window, in miniature.
struct Column {
    explicit Column(const Theme& look, bool chinese = false)
    {
        const auto say = [&](const char* english, const char* inChinese) {
            return QString::fromUtf8(chinese ? inChinese : english);
        };
        card.setProperty("card", true);
        layout = new QVBoxLayout(&card);
        layout->setContentsMargins(12, 10, 12, 10);
        layout->setSpacing(static_cast<int>(look.px(6)));
        auto* model = new GroupHeading(say("GPU and budget", "显卡与预算"), look);
        model->setFirst(true);
        layout->addWidget(model);
        budget = new SizeField(say("Budget", "预算"), look);
        budget->setValue(3584_MiB);
        budget->setRange(1_MiB, 24_GiB);
        layout->addWidget(budget);
        layout->addWidget(new HintLine(say("12 layers · C 768 · 12 heads", "12 层 · C 768 · 12 头"), look));
        auto* group = new CollapsibleGroup(say("Training step", "训练步"), look);
        batch = new IntegerSlider(say("Batch", "批大小"), look);
        batch->setRange(1, 1024);
        batch->setValue(16);
        sequence = new IntegerSlider(say("Sequence", "序列长度"), look);
        sequence->setRange(128, 131072, true);
        sequence->setValue(1024);
        precision = new ChoiceField(say("Precision", "精度"), look);
        precision->setChoices({{QStringLiteral("half"), QStringLiteral("bf16")},
            {QStringLiteral("amp"), QStringLiteral("bf16 AMP")}, {QStringLiteral("fp32"), QStringLiteral("fp32")}});
        precision->setCurrentKey(QStringLiteral("amp"));
        for (QWidget* row : std::initializer_list<QWidget*>{batch, sequence, precision})
            group->addRow(row);
        layout->addWidget(group);
        alignLabels({budget, batch, sequence, precision});
        strip = new InlineStrip(look);
        strip->setStripView({StripKind::Error,
            say("Two pins keep it above the budget: layer 2 and layer 3 attention.",
                "两个固定使其超出预算：第 2 层和第 3 层的注意力。"),
            {say("Release 2 pins", "解除 2 个固定"), say("Batch 14 fits", "批大小 14 放得下")}});
        layout->addWidget(strip);
        warning = new InlineStrip(look);
        warning->setStripView(
            {StripKind::Warning, say("The driver is too old.", "驱动程序太旧。"), {say("Details", "详情")}});
        layout->addWidget(warning);
        info = new InlineStrip(look);
        info->setStripView({StripKind::Info, say("Solved at the least memory.", "已按最低显存求解。"), {}});
        layout->addWidget(info);
        layout->addStretch(1);
        run = new PrimaryAction(look);
        run->setAction(say("Run for real (CPU)", "真实运行 (CPU)"), say("about 9 s and 3.6 GiB", "约 9 秒，3.6 GiB"));
        layout->addWidget(run);
        card.resize(static_cast<int>(look.px(236)), static_cast<int>(look.px(520)));
    }

    QFrame card;
    QVBoxLayout* layout;
    SizeField* budget;
    IntegerSlider* batch;
    IntegerSlider* sequence;
    ChoiceField* precision;
    InlineStrip* strip;
    InlineStrip* warning;
    InlineStrip* info;
    PrimaryAction* run;
};

} // namespace

/// Inputs of the left column, driven by keys and mouse as a person would.
class FieldsFormTest : public QObject {
    Q_OBJECT
private slots:
    void sizesAreReadInEveryUnit_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("bytes");
        // 1 GiB = 1073741824 B, 1 GB = 10^9 B.
        QTest::addRow("GiB") << QStringLiteral("8GiB") << qint64{8'589'934'592};
        QTest::addRow("spaces") << QStringLiteral("  2.5 GiB ") << qint64{2'684'354'560};
        QTest::addRow("GB") << QStringLiteral("24 GB") << qint64{24'000'000'000};
        QTest::addRow("a bare number takes the shown unit") << QStringLiteral("4") << qint64{4'294'967'296};
        QTest::addRow("bytes") << QStringLiteral("1234 B") << qint64{1234};
    }
    void sizesAreReadInEveryUnit()
    {
        QFETCH(QString, typed);
        QFETCH(qint64, bytes);
        SizeField field(QStringLiteral("Budget"), pictures::themed(Lightness::Light));
        field.setValue(3_GiB);
        QSignalSpy edited(&field, &SizeField::valueEdited);
        enter(field, typed);
        QCOMPARE(field.value().value, bytes);
        QCOMPARE(edited.count(), 1);
        QVERIFY(!field.hasError());
    }

    void aBadSizeKeepsTheLastGoodOne()
    {
        SizeField field(QStringLiteral("Budget"), pictures::themed(Lightness::Light));
        field.resize(212, 60);
        field.show();
        field.setRange(1_MiB, 24_GiB);
        field.setValue(3584_MiB);
        QCOMPARE(field.edit().text(), QStringLiteral("3.50 GiB"));
        QSignalSpy edited(&field, &SizeField::valueEdited);
        for (const char* bad : {"lots", "8 GiBs", "-3 GiB", "nan GiB", "25 GiB", "12 B"}) {
            enter(field, QString::fromLatin1(bad));
            QVERIFY2(field.hasError(), bad);
            QVERIFY(!field.errorLine().isEmpty());
            QVERIFY(field.edit().property("bad").toBool());
            QCOMPARE(field.edit().text(), QString::fromLatin1(bad));
            QCOMPARE(field.value(), 3584_MiB);
        }
        field.edit().clear();
        field.edit().setModified(true);
        QTest::keyClick(&field.edit(), Qt::Key_Return);
        QVERIFY(field.hasError());
        QCOMPARE(edited.count(), 0);
        // The state refreshes with the old value: what is being corrected stays.
        field.setValue(3584_MiB);
        QVERIFY(field.hasError());
        QTest::keyClick(&field.edit(), Qt::Key_Escape);
        QVERIFY(!field.hasError());
        QCOMPARE(field.edit().text(), QStringLiteral("3.50 GiB"));
        enter(field, QStringLiteral("bad"));
        enter(field, QStringLiteral("2 GiB"));
        QVERIFY(!field.hasError());
        QVERIFY(!field.edit().property("bad").toBool());
        QCOMPARE(edited.count(), 1);
    }

    void lookingAtASizeDoesNotChangeIt()
    {
        // 3.4372 GiB has more digits than are shown; Enter on an untouched field
        // must not round it.
        SizeField field(QStringLiteral("Budget"), pictures::themed(Lightness::Light));
        const Bytes exact{3'690'664'345};
        field.setValue(exact);
        QSignalSpy edited(&field, &SizeField::valueEdited);
        QTest::keyClick(&field.edit(), Qt::Key_Return);
        QCOMPARE(field.value(), exact);
        QCOMPARE(edited.count(), 0);
    }

    void sliderStopsAreRoundAndLogarithmic()
    {
        const std::vector<int> stops = sliderStops(1, 1024, false);
        QCOMPARE(stops.front(), 1);
        QCOMPARE(stops.back(), 1024);
        for (int whole = 1; whole <= 32; ++whole)
            QVERIFY(std::count(stops.begin(), stops.end(), whole) == 1);
        // 16 stops in every octave above 16: 32 ... 64 in twos, 512 ... 1024 in
        // 32s.
        QCOMPARE(std::count_if(stops.begin(), stops.end(), [](int s) { return s > 512; }), 16);
        QVERIFY(std::adjacent_find(stops.begin(), stops.end(), std::greater_equal<>()) == stops.end());
        QCOMPARE(sliderStops(128, 131072, true),
            (std::vector<int>{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072}));
        QCOMPARE(sliderStops(100, 300, true), (std::vector<int>{100, 128, 256, 300}));
        QCOMPARE(sliderStops(5, 5, false), std::vector<int>{5});
        QCOMPARE(sliderStops(1, 2'147'483'647, false).back(), 2'147'483'647);
    }

    void aDragIsLiveAndEndsOnce()
    {
        IntegerSlider field(QStringLiteral("Batch"), pictures::themed(Lightness::Light));
        field.setRange(1, 1024);
        field.setValue(16);
        QCOMPARE(field.spin().value(), 16);
        field.resize(300, 30);
        field.show();
        QSignalSpy edited(&field, &IntegerSlider::valueEdited);
        field.slider().setSliderDown(true);
        field.slider().setSliderPosition(20);
        field.slider().setSliderPosition(40);
        QCOMPARE(edited.count(), 2);
        QVERIFY(edited[0][1].toBool() && edited[1][1].toBool());
        // A late refresh with an older value does not move the hand.
        field.setValue(21);
        QCOMPARE(field.slider().value(), 40);
        field.slider().setSliderPosition(41);
        field.slider().setSliderDown(false);
        QCOMPARE(edited.last()[1].toBool(), false);
        QCOMPARE(edited.last()[0].toInt(), field.value());
        QCOMPARE(std::count_if(edited.begin(), edited.end(), [](const QVariantList& e) { return !e[1].toBool(); }), 1);
    }

    void typedNumbersNeedNotBeStops()
    {
        IntegerSlider field(QStringLiteral("Sequence"), pictures::themed(Lightness::Light));
        field.setRange(128, 131072, true);
        QSignalSpy edited(&field, &IntegerSlider::valueEdited);
        field.spin().selectAll();
        QTest::keyClicks(&field.spin(), QStringLiteral("1000"));
        QCOMPARE(edited.count(), 0);
        QTest::keyClick(&field.spin(), Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(field.value(), 1000);
        QCOMPARE(field.slider().value(), 3); // 1024 is the nearest stop
        field.setValue(2048);
        QCOMPARE(edited.count(), 1);
    }

    void choicesAreKnownByKey()
    {
        ChoiceField field(QStringLiteral("Precision"), pictures::themed(Lightness::Light));
        const QList<Choice> choices{{QStringLiteral("half"), QStringLiteral("bf16")},
            {QStringLiteral("amp"), QStringLiteral("bf16 AMP"), QStringLiteral("not in the runtime profile"), false},
            {QStringLiteral("fp32"), QStringLiteral("fp32")}};
        field.setChoices(choices);
        QSignalSpy edited(&field, &ChoiceField::choiceEdited);
        field.setCurrentKey(QStringLiteral("fp32"));
        QCOMPARE(field.currentKey(), QStringLiteral("fp32"));
        field.setChoices(choices);
        QCOMPARE(field.currentKey(), QStringLiteral("fp32"));
        QCOMPARE(edited.count(), 0);
        QTest::keyClick(&field.combo(), Qt::Key_Up); // the disabled one is skipped
        QCOMPARE(edited.takeFirst(), QVariantList{QStringLiteral("half")});
    }

    void theWheelScrollsPastFieldsWithoutFocus()
    {
        ChoiceField field(QStringLiteral("Precision"), pictures::themed(Lightness::Light));
        field.setChoices({{QStringLiteral("a"), QStringLiteral("a")}, {QStringLiteral("b"), QStringLiteral("b")}});
        field.setCurrentKey(QStringLiteral("a"));
        QWheelEvent wheel({5, 5}, {5, 5}, {}, {0, -120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&field.combo(), &wheel);
        QCOMPARE(field.currentKey(), QStringLiteral("a"));
        QVERIFY(!wheel.isAccepted());
    }

    void everyInputHasANameAndABuddy()
    {
        Column column(pictures::themed(Lightness::Light));
        for (FieldRow* row : column.card.findChildren<FieldRow*>()) {
            auto* label = row->findChild<QLabel*>();
            QVERIFY(label->buddy());
            QCOMPARE(label->buddy()->accessibleName(), row->label());
        }
        QCOMPARE(column.batch->slider().accessibleName(), QStringLiteral("Batch"));
        QCOMPARE(column.strip->accessibleName(), column.strip->stripView().sentence);
    }

    void groupsFold()
    {
        CollapsibleGroup group(QStringLiteral("Training step"), pictures::themed(Lightness::Light));
        auto* row = new QLabel(QStringLiteral("row"));
        group.addRow(row);
        group.show();
        QVERIFY(row->isVisible());
        QSignalSpy toggled(&group, &CollapsibleGroup::openToggled);
        QTest::mouseClick(group.findChild<QAbstractButton*>(), Qt::LeftButton);
        QVERIFY(!row->isVisible());
        QCOMPARE(toggled.takeFirst(), QVariantList{false});
        group.setOpen(true);
        QVERIFY(row->isVisible());
        QCOMPARE(toggled.count(), 0);
    }

    void stripsOfferAtMostTwoCures()
    {
        InlineStrip strip(pictures::themed(Lightness::Light));
        QVERIFY(strip.isHidden());
        strip.setStripView({StripKind::Error, QStringLiteral("Two pins keep it above the budget."),
            {QStringLiteral("Release 2 pins"), QStringLiteral("Batch 14 fits")}});
        QVERIFY(!strip.isHidden());
        strip.resize(700, strip.heightForWidth(700));
        QSignalSpy triggered(&strip, &InlineStrip::actionTriggered);
        QTest::mouseClick(&strip.button(1), Qt::LeftButton);
        QCOMPARE(triggered.takeFirst(), QVariantList{1});
        QVERIFY(strip.heightForWidth(236) > strip.heightForWidth(700));
        strip.setStripView({StripKind::Info, QStringLiteral("Solved."), {}});
        QVERIFY(strip.button(0).isHidden() && strip.button(1).isHidden());
        strip.clear();
        QVERIFY(strip.isHidden());
    }

    void nothingInAStripOverlaps()
    {
        InlineStrip strip(pictures::themed(Lightness::Light));
        strip.setStripView(
            {StripKind::Error, QStringLiteral("Two pins keep it above the budget: layer 2 and layer 3 attention."),
                {QStringLiteral("Release 2 pins"), QStringLiteral("Batch 14 fits")}});
        for (int width : {236, 320, 420, 700, 1100}) {
            strip.resize(width, strip.heightForWidth(width));
            const QRect text = strip.findChild<QLabel*>()->geometry();
            for (int i = 0; i < 2; ++i) {
                QVERIFY2(strip.rect().contains(strip.button(i).geometry()), qPrintable(QString::number(width)));
                QVERIFY(!text.intersects(strip.button(i).geometry()));
            }
            QVERIFY(strip.rect().contains(text));
        }
    }

    void aStripInAColumnGetsTheHeightItNeeds()
    {
        Column column(pictures::themed(Lightness::Light));
        column.card.resize(236, 700);
        column.card.show();
        QCoreApplication::processEvents();
        for (const InlineStrip* strip : {column.strip, column.warning, column.info})
            QCOMPARE(strip->height(), strip->heightForWidth(strip->width()));
    }

    void theMainActionSaysWhyItIsOff()
    {
        PrimaryAction run(pictures::themed(Lightness::Light));
        run.setAction(QStringLiteral("Run for real"), QStringLiteral("only plans of the runtime profile run"), false);
        QSignalSpy triggered(&run, &PrimaryAction::triggered);
        QTest::mouseClick(&run.button(), Qt::LeftButton);
        QCOMPARE(triggered.count(), 0);
        QCOMPARE(run.button().accessibleDescription(), run.subLine());
        run.setAction(QStringLiteral("Run for real"), QStringLiteral("about 9 s"));
        QTest::mouseClick(&run.button(), Qt::LeftButton);
        QCOMPARE(triggered.count(), 1);
    }

    void labelsShareOneColumn()
    {
        for (bool projector : {false, true}) {
            Column column(pictures::themed(Lightness::Light, projector));
            column.card.show();
            QCoreApplication::processEvents();
            const int left = column.precision->combo().mapTo(&column.card, QPoint()).x();
            QCOMPARE(column.budget->edit().mapTo(&column.card, QPoint()).x(), left);
            for (QLabel* label : column.card.findChildren<QLabel*>())
                if (label->buddy())
                    QVERIFY(label->fontMetrics().horizontalAdvance(label->text()) <= label->width());
        }
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks())
            for (int variant = 0; variant < 3; ++variant) {
                const Theme look = pictures::themed(lightness, variant == 2);
                Column column(look, variant == 1);
                column.card.show();
                enter(*column.budget, variant == 1 ? QStringLiteral("4 GiB") : QStringLiteral("lots"));
                QCoreApplication::processEvents();
                const QImage image = pictures::of(column.card, ratio);
                QVERIFY(pictures::colourCount(image) > 10);
                pictures::save(image,
                    QStringLiteral("form-%1").arg(variant == 0 ? QStringLiteral("english")
                            : variant == 1                     ? QStringLiteral("chinese")
                                                               : QStringLiteral("projector"))
                        + suffix);
            }
    }
};

QTEST_MAIN(FieldsFormTest)
#include "fields_form_test.moc"
