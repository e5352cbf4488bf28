// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/run/child_process.h"
#include "core/run/machine_probe.h"
#include "core/run/worker_client.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::testing;

namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

/// What a scripted worker says first; it has read the request by then.
std::string hello()
{
    return "read -r request; echo '" + toLine(HelloEvent{kRunVersion, 1, "fake", "fake", 1, ""}) + "'; ";
}

/// A worker made of a shell script.
struct Fake {
    explicit Fake(const std::string& script) : command{"/bin/sh", "-c", script} { }
    WorkerCommand command;
    std::vector<RunEvent> events;

    RunOutcome run(const std::stop_token& stop = {})
    {
        const RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::Full)};
        return runInWorker(
            command, request, [this](const RunEvent& event) { events.push_back(event); }, stop);
    }
};

} // namespace

/// The client against workers that behave in every way that has been thought of.
class WorkerClientTest : public QObject {
    Q_OBJECT

private slots:
    /// Standard error is log, whatever it says; read or not as the launch asks.
    void errorsAreHeardWhereAsked()
    {
        const std::string line = toLine(HelloEvent{kRunVersion, 1, "no", "no", 1, ""});
        for (const bool logsErrors : {true, false}) {
            std::vector<std::string> log;
            bool hasHello = false;
            const WorkerLaunch launch{
                {"/bin/sh", "-c", "read -r r; echo '" + line + "' >&2; printf 'cut off' >&2"}, {}, false, logsErrors};
            const RunOutcome outcome = runInWorker(
                launch, RunRequest{samplePlan("tiny-gpt2", Strategy::Kind::Full)}, [&](const RunEvent& event) {
                    hasHello = hasHello || std::holds_alternative<HelloEvent>(event);
                    if (const auto* said = std::get_if<LogEvent>(&event))
                        log.push_back(said->text);
                });
            QVERIFY(!hasHello);
            QCOMPARE(outcome.failure->code, std::string("worker-silent"));
            QCOMPARE(log, logsErrors ? std::vector<std::string>({line, "cut off"}) : std::vector<std::string>());
        }
    }

    /// A probe through a login shell: lines before the answer are the shell's, and who answers nothing is no worker.
    void probesAreReadBehindABanner()
    {
        GpuAnswer told{true, 35, "cudaErrorInsufficientDriver", 12040, 13000, {}};
        const std::string answer = jsonText(toJson(probeMachine(told)), 2);
        const auto ask = [](const std::string& script, const std::stop_token& stop = {}) {
            return askWorkerForGpus({"/bin/sh", "-c", script}, stop);
        };
        const Result<GpuAnswer> behind = ask("echo 'Welcome to {cluster}'\ncat <<'END'\n" + answer + "\nEND\n");
        QVERIFY2(behind, behind ? "" : englishSentence(behind.error()).c_str());
        QVERIFY(toJson(*behind) == toJson(told));
        QVERIFY(!ask("echo hello"));
        QVERIFY(!ask("echo '{}'"));
        QVERIFY(!askWorkerForGpus({"/nonexistent/remat-worker"}));

        std::stop_source stop;
        stop.request_stop();
        const Result<GpuAnswer> stopped = ask("sleep 15", stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(std::string(stopped.error().code->name), std::string("worker-probe-unanswered"));
    }

    void initTestCase()
    {
        // The result line is long; a file holds it.
        QVERIFY(m_folder.isValid());
        std::ofstream(resultFile()) << toLine(ResultEvent{sampleReport()}) << "\n";
    }

    void goodWorkerGivesItsReport()
    {
        Fake fake("echo banner; " + hello() + "echo '" + toLine(PhaseEvent{"memory", 2, 3}) + "'; cat " + resultFile());
        const RunOutcome outcome = fake.run();
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
        QCOMPARE(outcome.report->peak.tracked, sampleReport().peak.tracked);
        QCOMPARE(fake.events.size(), std::size_t{4});
        QVERIFY(std::holds_alternative<LogEvent>(fake.events[0]));
        QVERIFY(std::holds_alternative<HelloEvent>(fake.events[1]));
    }

    /// The request arrives whole: a plan is larger than a pipe's buffer when it is read late.
    void requestArrivesWhole()
    {
        const std::string copy = m_folder.filePath("request").toStdString();
        Fake fake("sleep 0.3; head -n 1 > " + copy);
        fake.run();
        std::ifstream file(copy);
        std::string line;
        std::getline(file, line);
        QCOMPARE(line, requestLine({samplePlan("tiny-gpt2", Strategy::Kind::Full)}));
    }

    void slowWorkerIsWaitedFor()
    {
        Fake fake(hello() + "sleep 1; cat " + resultFile());
        QVERIFY(fake.run().report);
    }

    void garbageIsLogged()
    {
        Fake fake(hello() + "head -c 100000 /dev/urandom; echo; cat " + resultFile());
        QVERIFY(fake.run().report);
    }

    void resultWithoutNewlineCounts()
    {
        Fake fake(hello() + "tr -d '\\n' < " + resultFile());
        QVERIFY(fake.run().report);
    }

    void outOfMemoryIsToldAsItWasSaid()
    {
        Fake fake(hello() + "echo '"
            + toLine(RunFailure{"out-of-memory", "run-over-budget", "gelu", "m", "r", 10, Bytes{5}, Bytes{7}, 3})
            + "'; exit 10");
        const RunOutcome outcome = fake.run();
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->exitCode, 10);
        QCOMPARE(outcome.failure->requested.value(), Bytes{5});
        QCOMPARE(outcome.failure->largestBatch.value(), std::int64_t{3});
    }

