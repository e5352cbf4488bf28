// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include "core/base/files.h"
#include "core/model/presets.h"
#include "ui/forms/choice_field.h"
#include "ui/panels/model_panel.h"

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
        m_random.seed(seedOf());
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
    }
    void cleanup() { m_window.reset(); }

    void undoAndRedoAreExact();
    void aMonkeyDoesNoHarm();

private:
    int below(int bound) { return bound < 1 ? 0 : std::uniform_int_distribution<int>(0, bound - 1)(m_random); }
    template <class List> auto& oneOf(List& list)
    {
        return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
    }

    void randomEdit();
    void randomAction();
    void randomKey();
    void randomMouse();
    void randomDrop();
    QWidget* randomWidget();

    std::mt19937 m_random;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

void MonkeyTest::randomEdit()
{
    ExplorerState& state = m_window->state();
    Inputs inputs = state.inputs();
    switch (below(10)) {
    case 0:
        state.setBudget({(std::int64_t{200} << 20) + below(400 << 20)});
        break;
    case 1: {
        // A drag is one step however many budgets it passes.
        for (int i = 0; i < 3; ++i) {
            inputs.budget = {(std::int64_t{200} << 20) + below(400 << 20)};
            state.edit(EditKind::Budget, QStringLiteral("drag"), inputs, i < 2);
        }
        break;
    }
    case 2:
        inputs.setup.batch = 1 + below(16);
        state.edit(EditKind::Batch, QStringLiteral("batch"), inputs);
        break;
    case 3:
        inputs.setup.sequence = 1 + below(128);
        state.edit(EditKind::Sequence, QStringLiteral("sequence"), inputs);
        break;
    case 4: {
        const std::vector<Strategy> strategies = comparedStrategies();
        inputs.strategy = oneOf(strategies);
        state.edit(EditKind::Strategy, QStringLiteral("strategy"), inputs);
        break;
    }
    case 5: {
        static const char* const kPins[] = {"L0.ffn=recompute", "L1.gelu=keep", "*.norm1=recompute", "L2=keep"};
        std::vector<remat::Pin> pins = inputs.pins;
        if (below(3) == 0)
            pins.clear();
        else
            pins.push_back(parsePin(kPins[below(4)]).value());
        state.setPin(pins, QStringLiteral("pin"));
        break;
    }
    case 6: {
        static const char* const kModels[] = {"tiny-gpt2", "tiny-bert", "tiny-llama", "gpt2"};
        state.useShape(EditKind::Model, QStringLiteral("model"), findPreset(kModels[below(4)]).value());
        break;
    }
    case 7:
        state.useProfile(below(2) == 0 ? StepProfile::Runtime : StepProfile::Pytorch);
        break;
    case 8: {
        inputs.torch.precision = static_cast<torch::TorchPrecision>(below(3));
        inputs.torch.attention = static_cast<torch::TorchAttention>(below(2));
        inputs.torch.loss = static_cast<torch::TorchLoss>(below(2));
        inputs.torch.isReentrant = below(2) == 0;
        inputs.setup.microBatches = 1 + below(3);
        state.edit(EditKind::Setup, QStringLiteral("torch"), inputs);
        break;
    }
    default: {
        std::vector<Device> devices = state.devices().devices();
        inputs.setup.device = oneOf(devices).name;
        state.edit(EditKind::Device, QStringLiteral("device"), inputs);
        break;
    }
    }
}

