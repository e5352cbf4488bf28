// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/run/child_process.h"
#include "core/run/gpu_answer.h"
#include "core/run/machine_probe.h"
#include "core/run/worker_client.h"
#include "tests/app/cli_process.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;
using remat::test::Cli;
using remat::test::CliResult;

namespace {

std::string worker()
{
    return REMAT_BIN "/remat-worker";
}

/// tiny-gpt2, which has two layers, with a small vocabulary and a sentence of 16 tokens: seconds in the emulator.
Plan emulatedPlan(Strategy::Kind kind, bool isHalf)
{
    ModelShape shape = findPreset("tiny-gpt2").value();
    shape.vocabulary = 200;
    TrainingSetup setup;
    setup.batch = 1;
    setup.sequence = 16;
    setup.dropout = 0.1;
    setup.precision = isHalf ? Precision::Half : Precision::Fp32;
    setup = withDefaults(shape, setup);
    const Device device = sizesOfGpu();
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    Plan plan = derivePlan(tape, device, keepSetsOf({kind}, tape, {}, {0}));
    plan.strategy = {kind};
    plan.proof.planClass = "fixed";
    return plan;
}

RunRequest requestFor(Strategy::Kind kind, bool isHalf)
{
    RunRequest request{emulatedPlan(kind, isHalf)};
    request.machine = RunMachine::Emulated;
    request.steps = 1;
    return request;
}

RunOutcome run(const RunRequest& request)
{
    return runInWorker({worker()}, request, [](const RunEvent&) {});
}

const QStringList kStep{"--model", "tiny-gpt2", "--vocab", "200", "--batch", "1", "--seq", "16"};

} // namespace

