// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/ui/state_fixture.h"
#include "tests/ui/widget_pictures.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/sweep_panel.h"
#include "ui/theme/format.h"
#include "ui/widgets/sweep_map_widget.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

/// Results written by hand in the words of docs/file-formats.md: 2 models x 3 batches x 2 strategies at one budget.
QByteArray results()
{
    QByteArray points;
    int number = 0;
    for (const char* model : {"gpt2", "gpt2-medium"})
        for (const int batch : {1, 2, 4})
            for (const char* strategy : {"optimal", "full"}) {
                const QByteArray flags = QByteArray(R"({"model": ")") + model + R"(", "batch": ")"
                    + QByteArray::number(batch) + R"(", "strategy": ")" + strategy + R"("})";
                QByteArray row = R"({"fits": true, "peak_bytes": 1073741824, "extra_time": 0.)"
                    + QByteArray::number(100 + number)
                    + R"(, "step_ns": 2000000, "samples_per_second": 500, "flags": )";
                if (number == 9)
                    row = R"({"fits": false, "least_budget_bytes": 9663676416, "flags": )";
                if (number == 11)
                    row = R"({"fits": false, "problem": {"message": "too long"}, "flags": )";
                points += (number++ ? "," : "") + row + flags + "}";
            }
    return R"({"format": "remat-sweep", "version": 1, "grid": {"format": "remat-grid", "version": 1,
        "axes": {"model": ["gpt2", "gpt2-medium"], "batch": [1, 2, 4], "strategy": ["optimal", "full"]},
        "flags": {"device": "l4", "budget": "8GiB", "precision": "half"}}, "points": [)"
        + points + "]}";
}

} // namespace

/// The results of a sweep as a map: what stands where, what a pointer reads, what a click opens.
class SweepMapTest : public QObject {
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

    void openedResultsBecomeAMap()
    {
        QVERIFY(!m_window->bottomTabs().openPages().contains(QStringLiteral("sweepMap")));
        open();
        QVERIFY(m_window->bottomTabs().openPages().contains(QStringLiteral("sweepMap")));
        const SweepMapView& view = map().view();
        QCOMPARE(view.xTitle, QStringLiteral("batch"));
        QCOMPARE(view.xValues, (QStringList{"1", "2", "4"}));
        QCOMPARE(view.yTitle, QStringLiteral("strategy"));
        QCOMPARE(view.yValues, (QStringList{"optimal", "full"}));
        // The third axis shows its first value: points 0, 2, 4 below, 1, 3, 5 above.
        QCOMPARE(view.at({2, 0})->extraTime.value(), 0.104);
        QCOMPARE(view.at({1, 1})->extraTime.value(), 0.103);
        QComboBox* model = panel().fieldOf(QStringLiteral("model"));
        QVERIFY(model);
        model->setCurrentIndex(1);
        emit model->activated(1);
        QCOMPARE(map().view().at({0, 0})->extraTime.value(), 0.106);
        QVERIFY(!map().view().at({1, 1})->fits);
        QCOMPARE(map().view().at({2, 1})->problem, std::string("too long"));
        // The same axis twice: the other one gives way.
        panel().across().setCurrentIndex(panel().up().currentIndex());
        emit panel().across().activated(panel().up().currentIndex());
        QVERIFY(panel().across().currentIndex() != panel().up().currentIndex());
    }

