// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/random_hands.h"

#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include "core/run/process_memory.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

/// The count of a random test: short for every day, long where REMAT_LONG=1 asks for it.
int countOf(int usual, int longOne)
{
    return qEnvironmentVariableIntValue("REMAT_LONG") == 1 ? longOne : usual;
}

quint32 seedOf()
{
    bool isGiven = false;
    const int given = qEnvironmentVariableIntValue("REMAT_SEED", &isGiven);
    return isGiven ? static_cast<quint32>(given) : 20261130u;
}

} // namespace

/// Random hands: edits that undo and redo to the byte, and a monkey that finds no way to crash, hang or lose a
/// document.
class MonkeyTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        WindowContext context = plainContext();
        context.settings = m_settings.get();
        context.sessionPath = m_folder->filePath(QStringLiteral("session.json"));
        context.configurationFolder = m_folder->filePath(QStringLiteral("configuration")).toStdString();
        m_window = std::make_unique<MainWindow>(context);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(waitForAnswer(m_window->state()));
        m_hands = std::make_unique<RandomHands>(*m_window, m_folder->path(), seedOf());
    }
    void cleanup()
    {
        m_hands.reset();
        m_window.reset();
    }

    void undoAndRedoAreExact();
    void aMonkeyDoesNoHarm();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<RandomHands> m_hands;
};

void MonkeyTest::undoAndRedoAreExact()
{
    ExplorerState& state = m_window->state();
    const std::string first = documentText(state.document());
    const int edits = countOf(500, 5000);
    for (int i = 0; i < edits; ++i) {
        m_hands->edit();
        if (i % 50 == 0)
            QCoreApplication::processEvents();
    }
    const std::string last = documentText(state.document());
    QVERIFY(last != first);
    QUndoStack& stack = state.undoStack();
    const int steps = stack.index();
    QVERIFY2(steps > edits / 2, qPrintable(QString::number(steps)));
    std::vector<std::string> way;
    while (stack.canUndo()) {
        way.push_back(documentText(state.document()));
        stack.undo();
    }
    QCOMPARE(documentText(state.document()), first);
    QCOMPARE(static_cast<int>(way.size()), steps);
    // The way back up passes every state that the way down passed.
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
        stack.redo();
        QCOMPARE(documentText(state.document()), *at);
    }
    QVERIFY(!stack.canRedo());
    QCOMPARE(documentText(state.document()), last);
}

void MonkeyTest::aMonkeyDoesNoHarm()
{
    m_hands->beImpatient();
    const QString home = QDir::currentPath();
    QDir::setCurrent(m_folder->path()); // what it saves by chance lies there

    const int steps = countOf(1000, 20'000);
    qint64 longest = 0;
    for (int step = 0; step < steps; ++step) {
        QElapsedTimer timer;
        timer.start();
        m_hands->step();
        longest = std::max(longest, timer.elapsed());
        if (step % 1000 == 999)
            if (const std::optional<ProcessMemory> memory = readProcessMemory())
                qInfo("%d steps, resident %lld MiB, at most %lld MiB", step + 1,
                    static_cast<long long>(memory->resident.value >> 20),
                    static_cast<long long>(memory->peakResident.value >> 20));
        // Never a state that could not be saved and opened again.
        if (step % 25 == 0) {
            const Document document = m_window->state().document();
            const Result<Document> read = parseDocument(documentText(document), "monkey");
            if (!read)
                QVERIFY2(m_window->state().answer()->inputError || m_window->state().isBusy(),
                    englishSentence(read.error()).c_str());
        }
    }
    QDir::setCurrent(home);
    m_hands.reset();
    for (QDialog* dialog : m_window->findChildren<QDialog*>())
        dialog->close();
    qInfo("seed %u, %d steps, longest %lld ms", seedOf(), steps, static_cast<long long>(longest));
    QVERIFY2(longest < 20'000, qPrintable(QString::number(longest)));
    // The window still works.
    (void)m_window->state().load({firstInputs(), {}, {}, {}}, {});
    QVERIFY(waitForAnswer(m_window->state()));
    QVERIFY(m_window->state().answer()->hasPlan());
    const Result<std::string> session = readFile(m_folder->filePath(QStringLiteral("session.json")).toStdString());
    QVERIFY2(session, session ? "" : englishSentence(session.error()).c_str());
    const Result<Document> saved = parseDocument(*session, "session");
    QVERIFY2(saved, saved ? "" : englishSentence(saved.error()).c_str());
}

QTEST_MAIN(MonkeyTest)
#include "monkey_test.moc"
