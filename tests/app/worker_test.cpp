// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/run/child_process.h"
#include "core/run/kernels/kernels.h"
#include "core/run/worker_client.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

std::string worker()
{
    return REMAT_BIN "/remat-worker";
}

RunRequest requestFor(const std::string& preset, Strategy::Kind kind)
{
    RunRequest request{samplePlan(preset, kind)};
    request.threads = 2;
    request.steps = 1;
    return request;
}

/// A run that takes minutes unless it is ended.
RunRequest longRequest()
{
    RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(2), 8)};
    request.threads = 2;
    request.steps = kMostSteps;
    return request;
}

RunOutcome run(const RunRequest& request)
{
    return runInWorker({worker()}, request, [](const RunEvent&) {});
}

/// Exit code and first error line of a worker that is given this text.
struct Answer {
    int exitCode = -1;
    std::optional<RunFailure> failure;
};

Answer answerTo(const QStringList& flags, const QByteArray& input)
{
    QProcess process;
    process.start(QString::fromStdString(worker()), flags);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(20'000);
    Answer answer{process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, std::nullopt};
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
        const RunEvent event = parseRunEvent(line.toStdString());
        if (const auto* failure = std::get_if<RunFailure>(&event); failure && !answer.failure)
            answer.failure = *failure;
    }
    return answer;
}

/// Whether a process still runs; one that only waits to be collected does not.
bool isAlive(int pid)
{
    QFile file(QString("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    return text.mid(text.lastIndexOf(')') + 2, 1) != "Z";
}

std::vector<int> childrenOf(int pid)
{
    QFile file(QString("/proc/%1/task/%1/children").arg(pid));
    std::vector<int> children;
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray& word : file.readAll().split(' '))
            if (word.toInt() > 0)
                children.push_back(word.toInt());
    return children;
}

/// Reads until the pass of that name is at work.
bool waitForPass(ChildProcess& child, const std::string& name)
{
    const auto deadline = steady_clock::now() + seconds{30};
    while (steady_clock::now() < deadline) {
        const ChildProcess::Read read = child.readLine(milliseconds{100});
        if (read.atEnd)
            return false;
        if (!read.line)
            continue;
        const RunEvent event = parseRunEvent(*read.line);
        if (const auto* step = std::get_if<StepEvent>(&event); step && step->pass == name)
            return true;
    }
    return false;
}

bool waitUntilGone(int pid)
{
    const auto deadline = steady_clock::now() + seconds{10};
    while (isAlive(pid) && steady_clock::now() < deadline)
        std::this_thread::sleep_for(milliseconds{20});
    return !isAlive(pid);
}

} // namespace

