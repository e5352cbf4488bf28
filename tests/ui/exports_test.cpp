// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QPrinter>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <algorithm>

#include "ui/panels/bottom_tabs.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Distinct colours of a picture below its title, counted on a coarse net; an empty panel has few.
int coloursIn(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = image.height() / 6; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            colours.insert(image.pixel(x, y));
    return static_cast<int>(colours.size());
}

/// The longest drawing of a PDF, inflated: operators of paths, colours and glyphs.
QByteArray pageOf(const QByteArray& pdf)
{
    QByteArray longest;
    for (qsizetype at = pdf.indexOf("stream\n"); at >= 0; at = pdf.indexOf("stream\n", at + 1)) {
        if (pdf.mid(at - 3, 3) == "end")
            continue;
        const qsizetype begin = at + 7, end = pdf.indexOf("endstream", begin);
        QByteArray sized(4, '\0'); // qUncompress() wants the length first; an estimate will do
        sized[1] = 0x10;
        const QByteArray text = qUncompress(sized + pdf.mid(begin, end - begin));
        if (text.size() > longest.size() && text.contains(" re\n"))
            longest = text;
    }
    return longest;
}

/// The cells of one line of a CSV (RFC 4180).
QList<QByteArray> cellsOf(const QByteArray& line)
{
    QList<QByteArray> cells{{}};
    bool isQuoted = false;
    for (const char letter : line)
        if (letter == '"')
            isQuoted = !isQuoted;
        else if (letter == ',' && !isQuoted)
            cells.append(QByteArray());
        else
            cells.back() += letter;
    return cells;
}

} // namespace

