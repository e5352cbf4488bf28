// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QFile>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QTemporaryDir>

#include "core/base/files.h"
#include "core/plan/plan_file.h"
#include "ui/forms/inline_strip.h"
#include "ui/forms/primary_action.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/model_panel.h"
#include "ui/widgets/ruler_widget.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// The whole window offscreen: files, runs, keys, sizes.
class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_window.reset(); }
    void opensARealConfig();
    void badFilesAreShownInPlace_data();
    void badFilesAreShownInPlace();
    void savesAndOpensADocument();
    void exportedPlanIsReadBack();
    void sessionSurvives();
    void budgetHandleChangesThePlan();
    void runIsShownFromStartToResult();
    void killedWorkerLeavesTheWindowUsable();
    void everyMenuEntryHasTextAndAKeyOfItsOwn();
    void narrowWindowTakesDetailsAsATab();
    void picturesAreWritten();

private:
    MainWindow& window() { return *m_window; }
    FakeLauncher& launcher() { return *m_launcher; }
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    FakeLauncher* m_launcher = nullptr;
};

void MainWindowTest::init()
{
    WindowContext context = plainContext();
    context.sessionPath = m_folder.filePath(QStringLiteral("session.json"));
    context.makeLauncher = [this] {
        auto launcher = std::make_unique<FakeLauncher>();
        m_launcher = launcher.get();
        return launcher;
    };
    m_window = std::make_unique<MainWindow>(context);
    window().resize(1440, 900);
    window().show();
    QVERIFY(waitForAnswer(window().state()));
}

void MainWindowTest::opensARealConfig()
{
    QVERIFY(window().openFile(QStringLiteral(REMAT_TEST_DATA "/configs/bert-base.config.json")));
    QVERIFY(waitForAnswer(window().state()));
    const ModelShape& shape = window().state().inputs().shape;
    QCOMPARE(shape.modelType, std::string("bert"));
    QCOMPARE(shape.layers, 12);
    window().state().undoStack().undo();
    QCOMPARE(window().state().inputs().shape.modelType, std::string("gpt2"));
}