void MonkeyTest::undoAndRedoAreExact()
{
    ExplorerState& state = m_window->state();
    const std::string first = documentText(state.document());
    const int edits = countOf(500, 5000);
    for (int i = 0; i < edits; ++i) {
        randomEdit();
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

QWidget* MonkeyTest::randomWidget()
{
    QList<QWidget*> visible;
    for (QWidget* widget : m_window->findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2
            && widget->window() == m_window.get())
            visible << widget;
    return visible.isEmpty() ? m_window.get() : oneOf(visible);
}

void MonkeyTest::randomAction()
{
    QList<QAction*> actions;
    const std::function<void(const QMenu&)> collect = [&](const QMenu& menu) {
        for (QAction* action : menu.actions()) {
            if (action->menu())
                collect(*action->menu());
            else if (!action->isSeparator() && action->isEnabled())
                actions << action;
        }
    };
    for (QAction* entry : m_window->menuBar()->actions())
        collect(*entry->menu());
    oneOf(actions)->trigger();
}

void MonkeyTest::randomKey()
{
    static constexpr Qt::Key kKeys[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home,
        Qt::Key_End, Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Delete,
        Qt::Key_Backspace, Qt::Key_K, Qt::Key_R, Qt::Key_A, Qt::Key_0, Qt::Key_1, Qt::Key_9, Qt::Key_Plus,
        Qt::Key_Minus, Qt::Key_Period, Qt::Key_G, Qt::Key_PageUp, Qt::Key_PageDown};
    static constexpr Qt::KeyboardModifiers kModifiers[]
        = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
    QWidget* focus = QApplication::focusWidget();
    if (!focus || below(4) == 0) {
        focus = randomWidget();
        focus->setFocus();
    }
    QTest::keyClick(focus, kKeys[below(std::size(kKeys))], kModifiers[below(std::size(kModifiers))]);
}

void MonkeyTest::randomMouse()
{
    QWidget* widget = randomWidget();
    const auto point = [&] { return QPoint(below(widget->width()), below(widget->height())); };
    switch (below(4)) {
    case 0:
        QTest::mouseClick(widget, below(5) == 0 ? Qt::RightButton : Qt::LeftButton, Qt::NoModifier, point());
        break;
    case 1: {
        QPointer<QWidget> guard(widget);
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, point());
        for (int i = 0; i < 4 && guard; ++i)
            QTest::mouseMove(widget, point());
        if (guard)
            QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, point());
        break;
    }
    case 2:
        QTest::mouseDClick(widget, Qt::LeftButton, Qt::NoModifier, point());
        break;
    default: {
        const QPointF at = point();
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
        break;
    }
    }
}

void MonkeyTest::randomDrop()
{
    static const char* const kTexts[] = {"", "{", "[]", "{\"format\": \"remat-document\", \"version\": 1}",
        "{\"format\": \"remat-lesson\", \"version\": 1, \"steps\": 3}", "{\"model_type\": \"gpt2\", \"n_layer\": -1}",
        "{\"format\": \"remat-plan\", \"version\": 99}", "\xff\xfe\x00garbage"};
    QStringList paths;
    const QDir configs(QStringLiteral(REMAT_TEST_DATA "/configs"));
    for (const QString& name : configs.entryList({QStringLiteral("*.json")}))
        paths << configs.filePath(name);
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
        paths << m_folder->filePath(QStringLiteral("bad%1.json").arg(i));
        (void)writeFileAtomically(paths.back().toStdString(), kTexts[i]);
    }
    paths << m_folder->path() << QStringLiteral("/nonexistent.json");
    QMimeData data;
    QList<QUrl> urls{QUrl::fromLocalFile(oneOf(paths))};
    if (below(4) == 0)
        urls << QUrl::fromLocalFile(oneOf(paths));
    data.setUrls(urls);
    const QPoint at(below(m_window->width()), below(m_window->height()));
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &event);
}

void MonkeyTest::aMonkeyDoesNoHarm()
{
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    // A dialog or a menu that waits for a person is sent away, now in one way, now in another.
    QTimer impatience;
    connect(&impatience, &QTimer::timeout, this, [this] {
        if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
            below(2) == 0 ? dialog->reject() : QTest::keyClick(dialog, Qt::Key_Escape);
    });
    impatience.start(5);
    const QString home = QDir::currentPath();
    QDir::setCurrent(m_folder->path()); // what it saves by chance lies there

    const int steps = countOf(1000, 20'000);
    qint64 longest = 0;
    for (int step = 0; step < steps; ++step) {
        QElapsedTimer timer;
        timer.start();
        switch (below(10)) {
        case 0:
            randomAction();
            break;
        case 1:
        case 2:
        case 3:
            randomKey();
            break;
        case 4:
            randomDrop();
            break;
        case 5:
            randomEdit();
            break;
        default:
            randomMouse();
            break;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            if (below(3) == 0)
                dialog->close();
        if (!m_window->isVisible())
            m_window->show(); // Quit closed it
        longest = std::max(longest, timer.elapsed());
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
    impatience.stop();
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