/// What leaves the window: every panel in every format, tables for other programs, paper.
class ExportsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_window = std::make_unique<MainWindow>(plainContext());
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(waitForAnswer(m_window->state()));
        m_window->state().setSelection(GridPlace{1, 3});
        QVERIFY(m_window->exportPanels().size() >= 11);
    }
    void cleanupTestCase() { m_window.reset(); }

    void everyPanelInEveryFormat_data()
    {
        QTest::addColumn<QString>("panel");
        QTest::addColumn<QString>("suffix");
        for (const ExportPanel& panel : m_window->exportPanels())
            for (const char* suffix : {"png", "svg", "pdf"})
                QTest::addRow("%s %s", qPrintable(panel.name), suffix) << panel.name << QString::fromLatin1(suffix);
    }

    void everyPanelInEveryFormat()
    {
        QFETCH(QString, panel);
        QFETCH(QString, suffix);
        const QString path = m_folder.filePath(panel + u'.' + suffix);
        const QStringList open = m_window->bottomTabs().openPages();
        const Result<void> written = m_window->exportPanelTo(panel, path);
        QVERIFY2(written, written ? "" : englishSentence(written.error()).c_str());
        QCOMPARE(m_window->bottomTabs().openPages(), open);
        // Title and configuration alone make about five colours of smoothed text; runs and log have little more.
        const bool isPoor = panel == QLatin1String("runs") || panel == QLatin1String("log");
        if (suffix == QLatin1String("png")) {
            const QImage image(path);
            QVERIFY(image.width() > 400 && image.height() > 80);
            QVERIFY2(coloursIn(image) > (isPoor ? 2 : 8), qPrintable(QString::number(coloursIn(image))));
            QCOMPARE(image.text(QStringLiteral("Description")).contains(QStringLiteral("small gpt2")), true);
        } else if (suffix == QLatin1String("svg")) {
            QSvgRenderer svg(path);
            QVERIFY(svg.isValid());
            QImage image(svg.defaultSize(), QImage::Format_ARGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            svg.render(&painter);
            painter.end();
            QVERIFY2(coloursIn(image) > (isPoor ? 2 : 8), qPrintable(QString::number(coloursIn(image))));
            QVERIFY(contentOf(path).contains("small gpt2"));
        } else {
            const QByteArray pdf = contentOf(path);
            QVERIFY(pdf.startsWith("%PDF") && pdf.contains("%%EOF"));
            QVERIFY2(pageOf(pdf).size() > 300, qPrintable(QString::number(pageOf(pdf).size())));
        }
    }

    /// Figures of a table are the planner's own, whole and with a point, whatever the language.
    void tablesSpeakToOtherPrograms()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        const QString path = m_folder.filePath(QStringLiteral("strategies.csv"));
        QVERIFY(m_window->exportPanelTo(QStringLiteral("strategies"), path));
        QLocale::setDefault(QLocale::c());
        const QList<QByteArray> lines = contentOf(path).trimmed().split('\n');
        const std::vector<ComparedStrategy>& compared = m_window->state().answer()->strategies;
        QCOMPARE(lines.size(), static_cast<qsizetype>(compared.size() + slowStrategies().size()) + 1);
        const QList<QByteArray> header = cellsOf(lines.front());
        const qsizetype peak = header.indexOf("peak [B]"), time = header.indexOf("time [ns]"),
                        overhead = header.indexOf("overhead");
        QVERIFY(peak > 0 && time > 0 && overhead > 0);
        std::set<std::int64_t> peaks, expected;
        for (const ComparedStrategy& row : compared)
            if (row.plan)
                expected.insert(row.plan->prediction.peak.value);
        for (const QByteArray& line : lines.mid(1)) {
            const QList<QByteArray> cells = cellsOf(line);
            if (cells.size() != header.size() || cells[peak].isEmpty())
                continue;
            peaks.insert(cells[peak].toLongLong());
            QVERIFY(cells[time].toLongLong() > 0);
            bool isNumber = false;
            (void)cells[overhead].toDouble(&isNumber);
            QVERIFY2(isNumber, cells[overhead].constData());
        }
        // The slow ones join when they are computed.
        QVERIFY(std::includes(peaks.begin(), peaks.end(), expected.begin(), expected.end()));
    }

    void everyTableIsCsv()
    {
        int tables = 0;
        for (const ExportPanel& panel : m_window->exportPanels()) {
            const QString path = m_folder.filePath(panel.name + QStringLiteral(".csv"));
            const Result<void> written = m_window->exportPanelTo(panel.name, path);
            QCOMPARE(static_cast<bool>(written), panel.table != nullptr);
            if (written)
                QVERIFY(contentOf(path).count(',') >= 1);
            tables += panel.table != nullptr;
        }
        QVERIFY(tables >= 4);
    }

    void mistakesAreNamed()
    {
        const auto code = [&](const char* panel, const QString& file) {
            const Result<void> written = m_window->exportPanelTo(QLatin1String(panel), file);
            return written ? std::string() : std::string(written.error().code->name);
        };
        QCOMPARE(code("gird", m_folder.filePath("a.png")), std::string("unknown-panel"));
        QCOMPARE(code("grid", m_folder.filePath("a.jpg")), std::string("unknown-picture"));
        QCOMPARE(code("grid", m_folder.filePath("a.csv")), std::string("panel-no-table"));
        QVERIFY(!code("grid", QStringLiteral("/nonexistent/a.png")).empty());
    }

    void picturesAndTablesAreCopied()
    {
        m_window->activateWindow();
        action("Copy &picture")->trigger();
        QVERIFY(coloursIn(QApplication::clipboard()->image()) > 8);
        m_window->bottomTabs().showPage(QStringLiteral("strategies"));
        action("Copy &table")->trigger();
        const QStringList lines = QApplication::clipboard()->text().trimmed().split(u'\n');
        QCOMPARE(lines.size(),
            static_cast<qsizetype>(m_window->state().answer()->strategies.size() + slowStrategies().size()) + 1);
        QVERIFY(lines.front().contains(u'\t'));
    }

    void panelsArePrinted_data()
    {
        QTest::addColumn<QString>("panel");
        for (const char* panel : {"board", "grid", "timeline", "strategies"})
            QTest::newRow(panel) << QString::fromLatin1(panel);
    }

    void panelsArePrinted()
    {
        QFETCH(QString, panel);
        const QString path = m_folder.filePath(panel + QStringLiteral("-printed.pdf"));
        {
            QPrinter printer(QPrinter::HighResolution);
            printer.setOutputFormat(QPrinter::PdfFormat);
            printer.setOutputFileName(path);
            m_window->printPanel(panel, printer);
        }
        const QByteArray pdf = contentOf(path);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY2(pageOf(pdf).size() > 300, qPrintable(QString::number(pageOf(pdf).size())));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
    }

private:
    QAction* action(const char* text)
    {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text() == QLatin1String(text))
                return action;
        return nullptr;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(ExportsTest)
#include "exports_test.moc"
