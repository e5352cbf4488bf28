// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/run/run_conversation.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

class RunEventsTest : public QObject {
    Q_OBJECT

private slots:
    void everyEventComesBack()
    {
        const HelloEvent hello{kRunVersion, 4711, "cpu, x86-64-v3, 2 threads", "Example \"CPU\"", 2, "123"};
        QCOMPARE(toLine(std::get<HelloEvent>(parseRunEvent(toLine(hello)))), toLine(hello));
        const PhaseEvent phase{"memory", 2, 5};
        QCOMPARE(toLine(std::get<PhaseEvent>(parseRunEvent(toLine(phase)))), toLine(phase));
        const StepEvent step{"timing", 1, 4, 0.52, 0.375, "layer 3: ffn_up backward"};
        QCOMPARE(toLine(std::get<StepEvent>(parseRunEvent(toLine(step)))), toLine(step));
        const ResultEvent result{sampleReportWithTimes()};
        QCOMPARE(toLine(std::get<ResultEvent>(parseRunEvent(toLine(result)))), toLine(result));
        const RunFailure failure{
            "out-of-memory", "run-over-budget", "layer 3: gelu", "no", "less", 10, 5_MiB, 6_GiB, 4, 7_GiB};
        QCOMPARE(toLine(std::get<RunFailure>(parseRunEvent(toLine(failure)))), toLine(failure));
        QCOMPARE(toLine(result).find('\n'), std::string::npos);
    }

    /// What ssh, srun and shells print before or between our lines.
    void otherLinesAreLogged_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("banner") << QByteArray("Welcome to node17! 3 updates pending.");
        QTest::newRow("carriage return") << QByteArray("\r");
        QTest::newRow("json of others") << QByteArray("{\"level\": \"info\"}");
        QTest::newRow("unknown event") << QByteArray("{\"event\": \"lunch\"}");
        QTest::newRow("event is a number") << QByteArray("{\"event\": 3}");
        QTest::newRow("truncated") << QByteArray("{\"event\": \"step\", \"pass\": \"mem");
        QTest::newRow("binary") << QByteArray("\x80\xff\x01{", 4);
        QTest::newRow("array") << QByteArray("[1, 2]");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }

    void otherLinesAreLogged()
    {
        QFETCH(QByteArray, line);
        QVERIFY(std::holds_alternative<LogEvent>(parseRunEvent({line.data(), static_cast<std::size_t>(line.size())})));
    }

    void knownEventWithWrongKeysIsAProtocolFailure()
    {
        for (const char* line : {R"({"event": "phase", "name": 3})", R"({"event": "result", "report": {}})",
                 R"({"event": "error"})", R"({"event": "hello"})"}) {
            const RunEvent event = parseRunEvent(line);
            QVERIFY2(std::holds_alternative<RunFailure>(event), line);
            QCOMPARE(std::get<RunFailure>(event).kind, std::string("protocol"));
        }
    }

    void conversationEndsWithItsReport()
    {
        RunConversation talk;
        talk.hear("Last login: yesterday");
        talk.hear(toLine(HelloEvent{}));
        talk.hear(toLine(ResultEvent{sampleReport()}));
        const RunOutcome outcome = talk.finish({0, 0});
        QVERIFY(outcome.report && !outcome.failure);
        QCOMPARE(outcome.report->strategy, std::string("full"));
    }

    void firstFailureIsTheCause()
    {
        RunConversation talk;
        talk.hear(toLine(HelloEvent{}));
        talk.hear(toLine(RunFailure{"out-of-memory", "first", "", "m", "r", 10}));
        talk.hear(toLine(RunFailure{"device", "second", "", "m", "r", 11}));
        const RunOutcome outcome = talk.finish({10, 0});
        QCOMPARE(outcome.failure->code, std::string("first"));
        QCOMPARE(outcome.failure->exitCode, 10);
    }

    /// 137 = 128 + SIGKILL is what a shell, ssh or srun says.
    void crashQuotesTheLastWords_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("errorCode");
        QTest::addColumn<QString>("said");
        QTest::newRow("killed") << 0 << 9 << "worker-killed"
                                << "signal 9 (SIGKILL)";
        QTest::newRow("killed behind a shell") << 137 << 0 << "worker-killed"
                                               << "signal 9 (SIGKILL)";
        QTest::newRow("segmentation fault") << 0 << 11 << "worker-crashed"
                                            << "signal 11 (SIGSEGV)";
        QTest::newRow("left early") << 0 << 0 << "worker-crashed"
                                    << "exit code 0";
        QTest::newRow("left in anger") << 3 << 0 << "worker-crashed"
                                       << "exit code 3";
    }

    void crashQuotesTheLastWords()
    {
        QFETCH(int, code);
        QFETCH(int, signal);
        QFETCH(QString, errorCode);
        QFETCH(QString, said);
        RunConversation talk;
        talk.hear(toLine(HelloEvent{}));
        talk.hear(toLine(PhaseEvent{"timing", 3, 3}));
        const RunOutcome outcome = talk.finish({code, signal});
        QVERIFY(!outcome.report);
        QCOMPARE(outcome.failure->kind, std::string("crash"));
        QCOMPARE(QString::fromStdString(outcome.failure->code), errorCode);
        const QString message = QString::fromStdString(outcome.failure->message);
        QVERIFY2(message.contains(said) && message.contains("timing"), qPrintable(message));
    }

    void workerThatNeverSpokeDidNotStart()
    {
        RunConversation talk;
        talk.hear("bash: remat-worker: command not found");
        const RunOutcome outcome = talk.finish({127, 0});
        QCOMPARE(outcome.failure->code, std::string("worker-silent"));
        QVERIFY(outcome.failure->message.find("127") != std::string::npos);
    }

    void stoppedWorkerIsNoCrash()
    {
        RunConversation talk;
        talk.hear(toLine(HelloEvent{}));
        QCOMPARE(talk.finish({0, 9}, true).failure->kind, std::string("stopped"));
    }

    void workerOfAnotherVersionIsRefused()
    {
        RunConversation talk;
        HelloEvent hello;
        hello.version = 2;
        QVERIFY(std::holds_alternative<RunFailure>(talk.hear(toLine(hello))));
        talk.hear(toLine(ResultEvent{sampleReport()}));
        QCOMPARE(talk.finish({0, 0}).failure->code, std::string("worker-version"));
    }
};

QTEST_APPLESS_MAIN(RunEventsTest)
#include "run_events_test.moc"