    void crashes_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("code");
        QTest::newRow("exit 137") << "exit 137"
                                  << "worker-killed";
        QTest::newRow("killed") << "kill -9 $$"
                                << "worker-killed";
        QTest::newRow("segmentation fault") << "kill -SEGV $$"
                                            << "worker-crashed";
        QTest::newRow("leaves") << "exit 0"
                                << "worker-crashed";
    }

    void crashes()
    {
        QFETCH(QString, script);
        QFETCH(QString, code);
        Fake fake(hello() + "echo '" + toLine(PhaseEvent{"timing", 3, 3}) + "'; " + script.toStdString());
        const RunOutcome outcome = fake.run();
        QVERIFY(outcome.failure);
        QCOMPARE(QString::fromStdString(outcome.failure->code), code);
        QVERIFY(outcome.failure->message.find("timing") != std::string::npos);
    }

    void missingProgramIsAnError()
    {
        Fake fake("");
        fake.command = {"/nowhere/remat-worker"};
        const RunOutcome outcome = fake.run();
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("process-cannot-start"));
        QCOMPARE(outcome.failure->exitCode, 11);
    }

    /// SIGTERM ends a worker that listens; one that does not is killed two seconds later.
    void stopEndsEveryWorker_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("mostMilliseconds");
        QTest::newRow("listens") << "exec sleep 60" << 1900;
        QTest::newRow("is deaf") << "trap '' TERM; while :; do sleep 0.1; done" << 6000;
    }

    void stopEndsEveryWorker()
    {
        QFETCH(QString, script);
        QFETCH(int, mostMilliseconds);
        std::stop_source stop;
        Fake fake(hello() + script.toStdString());
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds{300});
            stop.request_stop();
        });
        const auto start = steady_clock::now();
        const RunOutcome outcome = fake.run(stop.get_token());
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start).count();
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->kind, std::string("stopped"));
        QVERIFY2(took < mostMilliseconds, qPrintable(QString::number(took)));
    }

    void destructorEndsTheProcess()
    {
        int pid = 0;
        {
            auto child = ChildProcess::start({"/bin/sleep", "60"});
            QVERIFY(child);
            pid = child->pid();
            QCOMPARE(::kill(pid, 0), 0);
        }
        QCOMPARE(::kill(pid, 0), -1);
    }

private:
    std::string resultFile() const { return m_folder.filePath("result").toStdString(); }
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(WorkerClientTest)
#include "worker_client_test.moc"