/// The real worker, from its request to its report.
class WorkerTest : public QObject {
    Q_OBJECT

private slots:
    void runAgreesWithItsPrediction_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<int>("kind");
        for (const char* preset : {"tiny-gpt2", "tiny-bert", "tiny-llama"})
            for (const Strategy::Kind kind : {Strategy::Kind::None, Strategy::Kind::Full, Strategy::Kind::FfnOnly})
                QTest::newRow((preset + (" " + toName({kind}))).c_str()) << preset << static_cast<int>(kind);
    }

    /// The promises: to the byte, and within 1 % + 8 MiB by the kernel's count; bit-equal gradients; a first
    /// loss near ln(vocabulary), since 0.02-wide weights say nearly nothing.
    void runAgreesWithItsPrediction()
    {
        QFETCH(QString, preset);
        QFETCH(int, kind);
        RunRequest request = requestFor(preset.toStdString(), static_cast<Strategy::Kind>(kind));
        request.checksGradients = true;
        const RunOutcome outcome = run(request);
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
        const RunReport& report = *outcome.report;
        QCOMPARE(report.peak.tracked, request.plan.prediction.peak);
        QCOMPARE(report.peak.predicted, request.plan.prediction.peak);
        QVERIFY(report.peak.system);
        const double off = std::abs(static_cast<double>((*report.peak.system - report.peak.tracked).value));
        QVERIFY2(off <= 0.01 * static_cast<double>(report.peak.tracked.value) + static_cast<double>((8_MiB).value),
            qPrintable(QString("system peak off by %1 B").arg(off)));
        QVERIFY(report.reruns.isEqual);
        QCOMPARE(report.reruns.measured, request.plan.prediction.reruns);
        QVERIFY(report.gradients && report.gradients->bitEqual);
        QCOMPARE(report.gradients->tensors, static_cast<std::int64_t>(request.plan.step->tape.parameters.size()));
        QVERIFY2(std::abs(report.loss.first - report.loss.lnVocabulary) < 0.15,
            qPrintable(QString::number(report.loss.first)));
        QCOMPARE(report.time.steps.size(), std::size_t{1});
        QVERIFY(report.time.step > report.time.optimizer);
        const auto highest = std::max_element(report.timeline.begin(), report.timeline.end(),
            [](const TimelinePoint& a, const TimelinePoint& b) { return a.live < b.live; });
        QVERIFY(highest != report.timeline.end() && highest->live <= report.peak.tracked);
        QVERIFY(report.warnings.empty());
        // Which kernels ran is part of what "the same machine" means.
        QCOMPARE(report.kernels, std::string(kernels::bestCpuKernels().name()));
        QVERIFY2(report.machine.find(report.kernels) != std::string::npos, report.machine.c_str());
    }

    void eventsTellTheWholeRun()
    {
        RunRequest request = requestFor("tiny-gpt2", Strategy::Kind::Full);
        request.checksGradients = true;
        QStringList phases;
        double fraction = 0.0;
        bool isRising = true;
        const RunOutcome outcome = runInWorker({worker()}, request, [&](const RunEvent& event) {
            if (const auto* phase = std::get_if<PhaseEvent>(&event)) {
                phases << QString::fromStdString(phase->name);
                QCOMPARE(phase->pass, static_cast<std::int64_t>(phases.size()));
                QCOMPARE(phase->passes, std::int64_t{5});
            }
            if (const auto* step = std::get_if<StepEvent>(&event)) {
                isRising = isRising && step->fraction >= fraction && step->fraction <= 1.0;
                fraction = step->fraction;
            }
        });
        QVERIFY(outcome.report);
        QCOMPARE(phases, QStringList({"check", "memory", "timing", "gradients", "keep-all"}));
        QVERIFY(isRising);
    }

    /// Exit code 10 of a card of that size: the allocation that did not fit is named, with what was in use.
    void enforcedBudgetEndsTheRun()
    {
        RunRequest request = requestFor("tiny-gpt2", Strategy::Kind::None);
        request.plan.budget = request.plan.prediction.peak - 64_B;
        request.enforcesBudget = true;
        const RunOutcome outcome = run(request);
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->exitCode, 10);
        QCOMPARE(outcome.failure->code, std::string("run-over-budget"));
        QVERIFY(outcome.failure->requested && outcome.failure->live);
        QVERIFY(*outcome.failure->requested + *outcome.failure->live > *request.plan.budget);
        request.plan.budget = request.plan.prediction.peak;
        QVERIFY(run(request).report);
    }

    void runThatWouldNotFitIsRefused()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::Full, sizesOfThisCpu(2), 64)};
        request.threads = 2;
        request.memoryLimit
            = samplePlan("tiny-gpt2", Strategy::Kind::Full, sizesOfThisCpu(2), 3).prediction.peak + 64_MiB;
        const RunOutcome outcome = run(request);
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->exitCode, 10);
        QCOMPARE(outcome.failure->code, std::string("out-of-memory-expected"));
        QCOMPARE(outcome.failure->largestBatch.value(), std::int64_t{3});
    }

    void badInputHasItsExitCode_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("exitCode");
        auto json = nlohmann::json::parse(requestLine(requestFor("tiny-gpt2", Strategy::Kind::None)));
        json["plan"]["prediction"]["peak_bytes"] = 1;
        const QByteArray changed = QByteArray::fromStdString(json.dump() + "\n");
        json["steps"] = "many";
        const QByteArray badSteps = QByteArray::fromStdString(json.dump() + "\n");
        QTest::newRow("nothing") << QStringList() << QByteArray() << 2;
        QTest::newRow("garbage") << QStringList() << QByteArray("hello\n") << 2;
        QTest::newRow("truncated") << QStringList() << changed.left(500) << 2;
        QTest::newRow("bad steps") << QStringList() << badSteps << 2;
        QTest::newRow("deep") << QStringList() << QByteArray(200'000, '[') + "\n" << 2;
        QTest::newRow("changed plan") << QStringList() << changed << 3;
        QTest::newRow("unknown flag") << QStringList("--fast") << QByteArray() << 2;
        QTest::newRow("unknown pass") << QStringList({"--pass", "lunch"}) << QByteArray() << 2;
        QTest::newRow("no such file") << QStringList({"--request", "/nowhere/request"}) << QByteArray() << 2;
    }

    void badInputHasItsExitCode()
    {
        QFETCH(QStringList, flags);
        QFETCH(QByteArray, input);
        QFETCH(int, exitCode);
        const Answer answer = answerTo(flags, input);
        QCOMPARE(answer.exitCode, exitCode);
        QVERIFY(answer.failure);
        QCOMPARE(answer.failure->exitCode, exitCode);
        QVERIFY(!answer.failure->message.empty() && !answer.failure->remedy.empty());
    }

    void stopEndsARunQuietly()
    {
        auto child = ChildProcess::start({worker()});
        QVERIFY(child);
        child->writeLine(requestLine(longRequest()));
        RunConversation talk;
        QVERIFY(waitForPass(*child, "timing"));
        const auto start = steady_clock::now();
        child->askToStop();
        for (;;) {
            const ChildProcess::Read read = child->readLine(milliseconds{100});
            if (read.line)
                talk.hear(*read.line);
            if (read.atEnd)
                break;
        }
        const RunOutcome outcome = talk.finish(child->finish());
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("run-stopped"));
        QVERIFY(steady_clock::now() - start < seconds{2});
    }

    /// SIGKILL in the middle: the client says so, and the pass ends with its worker.
    void killedWorkerIsReportedAndLeavesNothing()
    {
        auto child = ChildProcess::start({worker()});
        QVERIFY(child);
        child->writeLine(requestLine(longRequest()));
        QVERIFY(waitForPass(*child, "timing"));
        const std::vector<int> passes = childrenOf(child->pid());
        QCOMPARE(passes.size(), std::size_t{1});
        RunConversation talk;
        talk.hear(toLine(HelloEvent{}));
        ::kill(child->pid(), SIGKILL);
        const RunOutcome outcome = talk.finish(child->finish());
        QCOMPARE(outcome.failure->code, std::string("worker-killed"));
        QVERIFY(waitUntilGone(passes[0]));
    }

    void killedPassIsReported()
    {
        RunOutcome outcome;
        int workerPid = 0;
        bool isKilled = false;
        outcome = runInWorker({worker()}, longRequest(), [&](const RunEvent& event) {
            if (const auto* hello = std::get_if<HelloEvent>(&event))
                workerPid = static_cast<int>(hello->pid);
            if (const auto* step = std::get_if<StepEvent>(&event); step && step->pass == "timing" && !isKilled) {
                isKilled = true;
                for (const int pass : childrenOf(workerPid))
                    ::kill(pass, SIGKILL);
            }
        });
        QVERIFY(isKilled);
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("worker-killed"));
        QCOMPARE(outcome.failure->exitCode, 11);
    }

    /// A worker whose parent is killed ends too; the parent here is a shell that only starts it.
    void workerDiesWithItsParent()
    {
        QTemporaryDir folder;
        const std::string request = folder.filePath("request").toStdString();
        QFile file(QString::fromStdString(request));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(requestLine(longRequest()) + "\n"));
        file.close();
        // The shell keeps the worker's standard input open with a second process, so that only the parent's death ends
        // it.
        auto shell = ChildProcess::start({"/bin/sh", "-c",
            "mkfifo " + request + ".pipe; sleep 60 > " + request + ".pipe & cat " + request + " > " + request
                + ".pipe & exec 3< " + request + ".pipe; " + worker() + " <&3 & wait $!"});
        QVERIFY(shell);
        int pid = 0;
        const auto deadline = steady_clock::now() + seconds{30};
        bool isAtWork = false;
        while (!isAtWork && steady_clock::now() < deadline) {
            const ChildProcess::Read read = shell->readLine(milliseconds{100});
            QVERIFY(!read.atEnd);
            if (!read.line)
                continue;
            const RunEvent event = parseRunEvent(*read.line);
            if (const auto* hello = std::get_if<HelloEvent>(&event))
                pid = static_cast<int>(hello->pid);
            const auto* step = std::get_if<StepEvent>(&event);
            isAtWork = step && step->pass == "timing";
        }
        QVERIFY(isAtWork);
        const std::vector<int> passes = childrenOf(pid);
        QCOMPARE(passes.size(), std::size_t{1});
        const std::vector<int> helpers = childrenOf(shell->pid());
        ::kill(shell->pid(), SIGKILL);
        shell->finish();
        QVERIFY(waitUntilGone(pid));
        QVERIFY(waitUntilGone(passes[0]));
        for (const int helper : helpers)
            ::kill(helper, SIGKILL);
    }

    void closedInputEndsTheRun()
    {
        QProcess process;
        process.start(QString::fromStdString(worker()), {});
        process.write(QByteArray::fromStdString(requestLine(longRequest()) + "\n"));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitCode(), 11);
        QVERIFY(process.readAllStandardOutput().contains("run-stopped"));
    }

    void otherVerbsAnswer()
    {
        QProcess process;
        process.start(QString::fromStdString(worker()), {"--probe"});
        QVERIFY(process.waitForFinished(20'000));
        const auto probe = nlohmann::json::parse(process.readAllStandardOutput().toStdString());
        QCOMPARE(probe["format"].get<std::string>(), std::string("remat-probe"));
        const nlohmann::json& cpu = probe["devices"][0];
        QCOMPARE(cpu["name"].get<std::string>(), std::string("cpu"));
        // The sets are named from the least to what runs use: native ones, or the highest level of this processor.
        const auto sets = cpu["instruction_sets"].get<std::vector<std::string>>();
        QCOMPARE(cpu["kernels"].get<std::string>(), sets.back());
        QCOMPARE(sets.back(), std::string(kernels::bestCpuKernels().name()));
#if defined(__x86_64__)
        QCOMPARE(sets.front(), std::string("x86-64-v2"));
        QCOMPARE(std::count(sets.begin(), sets.end(), "x86-64-v3") == 1, bool{__builtin_cpu_supports("avx2") != 0});
        QCOMPARE(std::count(sets.begin(), sets.end(), "x86-64-v4") == 1, bool{__builtin_cpu_supports("avx512vl") != 0});
#endif
        // A machine of the tests may have a GPU; where it has none, the probe says why.
        const nlohmann::json& cuda = probe["cuda"];
        QCOMPARE(cuda["available"].get<bool>(), cuda["reason"].is_null());
        QVERIFY(cuda["available"].get<bool>() || !cuda["remedy"].get<std::string>().empty());
        process.start(QString::fromStdString(worker()), {"--version"});
        QVERIFY(process.waitForFinished(20'000));
        QVERIFY(process.readAllStandardOutput().startsWith("remat-worker 0."));
    }
};

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
