// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QAbstractButton>
#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QTemporaryDir>
#include <csignal>

#include "core/base/files.h"
#include "core/cost/device_json.h"
#include "core/cost/device_traits.h"
#include "core/model/model_json.h"
#include "core/model/presets.h"
#include "core/plan/plan_file.h"
#include "core/run/cpu_profile.h"
#include "ui/forms/inline_strip.h"
#include "ui/forms/primary_action.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_card.h"
#include "ui/panels/model_panel.h"
#include "ui/theme/format.h"
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
    void aSequenceThatIsCutIsSaid();
    void savesAndOpensADocument();
    void aPlanBringsItsDevice();
    void everyKindOfFileCanBeDropped();
    void unknownDevicesAreRefused();
    void aPlanThatIsSolvedAgainIsSaid();
    void budgetHandleChangesThePlan();
    void runIsShownFromStartToResult();
    void tooLargeARunIsRefusedWithTheBatchThatFits();
    void aCheckCanBeStopped();
    void outOfMemoryIsToldWithPhaseAndOp();
    void killedWorkerLeavesTheWindowUsable();
    void realWorkerKilledUnderTheWindow();
    void gpusAreAskedFor_data();
    void gpusAreAskedFor();
    void thisCpuIsMeasuredAgain();
    void aRunsCostsArePlannedWith();
    void everyMenuEntryHasTextAndAKeyOfItsOwn();
    void whyIsOneClickAway();
    void narrowWindowTakesDetailsAsATab();
    void picturesAreWritten();

private:
    MainWindow& window() { return *m_window; }
    FakeLauncher& launcher() { return *m_launcher; }
    /// Presses Run, and waits until the worker would start.
    bool startRun()
    {
        m_launcher = nullptr;
        window().toggleRun();
        return window().runs().isRunning() && QTest::qWaitFor([this] { return m_launcher != nullptr; }, 10'000);
    }
    QString strip() { return window().answerCard().strip().stripView().sentence; }
    QString write(const char* name, const std::string& text)
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        return writeFileAtomically(path.toStdString(), text) ? path : QString();
    }
    /// The plan shown, for a device with other figures.
    Plan planFor(const Device& device)
    {
        const Plan& shown = window().state().answer()->shown->plan;
        Plan plan = derivePlan(buildStepTape(shown.shape(), shown.setup(), machineTraits(device)), device, shown.keep);
        plan.budget = shown.budget;
        plan.strategy = shown.strategy;
        plan.proof = {"flat", true, 0.0, plan.prediction.peak};
        return plan;
    }
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    FakeLauncher* m_launcher = nullptr;
};