void MainWindowTest::badFilesAreShownInPlace_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("truncated") << QByteArray("{\"model_type\": \"gpt2\", \"n_layer\": ");
    QTest::newRow("no layers") << QByteArray(R"({"model_type": "gpt2", "n_layer": 0})");
    QTest::newRow("a billion layers") << QByteArray(R"({"model_type": "gpt2", "n_layer": 1000000000})");
    QTest::newRow("not a number") << QByteArray(R"({"model_type": "gpt2", "n_layer": NaN})");
    QTest::newRow("other model") << QByteArray(R"({"model_type": "whisper"})");
    QTest::newRow("other JSON") << QByteArray(R"({"hello": 1})");
    QTest::newRow("deep") << QByteArray(200'000, '[');
    QTest::newRow("wrong plan") << QByteArray(R"({"format": "remat-plan", "version": 1, "model": 3})");
}

void MainWindowTest::badFilesAreShownInPlace()
{
    QFETCH(QByteArray, content);
    const Inputs before = window().state().inputs();
    QFile file(m_folder.filePath(QStringLiteral("bad.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QVERIFY(!window().openFile(file.fileName()));
    QVERIFY(window().answerCard().strip().isVisible());
    QVERIFY2(window().answerCard().strip().stripView().sentence.contains(QLatin1String("bad.json")),
        qPrintable(window().answerCard().strip().stripView().sentence));
    QVERIFY(window().state().inputs() == before);
}

void MainWindowTest::savesAndOpensADocument()
{
    window().state().setBudget({310 << 20});
    const Inputs saved = window().state().inputs();
    const QString path = m_folder.filePath(QStringLiteral("document.json"));
    QVERIFY(window().saveDocument(path));
    QVERIFY(window().state().undoStack().isClean());
    window().state().undoStack().undo();
    window().state().undoStack().setClean();
    QVERIFY(window().openFile(path));
    QVERIFY(window().state().inputs() == saved);
    QVERIFY(!window().saveDocument(QStringLiteral("/nonexistent/folder/document.json")));
    QVERIFY(window().answerCard().strip().isVisible());
}

void MainWindowTest::exportedPlanIsReadBack()
{
    const QString path = m_folder.filePath(QStringLiteral("plan.json"));
    QVERIFY(window().exportPlan(path));
    const Result<Plan> plan = readPlan(path.toStdString());
    QVERIFY2(plan, plan ? "" : englishSentence(plan.error()).c_str());
    QCOMPARE(plan->prediction.peak, window().state().answer()->shown->plan.prediction.peak);
}

void MainWindowTest::sessionSurvives()
{
    window().state().setBudget({305 << 20});
    const Inputs inputs = window().state().inputs();
    // No orderly end: what was written shortly after the last edit is what the next window finds.
    const QString path = m_folder.filePath(QStringLiteral("session.json"));
    QTRY_VERIFY(QFileInfo::exists(path));
    QTRY_VERIFY(parseDocument(readFile(path.toStdString()).value(), "session")->inputs == inputs);
    WindowContext context = plainContext();
    context.sessionPath = m_folder.filePath(QStringLiteral("session.json"));
    MainWindow next(context);
    QVERIFY(next.restoreSession());
    QVERIFY(next.state().inputs() == inputs);
    QFile session(context.sessionPath);
    QVERIFY(session.open(QIODevice::WriteOnly));
    session.write("{ damaged");
    session.close();
    MainWindow third(context);
    QVERIFY(!third.restoreSession());
    QVERIFY(waitForAnswer(third.state()));
}

void MainWindowTest::budgetHandleChangesThePlan()
{
    RulerWidget& ruler = window().answerCard().ruler();
    const Bytes before = window().state().answer()->shown->plan.prediction.peak;
    ruler.setFocus();
    QTest::keyClick(&ruler, Qt::Key_Home);
    QVERIFY(waitForAnswer(window().state()));
    QCOMPARE(window().state().answer()->shown->plan.prediction.peak, window().state().answer()->study->leastPeak());
    QTest::keyClick(&ruler, Qt::Key_End);
    QVERIFY(waitForAnswer(window().state()));
    QCOMPARE(window().state().answer()->shown->plan.prediction.reruns, 0);
    QVERIFY(window().state().answer()->shown->plan.prediction.peak > before);
}

void MainWindowTest::runIsShownFromStartToResult()
{
    window().toggleRun();
    QVERIFY(window().runs().isRunning());
    QVERIFY(launcher().request.contains("remat-run-request"));
    emit launcher().outputLine("Welcome to the cluster");
    emit launcher().outputLine(
        R"({"event": "step", "pass": "timing", "i": 1, "n": 3, "seconds": 0.5, "fraction": 0.5, "at": ""})");
    QVERIFY(window().runs().runs().back().row.stage.contains(u'2'));
    window().toggleRun();
    QVERIFY(launcher().wasStopped);
    emit launcher().finished(11, 0);
    QVERIFY(!window().runs().isRunning());
    QCOMPARE(window().runs().runs().back().row.state, RunState::Stopped);
}

void MainWindowTest::killedWorkerLeavesTheWindowUsable()
{
    window().toggleRun();
    emit launcher().finished(0, 9);
    QVERIFY(!window().runs().isRunning());
    const RunRow& row = window().runs().runs().back().row;
    QCOMPARE(row.state, RunState::Failed);
    QVERIFY2(row.stage.contains(u'9') || row.stage.contains(QLatin1String("kill"), Qt::CaseInsensitive),
        qPrintable(row.stage));
    window().toggleRun();
    QVERIFY(window().runs().isRunning());
}

void MainWindowTest::everyMenuEntryHasTextAndAKeyOfItsOwn()
{
    QSet<QString> keys;
    for (QAction* menu : window().menuBar()->actions())
        for (QAction* action : menu->menu()->actions()) {
            if (action->isSeparator())
                continue;
            QVERIFY(!action->text().isEmpty());
            const QString key = action->shortcut().toString();
            QVERIFY2(key.isEmpty() || !keys.contains(key), qPrintable(action->text()));
            if (!key.isEmpty())
                keys.insert(key);
        }
    QVERIFY(keys.size() > 15);
}

void MainWindowTest::narrowWindowTakesDetailsAsATab()
{
    QVERIFY(window().isWide());
    window().resize(1024, 700);
    QTRY_VERIFY(!window().isWide());
    QCOMPARE(window().bottomTabs().left().count(), 8);
    window().resize(1440, 900);
    QTRY_VERIFY(window().isWide());
    QCOMPARE(window().bottomTabs().left().count(), 3);
}

void MainWindowTest::picturesAreWritten()
{
    for (const char* suffix : {"png", "svg", "pdf"}) {
        const QString path = m_folder.filePath(QStringLiteral("board.") + QLatin1String(suffix));
        QVERIFY(window().exportPicture(path));
        QVERIFY(QFileInfo(path).size() > 10'000);
    }
    QVERIFY(!window().exportPicture(QStringLiteral("/nonexistent/board.png")));
}

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