    void thePointIsReadOut()
    {
        open();
        QTest::keyClick(&map(), Qt::Key_Right);
        QTest::keyClick(&map(), Qt::Key_Right);
        QTest::keyClick(&map(), Qt::Key_Up);
        const QString text = map().readout();
        for (const QString& part : {QStringLiteral("strategy full"), QStringLiteral("batch 2"),
                 NumberFormat().percent(0.103), NumberFormat().bytes({1 << 30})})
            QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(map().accessibleDescription(), text);
        panel().fieldOf(QStringLiteral("model"))->setCurrentIndex(1);
        emit panel().fieldOf(QStringLiteral("model"))->activated(1);
        const auto at = [&](QPoint cell) {
            moveTo(map().shownLayout().cellRect(cell).center());
            return map().readout();
        };
        QVERIFY(at({1, 1}).contains(NumberFormat().bytes({std::int64_t{9} << 30})));
        QVERIFY(at({2, 1}).contains(QStringLiteral("too long")));
        moveTo({1, 1});
        QVERIFY(!map().readout().contains(QStringLiteral("too long")));
    }

    /// A click takes model, batch, strategy, budget, device and precision: the point's own flags.
    void aClickOpensThePoint()
    {
        open();
        const Inputs before = m_window->state().inputs();
        const QPointF at = map().shownLayout().cellRect({2, 1}).center();
        QTest::mouseClick(&map(), Qt::LeftButton, {}, at.toPoint());
        const Inputs& inputs = m_window->state().inputs();
        QCOMPARE(inputs.shape.name, std::string("gpt2"));
        QCOMPARE(inputs.setup.batch, 4);
        QCOMPARE(inputs.setup.sequence, 1024); // the command line's default for GPT-2
        QCOMPARE(inputs.setup.device, std::string("l4"));
        QVERIFY(inputs.setup.precision == Precision::Half);
        QCOMPARE(inputs.budget, Bytes{std::int64_t{8} << 30});
        QVERIFY(inputs.strategy == Strategy{Strategy::Kind::Full});
        QVERIFY(waitForAnswer(m_window->state()));
        QVERIFY(!m_window->state().answer()->inputError);
        m_window->state().undoStack().undo();
        QVERIFY(m_window->state().inputs() == before);
    }

    void whatTheWindowCannotShowIsSaid()
    {
        QByteArray text = results();
        text.replace(R"("precision": "half")", R"("pin": "L3=keep")");
        open(text);
        const Inputs before = m_window->state().inputs();
        QTest::mouseClick(&map(), Qt::LeftButton, {}, map().shownLayout().cellRect({0, 0}).center().toPoint());
        QVERIFY(m_window->state().inputs() == before);
        QVERIFY(m_window->bottomTabs().lastLogLines(1).join(u' ').contains(QStringLiteral("--pin")));
        // A file that is none leaves the map as it is.
        text.replace("\"points\": [", "\"points\": [{},");
        QVERIFY(!m_window->openFile(write(text)));
        QCOMPARE(panel().table().points.size(), std::size_t{12});
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks()) {
            SweepPanel shown(pictures::themed(lightness));
            shown.resize(560, 240);
            shown.setTable(parseSweepResults(results().toStdString(), "r").value());
            shown.fieldOf(QStringLiteral("model"))->setCurrentIndex(1);
            emit shown.fieldOf(QStringLiteral("model"))->activated(1);
            shown.show();
            QCoreApplication::processEvents();
            const QImage image = pictures::of(shown, ratio);
            QVERIFY(pictures::colourCount(image) > 10);
            pictures::save(image, QStringLiteral("sweep-map") + suffix);
        }
    }

private:
    QString write(const QByteArray& text)
    {
        const QString path = m_folder.filePath(QStringLiteral("grid.sweep.json"));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
    }
    void open(const QByteArray& text = results())
    {
        const Result<bool> opened = m_window->openFile(write(text));
        QVERIFY2(opened && *opened, opened ? "" : qPrintable(QString::fromStdString(englishSentence(opened.error()))));
        QCoreApplication::processEvents();
    }
    SweepPanel& panel() { return m_window->bottomTabs().sweep(); }
    SweepMapWidget& map() { return panel().map(); }
    void moveTo(QPointF at)
    {
        QMouseEvent move(QEvent::MouseMove, at, map().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&map(), &move);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(SweepMapTest)
#include "sweep_map_test.moc"