void MainWindowTest::init()
{
    WindowContext context = plainContext();
    context.sessionPath = m_folder.filePath(QStringLiteral("session.json"));
    context.makeLauncher = [this](const WorkerLaunch&) {
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
    QTest::newRow("for other programs") << QByteArray(R"({"format": "remat-comparison", "version": 1})");
    QTest::newRow("format is a number") << QByteArray(R"({"format": 3})");
    QTest::newRow("format is null") << QByteArray(R"({"format": null})");
    QTest::newRow("a list") << QByteArray("[]");
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

void MainWindowTest::aSequenceThatIsCutIsSaid()
{
    Inputs inputs = window().state().inputs();
    inputs.setup.sequence = 1024;
    window().state().edit(EditKind::Sequence, QString(), inputs);
    // BERT has 512 positions (its config.json).
    QVERIFY(window().openFile(QStringLiteral(REMAT_TEST_DATA "/configs/bert-base.config.json")));
    QCOMPARE(window().state().inputs().setup.sequence, 512);
    QVERIFY2(strip().contains(QLatin1String("512")), qPrintable(strip()));
    QCOMPARE(window().answerCard().strip().stripView().kind, StripKind::Info);
}

void MainWindowTest::aPlanBringsItsDevice()
{
    Device device = remat::testing::roundCpu(2);
    device.name = "my-card";
    device.kind = DeviceKind::Cuda;
    QVERIFY(window().openFile(write("card.json", planFileText(planFor(device)))));
    QVERIFY(waitForAnswer(window().state()));
    QVERIFY(window().state().device() == device);
    QVERIFY(window().state().answer()->shown->plan.device == device);

    // A name that stands for other figures here: both stay.
    device.name = kThisCpu;
    device.peak.fp32 *= 2;
    QVERIFY(window().openFile(write("other.json", planFileText(planFor(device)))));
    QCOMPARE(window().state().device().name, std::string("cpu (other.json)"));
    QCOMPARE(window().state().device().peak.fp32, device.peak.fp32);
    QCOMPARE(window().state().devices().find(kThisCpu)->peak.fp32, device.peak.fp32 / 2);

    // A document takes the device along.
    const QString path = m_folder.filePath(QStringLiteral("with-device.json"));
    QVERIFY(window().saveDocument(path));
    MainWindow next(plainContext());
    QVERIFY(next.openFile(path));
    QVERIFY(next.state().device() == window().state().device());
}

/// Every kind of file that the project writes does something when it is dropped on the window.
void MainWindowTest::everyKindOfFileCanBeDropped()
{
    Device device = remat::testing::roundCpu(2);
    device.name = "my-card";
    device.kind = DeviceKind::Cuda;
    ModelShape shape = findPreset("tiny-gpt2").value();
    shape.name = "mine";
    shape.layers = 3;
    const QString chain = m_folder.filePath(QStringLiteral("small.chain.json"));
    // By hand: two stages, of which the second can be run in one way only.
    QVERIFY(writeFileAtomically(chain.toStdString(), R"({"format": "remat-chain", "version": 1, "name": "small",
        "base_bytes": 1048576, "stages": [
        {"name": "a", "out_bytes": 0, "grad_bytes": 0, "weight_grad_bytes": 0, "forward_ns": 1000000,
         "forward_temp_bytes": 0, "options": [
         {"name": "keep", "saved_bytes": 2097152, "needs_input": false, "needs_output": false, "forward_temp_bytes": 0,
          "backward_ns": 2000000, "backward_temp_bytes": 0},
         {"name": "drop", "saved_bytes": 0, "needs_input": false, "needs_output": false, "forward_temp_bytes": 0,
          "backward_ns": 3000000, "backward_temp_bytes": 0}]}]})"));
    QMimeData data;
    const auto drop = [&](const QString& path) {
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({300, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event({300, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &event);
    };
    drop(write("card.json", deviceFileText(device)));
    QCOMPARE(window().state().device().name, std::string("my-card"));
    drop(write("mine.json", modelFileText(shape)));
    QCOMPARE(window().state().inputs().shape.layers, 3);
    drop(chain);
    // 1 MiB of base alone in 4 ms, or 2 MiB more in 3 ms.
    QTRY_VERIFY2(strip().contains(QLatin1String("2 plans, from 1.00 MiB in 4.00 ms to 3.00 MiB in 3.00 ms")),
        qPrintable(strip()));
}

void MainWindowTest::unknownDevicesAreRefused()
{
    const Inputs before = window().state().inputs();
    Document document = window().state().document();
    document.inputs.setup.device = "rtx-9090";
    document.inputs.budget = {1};
    QVERIFY(!window().openFile(write("unknown.json", documentText(document))));
    QVERIFY2(strip().contains(QLatin1String("unknown.json")) && strip().contains(QLatin1String("rtx-9090")),
        qPrintable(strip()));
    QVERIFY(window().state().inputs() == before);
}

void MainWindowTest::aPlanThatIsSolvedAgainIsSaid()
{
    // Its own plan comes back as it was.
    const QString own = m_folder.filePath(QStringLiteral("own.json"));
    QVERIFY(window().exportPlan(own));
    window().state().setBudget({310 << 20});
    QVERIFY(window().openFile(own));
    QVERIFY(waitForAnswer(window().state()));
    QVERIFY2(!window().answerCard().strip().isVisible(), qPrintable(strip()));

    // One that keeps nothing, called optimal: the planner answers otherwise.
    const Plan& shown = window().state().answer()->shown->plan;
    Plan plan = derivePlan(shown.step->tape, shown.device, std::vector<KeepSet>(shown.keep.size(), 0));
    plan.strategy = {Strategy::Kind::Optimal};
    plan.budget = Bytes{1'000 << 20};
    plan.proof = {"flat", true, 0.0, plan.prediction.peak};
    QVERIFY(window().openFile(write("lean.json", planFileText(plan))));
    QVERIFY(waitForAnswer(window().state()));
    QVERIFY2(strip().contains(QLatin1String("lean.json was solved again")), qPrintable(strip()));
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
    QVERIFY(startRun());
    QVERIFY(launcher().request.contains("remat-run-request"));
    launcher().say("Welcome to the cluster");
    launcher().say(R"({"event": "step", "pass": "timing", "i": 1, "n": 3, "seconds": 0.5, "fraction": 0.5, "at": ""})");
    QVERIFY(window().runs().runs().back().row.stage.contains(u'2'));
    window().toggleRun();
    QVERIFY(launcher().wasStopped);
    launcher().end({11, 0});
    QVERIFY(!window().runs().isRunning());
    QCOMPARE(window().runs().runs().back().row.state, RunState::Stopped);
}

void MainWindowTest::tooLargeARunIsRefusedWithTheBatchThatFits()
{
    Inputs inputs = window().state().inputs();
    inputs.setup.batch = 100'000; // some terabytes
    inputs.budget = {std::int64_t{1} << 50};
    window().state().edit(EditKind::Batch, QString(), inputs);
    QVERIFY(waitForAnswer(window().state()));
    m_launcher = nullptr;
    window().toggleRun();
    QVERIFY(window().runs().isRunning()); // the window goes on while it is worked out
    QTRY_VERIFY_WITH_TIMEOUT(!window().runs().isRunning(), 30'000);
    QVERIFY(!m_launcher);
    const RunRecord& run = window().runs().runs().back();
    QCOMPARE(run.row.state, RunState::Failed);
    QCOMPARE(run.failure->code, std::string("out-of-memory-expected"));
    const std::int64_t batch = run.failure->largestBatch.value();
    QVERIFY(batch > 0 && batch < 100'000);
    auto* strip = window().findChild<InlineStrip*>(QStringLiteral("runStrip"));
    QVERIFY(strip && strip->stripView().actions.size() == 1);
    strip->button(0).click();
    QCOMPARE(window().state().inputs().setup.batch, batch);
}

void MainWindowTest::aCheckCanBeStopped()
{
    m_launcher = nullptr;
    window().toggleRun();
    QVERIFY(window().runs().isRunning());
    window().toggleRun();
    QVERIFY(!window().runs().isRunning());
    QCOMPARE(window().runs().runs().back().row.state, RunState::Stopped);
    // Its word is not heard any more, and the next run is.
    QVERIFY(startRun());
    QCOMPARE(window().runs().runs().size(), 2u);
    QCOMPARE(window().runs().runs().front().row.state, RunState::Stopped);
}

/// A worker that runs out of memory says where before it ends; the window tells it and goes on.
void MainWindowTest::outOfMemoryIsToldWithPhaseAndOp()
{
    QVERIFY(startRun());
    launcher().say(R"({"event": "error", "kind": "out-of-memory", "code": "out-of-memory", )"
                   R"("where": "backward, layer 3: ffn_up", "message": "The system gave no 5 MiB.", )"
                   R"("remedy": "Lower the batch.", "exit": 10, "requested_bytes": 5242880, )"
                   R"("live_bytes": 1048576, "phase": "backward", "op": "layer 3: ffn_up"})");
    launcher().end({10, 0});
    QVERIFY(!window().runs().isRunning());
    const RunRecord& run = window().runs().runs().back();
    QCOMPARE(run.row.state, RunState::Failed);
    QCOMPARE(run.failure->exitCode, 10);
    QCOMPARE(run.row.stage, QStringLiteral("backward, layer 3: ffn_up: The system gave no 5 MiB. Lower the batch."));
    QVERIFY(startRun());
}

void MainWindowTest::killedWorkerLeavesTheWindowUsable()
{
    QVERIFY(startRun());
    launcher().end({0, 9});
    QVERIFY(!window().runs().isRunning());
    const RunRow& row = window().runs().runs().back().row;
    QCOMPARE(row.state, RunState::Failed);
    QCOMPARE(window().runs().runs().back().failure->code, std::string("worker-killed"));
    QVERIFY2(row.stage.contains(QLatin1String("SIGKILL")), qPrintable(row.stage));
    QVERIFY(startRun());
}

void MainWindowTest::realWorkerKilledUnderTheWindow()
{
    qint64 pid = 0;
    bool isAtWork = false;
    WindowContext context = plainContext();
    context.makeLauncher = [&](const WorkerLaunch&) {
        auto launcher = std::make_unique<WorkerLauncher>(WorkerLaunch{{REMAT_BIN "/remat-worker"}, {}});
        connect(launcher.get(), &RunLauncher::heard, this, [&](const RunEvent& event) {
            if (const auto* hello = std::get_if<HelloEvent>(&event))
                pid = hello->pid;
            isAtWork = isAtWork || std::holds_alternative<PhaseEvent>(event);
        });
        return launcher;
    };
    MainWindow window(context);
    QVERIFY(waitForAnswer(window.state()));
    window.toggleRun();
    QTRY_VERIFY_WITH_TIMEOUT(pid > 0 && isAtWork, 30'000);
    QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!window.runs().isRunning(), 30'000);
    const RunRecord& run = window.runs().runs().back();
    QCOMPARE(run.row.state, RunState::Failed);
    QCOMPARE(run.failure->code, std::string("worker-killed"));
    QVERIFY2(run.row.stage.contains(QLatin1String("SIGKILL")), qPrintable(run.row.stage));
    // The window plans on.
    window.state().setBudget({310 << 20});
    QVERIFY(waitForAnswer(window.state()));
    QVERIFY(window.state().answer()->shown->plan.prediction.peak <= (Bytes{310 << 20}));
}

/// The status bar says whether runs could use a GPU, and its tip why not and what to do.
void MainWindowTest::gpusAreAskedFor_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("driver");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("summary");
    QTest::addColumn<QString>("explanation");
    QTest::newRow("without driver") << 35 << 0 << 0 << "CUDA off"
                                    << "Install the driver";
    QTest::newRow("too old a driver") << 35 << 12040 << 0 << "CUDA off"
                                      << "CUDA up to 12.4";
    QTest::newRow("driver but no device") << 100 << 13000 << 0 << "CUDA off"
                                          << "no GPU answers";
    QTest::newRow("a GPU") << 0 << 13000 << 1 << "GPU found"
                           << "NVIDIA H200: ";
}

void MainWindowTest::gpusAreAskedFor()
{
    QFETCH(int, status);
    QFETCH(int, driver);
    QFETCH(int, gpus);
    QFETCH(QString, summary);
    QFETCH(QString, explanation);
    GpuAnswer answer{true, status, "", driver, 13000, {}};
    for (int i = 0; i < gpus; ++i)
        answer.gpus.push_back({"NVIDIA H200", "9.0", {150'000'000'000}, {149'000'000'000}});
    WindowContext context = plainContext();
    context.askGpus = [answer](const std::stop_token&) { return answer; };
    MainWindow window(context);
    auto* label = window.findChild<QLabel*>(QStringLiteral("workerStatus"));
    QTRY_VERIFY(label->text().contains(summary));
    QVERIFY2(label->toolTip().contains(explanation), qPrintable(label->toolTip()));
}

void MainWindowTest::thisCpuIsMeasuredAgain()
{
    WindowContext context = plainContext();
    Device faster = remat::testing::roundCpu(2);
    faster.peak.fp32 *= 2;
    context.measureCpu = [faster] { return faster; };
    MainWindow window(context);
    QVERIFY(waitForAnswer(window.state()));
    QVERIFY(window.state().device() != faster);
    window.findChild<QAction*>(QStringLiteral("measureCpu"))->trigger();
    QTRY_VERIFY(window.state().device() == faster);
    QVERIFY(waitForAnswer(window.state()));
    QVERIFY(window.state().answer()->shown->plan.device == faster);
}

/// A run tells what its ops took; the button times the plan with them, undo and the list of devices lead back.
void MainWindowTest::aRunsCostsArePlannedWith()
{
    WindowContext context = plainContext();
    context.measuredCpu = [](const RunReport& report) {
        CpuMeasurement cpu;
        cpu.processor = report.processor;
        cpu.threads = report.threads;
        return profiledDevice(report, cpu, {std::int64_t{16} << 30});
    };
    MainWindow window(context);
    window.resize(1440, 900);
    window.show();
    QVERIFY(waitForAnswer(window.state()));
    auto* button = window.findChild<QPushButton*>(QStringLiteral("measuredCosts"));
    auto* action = window.findChild<QAction*>(QStringLiteral("planWithMeasuredCosts"));
    QVERIFY(!button->isHidden() && !button->isEnabled() && !action->isEnabled()); // nothing has run

    // A run of the step that the window shows: each op takes 1 ms forward and 2 ms backward.
    const Plan plan = window.state().answer()->shown->plan;
    RunReport report;
    report.shape = plan.shape();
    report.setup = plan.setup();
    report.keep = plan.keep;
    report.processor = "Example CPU";
    report.threads = 2;
    for (const StageTape& kind : plan.step->tape.kinds)
        for (const Op& op : kind.ops)
            report.ops.push_back({kind.kind, op.name, {1'000'000}, {2'000'000}, 1, 1});
    report.stages.assign(plan.step->tape.stages.size(), {{3'000'000}, {0}, {4'000'000}});
    window.runs().addReport(report, QStringLiteral("a run"));
    QVERIFY(button->isEnabled() && action->isEnabled());
    // One head, and every stage's backward.
    const QString story = RunsTableModel::story(window.runs().runs().back().row);
    const QString backward = NumberFormat().duration(static_cast<int>(report.stages.size()) * Nanoseconds{4'000'000});
    QVERIFY2(story.contains(QStringLiteral("loss 3.00 ms, made again 0 ns, backward ") + backward), qPrintable(story));

    const Device before = window.state().device();
    button->click();
    QVERIFY(waitForAnswer(window.state()));
    QCOMPARE(window.state().device().name, std::string(kThisCpuMeasured));
    const Plan& measured = window.state().answer()->shown->plan;
    // By hand: forwards and backwards of a step that keeps everything; a residual add has no backward.
    std::int64_t expected = 0;
    for (int s = 0; s < static_cast<int>(plan.step->tape.stages.size()); ++s)
        for (const Op& op : plan.step->tape.tapeOf(s).ops)
            expected += op.backwardBytes.value > 0 ? 3'000'000 : 1'000'000;
    QCOMPARE(measured.prediction.keepAll.value, expected);
    // The run is still one of these decisions, if they are the same.
    QCOMPARE(window.runs().lastReportOf(measured) != nullptr, measured.keep == plan.keep);
    QVERIFY(window.runs().lastReportOf(plan) != nullptr);
    // The document brings the costs along.
    const Result<Document> document = parseDocument(documentText(window.state().document()), "document.json");
    QVERIFY(document && document->device && *document->device == window.state().device());

    window.state().undoStack().undo();
    QVERIFY(waitForAnswer(window.state()));
    QVERIFY(window.state().device() == before);
    QVERIFY(window.state().answer()->shown->plan.prediction.time == plan.prediction.time);
    action->trigger();
    QCOMPARE(window.state().device().name, std::string(kThisCpuMeasured));

    Inputs longer = window.state().inputs();
    longer.setup.batch = 4; // another step than the one that ran
    window.state().edit(EditKind::Batch, QStringLiteral("change batch"), longer);
    QVERIFY(!button->isEnabled() && !action->isEnabled());
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

void MainWindowTest::whyIsOneClickAway()
{
    auto* why = window().answerCard().findChild<QAbstractButton*>(QStringLiteral("why"));
    QVERIFY(why);
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
        window().resize(size);
        QCoreApplication::processEvents();
        QTest::mouseClick(why, Qt::LeftButton);
        QCoreApplication::processEvents();
        auto* details = window().findChild<DetailsPanel*>();
        QVERIFY(details->isVisible());
        QVERIFY(
            details->whyText().contains(NumberFormat().bytes(window().state().answer()->shown->plan.prediction.peak)));
        bool isSeen = false; // the line of the peak, inside what scrolls
        for (const QLabel* label : details->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("<table")))
                isSeen = !label->visibleRegion().isEmpty();
        QVERIFY(isSeen);
    }
}

void MainWindowTest::narrowWindowTakesDetailsAsATab()
{
    QVERIFY(window().isWide());
    window().resize(1024, 700);
    QTRY_VERIFY(!window().isWide());
    QCOMPARE(window().bottomTabs().left().count(), 12);
    window().resize(1440, 900);
    QTRY_VERIFY(window().isWide());
    QCOMPARE(window().bottomTabs().left().count(), 5);
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
