// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/looks/look_faults.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include "tests/ui/widget_pictures.h"
#include "ui/looks/drawn_texts.h"
#include "ui/widgets/painted_widget.h"

using namespace remat::ui;

namespace {

/// Paints what a test says.
class Canvas : public PaintedWidget {
public:
    Canvas(const Theme& theme, std::function<void(QPainter&)> paint) : PaintedWidget(theme), m_paint(std::move(paint))
    {
        setObjectName(QStringLiteral("Canvas"));
        resize(200, 80);
    }

protected:
    void paintContent(QPainter& painter, const QRegion&) override { m_paint(painter); }
    quint64 shownGeneration() const override { return 0; }

private:
    std::function<void(QPainter&)> m_paint;
};

} // namespace

/// Each fault that an eye would find in a picture is found, and no other: windows are built with exactly one.
class LookFaultsTest : public QObject {
    Q_OBJECT

    Theme m_theme = pictures::theme(Lightness::Light);

    QStringList faultsOf(QWidget& window)
    {
        window.show();
        return lookFaults(window, m_theme);
    }
    QStringList faultsOf(const std::function<void(QPainter&)>& paint)
    {
        Canvas canvas(m_theme, paint);
        return faultsOf(canvas);
    }

private slots:
    void initTestCase() { m_theme = pictures::themed(Lightness::Light); }

    void aCleanWindowHasNone()
    {
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        rows->addWidget(new QLabel(QStringLiteral("peak 3.44 GiB")));
        rows->addWidget(new QPushButton(QStringLiteral("Open config.json\u2026"))); // an ellipsis that was written
        auto* off = new QPushButton(QStringLiteral("Run"));
        off->setEnabled(false); // pale on purpose
        rows->addWidget(off);
        const QStringList faults = faultsOf(window);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void textsAreReadFromWhateverPaintsThem()
    {
        QLabel label(QStringLiteral("<b>bold</b> plain"));
        label.show();
        QString all;
        for (const DrawnText& text : drawnTexts(label))
            all += text.text + u'|';
        QCOMPARE(all, QStringLiteral("bold| plain|"));
    }

    void aLabelThatIsTooNarrow()
    {
        QWidget window;
        window.resize(200, 40);
        auto* label = new QLabel(QStringLiteral("attention_core"), &window);
        label->setGeometry(0, 0, 40, 20);
        QCOMPARE(faultsOf(window), QStringList{QStringLiteral("QWidget/QLabel: \"attention_core\" is cut off")});
    }

    void aCellThatIsElided()
    {
        QStandardItemModel model(1, 1);
        model.setItem(0, 0, new QStandardItem(QStringLiteral("attention_softmax_statistics")));
        model.setHorizontalHeaderLabels({QStringLiteral("op")});
        QTableView table;
        table.setModel(&model);
        table.verticalHeader()->hide();
        table.setColumnWidth(0, 80);
        const QStringList faults = faultsOf(table);
        QCOMPARE(faults.size(), 1);
        QVERIFY2(faults.front().contains(QStringLiteral("attention")) && faults.front().endsWith(u"is elided"),
            qPrintable(faults.front()));
    }

    void whatIsScrolledAwayIsNoFault()
    {
        QStandardItemModel model(60, 1);
        for (int row = 0; row < 60; ++row)
            model.setItem(row, 0, new QStandardItem(QStringLiteral("op %1").arg(row)));
        QTableView table;
        table.setModel(&model);
        table.resize(200, 133);
        const QStringList faults = faultsOf(table);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void textsOverEachOther()
    {
        const auto paint = [this](QPainter& painter) {
            painter.setPen(m_theme.colour(Role::Text));
            painter.drawText(QPointF(20, 40), QStringLiteral("weights"));
            painter.drawText(QPointF(30, 44), QStringLiteral("gradients"));
        };
        const QStringList faults = faultsOf(paint);
        QVERIFY2(faults.contains(QStringLiteral("Canvas: \"gradients\" lies over \"weights\"")),
            qPrintable(faults.join(u'\n')));
    }

    void aBoxOverHalfOfAText()
    {
        const auto paint = [this](QPainter& painter) {
            painter.setPen(m_theme.colour(Role::Text));
            painter.drawText(QPointF(20, 40), QStringLiteral("weights"));
            painter.fillRect(40, 20, 60, 40, m_theme.colour(Role::Panel));
        };
        QCOMPARE(faultsOf(paint), QStringList{QStringLiteral("Canvas: \"weights\" is partly covered")});
    }

    void aBoxOverAllOfAText()
    {
        const auto paint = [this](QPainter& painter) {
            painter.setPen(m_theme.colour(Role::Text));
            painter.drawText(QPointF(20, 40), QStringLiteral("weights"));
            painter.fillRect(10, 20, 100, 40, m_theme.colour(Role::Window));
            painter.drawText(QPointF(24, 42), QStringLiteral("a readout"));
        };
        QCOMPARE(faultsOf(paint), QStringList());
    }

    /// 3.5 : 1: the contrast of #808a94 on white by WCAG's formula (2.1, relative luminance).
    void paleText()
    {
        const auto paint = [](QPainter& painter) {
            painter.setPen(QColor(0x80, 0x8a, 0x94));
            painter.drawText(QPointF(20, 40), QStringLiteral("pale"));
        };
        QCOMPARE(faultsOf(paint),
            QStringList{QStringLiteral("Canvas: \"pale\" has a contrast of 3.5 (#808a94 on #ffffff)")});
    }

    void smallText()
    {
        const auto paint = [this](QPainter& painter) {
            QFont font = m_theme.font(FontRole::Text);
            font.setPixelSize(9);
            painter.setFont(font);
            painter.setPen(m_theme.colour(Role::Text));
            painter.drawText(QPointF(20, 40), QStringLiteral("small"));
        };
        QCOMPARE(faultsOf(paint), QStringList{QStringLiteral("Canvas: \"small\" has only 9 px")});
    }

    void aPictureOfOneColour()
    {
        QCOMPARE(faultsOf([](QPainter&) {}), QStringList{QStringLiteral("Canvas: is of one colour")});
    }

    void widgetsOverEachOther()
    {
        QWidget window;
        window.resize(300, 60);
        auto* first = new QPushButton(QStringLiteral("Keep"), &window);
        auto* second = new QPushButton(QStringLiteral("Auto"), &window);
        first->setObjectName(QStringLiteral("first"));
        second->setObjectName(QStringLiteral("second"));
        first->setGeometry(0, 0, 100, 30);
        second->setGeometry(90, 0, 100, 30);
        QCOMPARE(faultsOf(window), QStringList{QStringLiteral("QWidget/second: overlaps QWidget/first")});
    }
};

QTEST_MAIN(LookFaultsTest)
#include "look_faults_test.moc"