/// Runs with a GPU's kernels, on the emulated GPU: the worker, the file and the command line of a run on a card.
class EmulatedRunTest : public QObject {
    Q_OBJECT

private slots:
    void predictedTrackedAndPoolAgree_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isHalf");
        QTest::newRow("full, fp32") << static_cast<int>(Strategy::Kind::Full) << false;
        QTest::newRow("full, bf16") << static_cast<int>(Strategy::Kind::Full) << true;
        QTest::newRow("none, bf16") << static_cast<int>(Strategy::Kind::None) << true;
    }
    void predictedTrackedAndPoolAgree()
    {
        QFETCH(int, kind);
        QFETCH(bool, isHalf);
        RunRequest request = requestFor(static_cast<Strategy::Kind>(kind), isHalf);
        request.checksGradients = true;
        const RunOutcome outcome = run(request);
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
        const RunReport& report = *outcome.report;
        QCOMPARE(report.machineKind, RunMachine::Emulated);
        QCOMPARE(report.granule, 512_B);
        QCOMPARE(report.peak.predicted, request.plan.prediction.peak);
        QCOMPARE(report.peak.tracked, request.plan.prediction.peak);
        QVERIFY(report.peak.pool);
        QCOMPARE(report.peak.pool->peak().used, request.plan.prediction.peak);
        QVERIFY(report.peak.pool->isRepeated);
        QCOMPARE(report.peak.trackedPhases, report.peak.predictedPhases);
        QVERIFY(report.reruns.isEqual);
        QVERIFY(report.gradients && report.gradients->bitEqual);
        // ln(200) within what 0.02-wide weights say.
        QVERIFY2(std::abs(report.loss.first - std::log(200.0)) < 0.15, qPrintable(QString::number(report.loss.first)));
        QVERIFY(!report.time.predicted); // nothing predicts the emulator
        QVERIFY2(report.warnings.empty(), report.warnings.empty() ? "" : report.warnings.front().c_str());
        const Result<RunReport> read = parseReport(reportFileText(report), "report.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(reportFileText(*read), reportFileText(report));
    }

    /// A plan made for this CPU runs with the sizes of a GPU: predicted is not planned, and tracked is predicted.
    void aPlanOfThisCpuIsPredictedForTheMachine()
    {
        RunRequest request = requestFor(Strategy::Kind::Full, false);
        const Device cpu = sizesOfThisCpu(2);
        const StepTape tape = buildStepTape(request.plan.shape(), request.plan.setup(), machineTraits(cpu));
        request.plan = derivePlan(tape, cpu, request.plan.keep);
        request.plan.strategy = {Strategy::Kind::Full};
        request.plan.proof.planClass = "fixed";
        const RunOutcome outcome = run(request);
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
        QCOMPARE(outcome.report->peak.planned, request.plan.prediction.peak);
        QCOMPARE(outcome.report->peak.tracked, emulatedPlan(Strategy::Kind::Full, false).prediction.peak);
        QCOMPARE(outcome.report->warnings.size(), std::size_t{1});
    }

    /// The pool is capped at the budget: one granule below the peak, and the worker ends with 10 and says where.
    void aCappedPoolEndsTheRun()
    {
        RunRequest request = requestFor(Strategy::Kind::None, false);
        request.enforcesBudget = true;
        request.plan.budget = request.plan.prediction.peak - 512_B;
        const RunOutcome outcome = run(request);
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->exitCode, 10);
        QCOMPARE(outcome.failure->code, std::string("gpu-out-of-memory"));
        QVERIFY(outcome.failure->requested && outcome.failure->live);
        QVERIFY(*outcome.failure->requested + *outcome.failure->live > *request.plan.budget);
        QVERIFY(outcome.failure->phase == "forward" || outcome.failure->phase == "backward");
        QVERIFY2(outcome.failure->op.find(": ") != std::string::npos, outcome.failure->op.c_str());
        request.plan.budget = request.plan.prediction.peak;
        const RunOutcome fits = run(request);
        QVERIFY2(fits.report, fits.failure ? fits.failure->message.c_str() : "");
        QCOMPARE(fits.report->peak.pool->cap, request.plan.budget);
    }

    void aStepThatIsTooLargeIsRefused()
    {
        RunRequest request{samplePlan("gpt2", Strategy::Kind::None, sizesOfGpu())};
        request.machine = RunMachine::Emulated;
        const RunOutcome outcome = run(request);
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->exitCode, 3);
        QCOMPARE(outcome.failure->code, std::string("emulated-step-too-large"));
    }

    /// SIGKILL while a pass runs in its own program: it ends with its worker.
    void aKilledWorkerLeavesNothing()
    {
        RunRequest request = requestFor(Strategy::Kind::Full, false);
        request.steps = kMostSteps;
        auto child = ChildProcess::start({worker()});
        QVERIFY(child);
        child->writeLine(requestLine(request));
        bool isAtWork = false;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
        while (!isAtWork && std::chrono::steady_clock::now() < deadline) {
            const ChildProcess::Read read = child->readLine(std::chrono::milliseconds{100});
            QVERIFY(!read.atEnd);
            const RunEvent event = read.line ? parseRunEvent(*read.line) : RunEvent(LogEvent{});
            const auto* step = std::get_if<StepEvent>(&event);
            isAtWork = step && step->pass == "timing";
        }
        QVERIFY(isAtWork);
        QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(child->pid()));
        QVERIFY(children.open(QIODevice::ReadOnly));
        const QString pass = QString::fromLatin1(children.readAll()).trimmed();
        QVERIFY(QFile::symLinkTarget("/proc/" + pass + "/exe").endsWith("/remat-worker-emulated"));
        ::kill(child->pid(), SIGKILL);
        child->finish();
        const auto isAlive = [&] {
            QFile stat("/proc/" + pass + "/stat");
            return stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
        };
        const auto tooLate = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (isAlive() && std::chrono::steady_clock::now() < tooLate)
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        QVERIFY(!isAlive());
    }

    void theCommandLineRunsHalfPrecision()
    {
        const Cli cli;
        const QString plan = cli.path("plan.json"), report = cli.path("report.json");
        QCOMPARE(cli(QStringList{"plan", "--device", "t4", "--precision", "half", "--strategy", "full", "--out", plan}
                     + kStep)
                     .exit,
            0);
        const CliResult run = cli(
            {"run", plan, "--machine", "emulated", "--json", "--steps", "1", "--check-gradients", "--out", report});
        QVERIFY2(run.exit == 0, run.err);
        QCOMPARE(run.json()["machine"]["kind"].toString(), "emulated");
        QCOMPARE(run.json()["peak"]["predicted_bytes"], run.json()["peak"]["tracked_bytes"]);
        QCOMPARE(run.json()["peak"]["predicted_bytes"], run.json()["peak"]["planned_bytes"]);
        QCOMPARE(run.json()["peak"]["system_bytes"], run.json()["peak"]["predicted_bytes"]);
        QCOMPARE(run.json()["gradients"]["bit_equal"], QJsonValue(true));
        const CliResult text = cli({"run", plan, "--machine", "emulated", "--steps", "1"});
        QCOMPARE(text.exit, 0);
        for (const char* words : {"pool in use", "= pool reserved", "measured twice, and equal", "optimizer"})
            QVERIFY2(text.out.contains(words), text.out);
    }

    /// Ops timed on the emulated GPU, and a plan made with those costs, whose run is of that device.
    void profilesAreCostsToPlanWith()
    {
        const Cli cli;
        const QString costs = cli.path("gpu.json"), plan = cli.path("plan.json");
        const CliResult profile = cli(QStringList{"profile", "--machine", "emulated", "--precision", "half", "--json",
                                          "--steps", "1", "--out", costs}
            + kStep);
        QVERIFY2(profile.exit == 0, profile.err);
        const QJsonObject object = profile.json();
        QCOMPARE(object["device"].toString(), "emulated");
        QCOMPARE(object["processor"].toString(), "emulated GPU");
        std::int64_t attention = 0;
        for (const QJsonValue& op : object["ops"].toArray()) {
            const QString kind = op["kind"].toString();
            QVERIFY2(op["forward_ns"].toInteger() > 0, qPrintable(kind));
            if (kind == "attention")
                attention = op["forward_ns"].toInteger();
        }
        const CliResult planned = cli(
            QStringList{"plan", "--costs", costs, "--precision", "half", "--strategy", "full", "--json", "--out", plan}
            + kStep);
        QVERIFY2(planned.exit == 0, planned.out);
        QCOMPARE(planned.json()["device"]["name"].toString(), "gpu");
        // The plan's device brings what was measured along; the emulator is slower than any device may be, so that the
        // plan's own times are the slowest that there are.
        std::int64_t inPlan = 0;
        for (const QJsonValue& op : planned.json()["device"]["measured_ops"].toArray())
            if (op["kind"].toString() == "attention")
                inPlan = op["forward_ns"].toInteger();
        QCOMPARE(inPlan, attention);
        QVERIFY(planned.json()["prediction"]["overhead_ns"].toInteger() > 0);
        QCOMPARE(cli({"verify", plan}).exit, 0);
        // Costs of a GPU time no CPU.
        const CliResult refused
            = cli(QStringList{"plan", "--costs", costs, "--device", "cpu", "--strategy", "full", "--json"} + kStep);
        QCOMPARE(refused.exit, 2);
        QCOMPARE(refused.errorCode(), "costs-against-device");
    }

    void probeTellsEveryStateOfCuda_data()
    {
        QTest::addColumn<bool>("isBuiltIn");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("driver");
        QTest::addColumn<QString>("capability");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QByteArray>("words");
        // Numbers of cudaError_t in CUDA 13.0 (driver_types.h).
        QTest::newRow("no toolkit") << false << 0 << 0 << ""
                                    << "cuda-not-built-in" << QByteArray("without CUDA");
        QTest::newRow("no driver") << true << 35 << 0 << ""
                                   << "cuda-no-driver" << QByteArray("driver");
        QTest::newRow("old driver") << true << 35 << 12040 << ""
                                    << "cuda-driver-too-old" << QByteArray("12.4");
        QTest::newRow("no device") << true << 100 << 13000 << ""
                                   << "cuda-no-device" << QByteArray("no GPU");
        QTest::newRow("mismatch") << true << 803 << 13000 << ""
                                  << "cuda-driver-mismatch" << QByteArray("driver");
        QTest::newRow("compatibility libraries") << true << 804 << 12040 << ""
                                                 << "cuda-compatibility-not-for-card" << QByteArray("driver");
        QTest::newRow("another error") << true << 3 << 13000 << ""
                                       << "cuda-no-start" << QByteArray("error 3");
        QTest::newRow("old GPU") << true << 0 << 13000 << "7.5"
                                 << "cuda-gpu-too-old" << QByteArray("8.0");
        QTest::newRow("a GPU") << true << 0 << 13000 << "9.0"
                               << "" << QByteArray("cuda: NVIDIA X, ");
    }
    /// The worker beside the command line is a script that answers what CUDA would on other machines.
    void probeTellsEveryStateOfCuda()
    {
        QFETCH(bool, isBuiltIn);
        QFETCH(int, status);
        QFETCH(int, driver);
        QFETCH(QString, capability);
        QFETCH(QString, code);
        QFETCH(QByteArray, words);
        const QString program = m_elsewhere.filePath("remat"), worker = m_elsewhere.filePath("remat-worker");
        if (!QFile::exists(program)) { // a link would lead back to the real worker
            QVERIFY(QFile::copy(QStringLiteral(REMAT_BIN "/remat"), program));
            QFile script(worker);
            QVERIFY(script.open(QIODevice::WriteOnly) && script.write("#!/bin/sh\ncat \"$0.json\"\n") > 0);
            script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        GpuAnswer answer{isBuiltIn, status, "x", driver, 13000, {}};
        if (!capability.isEmpty())
            answer.gpus.push_back({"NVIDIA X", capability.toStdString(), {150'000'000'000}, {149'000'000'000}});
        QFile told(worker + ".json");
        QVERIFY(told.open(QIODevice::WriteOnly));
        told.write(QByteArray::fromStdString(toJson(probeMachine(answer)).dump(2) + "\n"));
        told.close();
        const auto probe = [&](const QStringList& flags) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("XDG_CACHE_HOME", m_elsewhere.filePath("cache"));
            process.setProcessEnvironment(environment);
            process.start(program, QStringList{"probe"} + flags);
            process.waitForFinished(120'000);
            return CliResult{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        };
        const CliResult json = probe({"--json"}), text = probe({});
        QCOMPARE(json.exit, 0);
        QCOMPARE(json.json()["cuda"]["available"].toBool(), code.isEmpty());
        QCOMPARE(json.json()["cuda"]["code"].toString(), code);
        QCOMPARE(json.json()["cuda"]["remedy"].toString().isEmpty(), code.isEmpty());
        QCOMPARE(text.exit, 0);
        QCOMPARE(text.out.contains("cuda: off. "), !code.isEmpty());
        QVERIFY2(text.out.contains(words), text.out);
    }

    /// Where there is no GPU, the state that the probe gives, and exit code 11; which states there are,
    /// gpu_answer_test.cpp goes through.
    void withoutAGpuTheReasonIsGiven()
    {
        const Cli cli;
        const CliResult probe = cli({"probe", "--json"});
        if (probe.json()["cuda"]["available"].toBool())
            QSKIP("this machine has a GPU");
        const QString code = probe.json()["cuda"]["code"].toString();
        const QString plan = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", plan} + kStep).exit, 0);
        for (const QStringList& words : {QStringList{"run", plan}, QStringList{"profile"} + kStep}) {
            const CliResult refused = cli(words + QStringList{"--machine", "cuda", "--json"});
            QCOMPARE(refused.exit, 11);
            QCOMPARE(refused.errorCode(), code);
            QVERIFY(!refused.json()["error"]["remedy"].toString().isEmpty());
        }
    }

private:
    QTemporaryDir m_elsewhere;
};

QTEST_GUILESS_MAIN(EmulatedRunTest)
#include "emulated_run_test.moc"
