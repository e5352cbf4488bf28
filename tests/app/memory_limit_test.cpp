// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QTest>
#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/files.h"
#include "core/run/child_process.h"
#include "core/run/process_memory.h"
#include "core/run/run_conversation.h"
#include "tests/support/orphans.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

const std::string kWorker = REMAT_BIN "/remat-worker";

/// A run whose activations are by far the most of its memory.
RunRequest activationsRequest()
{
    RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(1), 24)};
    request.threads = 1;
    request.steps = 1;
    return request;
}

RunOutcome converse(const std::vector<std::string>& command, const RunRequest& request)
{
    Result<ChildProcess> child = ChildProcess::start(command);
    if (!child)
        return {std::nullopt, failureOf(child.error())};
    child->writeLine(requestLine(request));
    RunConversation talk;
    for (;;) {
        const ChildProcess::Read read = child->readLine(std::chrono::milliseconds{100});
        if (read.line)
            talk.hear(*read.line);
        if (read.atEnd)
            break;
    }
    const WorkerExit exit = child->finish();
    RunOutcome outcome = talk.finish(exit);
    if (outcome.failure && exit.signal == 0)
        outcome.failure->exitCode = exit.code; // what the process itself said, not the line
    return outcome;
}

/// A memory control group of the test's own, where the system lets it have one (version 1 or 2).
class ControlGroup {
public:
    ControlGroup()
    {
        const QByteArray name = "remat-test-" + QByteArray::number(::getpid());
        struct Version {
            const char *mount, *limit, *mark;
        };
        for (const Version& version :
            {Version{"/sys/fs/cgroup/memory/", "memory.limit_in_bytes", "memory.usage_in_bytes"},
                Version{"/sys/fs/cgroup/", "memory.max", "memory.current"}}) {
            const QByteArray folder = version.mount + name;
            if (::mkdir(folder.constData(), 0755) != 0)
                continue;
            if (QFile::exists(QFile::decodeName(folder + "/" + version.mark))) {
                m_folder = folder;
                m_limit = folder + "/" + version.limit;
                return;
            }
            ::rmdir(folder.constData());
        }
    }
    ~ControlGroup()
    {
        for (int i = 0; !m_folder.isEmpty() && ::rmdir(m_folder.constData()) != 0 && i < 100; ++i)
            QTest::qWait(20); // its last process may still be leaving
    }
    ControlGroup(const ControlGroup&) = delete;
    ControlGroup& operator=(const ControlGroup&) = delete;

    bool setLimit(Bytes bytes)
    {
        QFile file(QFile::decodeName(m_limit));
        return !m_folder.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(QByteArray::number(bytes.value)) > 0
            && file.flush();
    }
    /// A command that runs inside.
    std::vector<std::string> inside(const std::string& command) const
    {
        return {"/bin/sh", "-c", "echo $$ > " + m_folder.toStdString() + "/cgroup.procs && exec " + command};
    }

private:
    QByteArray m_folder, m_limit;
};

} // namespace

/// Runs that the system's limits end: told with phase, op and bytes, by exit code 10, and nothing is left over.
class MemoryLimitTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(adoptOrphans()); }

    /// Which limit, as the shell's ulimit names it: -v of addresses (RLIMIT_AS), -d of data (RLIMIT_DATA).
    void resourceLimitsAreToldWithPhaseOpAndBytes_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::newRow("addresses") << "-v";
        QTest::newRow("data") << "-d";
    }

    void resourceLimitsAreToldWithPhaseOpAndBytes()
    {
        QFETCH(QString, flag);
        const RunRequest request = activationsRequest();
        const Bytes peak = request.plan.prediction.peak, base = request.plan.prediction.base;
        QVERIFY(peak.value > 4 * base.value);
        // What the program itself takes differs from system to system: the limit rises until the step begins.  Limits
        // between that and success must be told from inside the step.
        int inStep = 0, before = 0;
        bool succeeded = false;
        for (Bytes limit = base; limit.value < 4 * peak.value + (1_GiB).value && !succeeded;
             limit += Bytes{peak.value / 4}) {
            const RunOutcome outcome = converse(
                {"/bin/sh", "-c",
                    "ulimit " + flag.toStdString() + " " + std::to_string(limit.value / 1024) + " && exec " + kWorker},
                request);
            QVERIFY(noneIsLeft());
            if (outcome.report) {
                succeeded = true;
                continue;
            }
            const RunFailure& failure = outcome.failure.value();
            if (failure.phase.empty()) {
                QCOMPARE(inStep, 0); // too little for the program itself, but only until it is enough
                ++before;
                continue;
            }
            QVERIFY2(failure.exitCode == 10, failure.message.c_str());
            QCOMPARE(failure.kind, std::string("out-of-memory"));
            QVERIFY(failure.requested && failure.requested->value > 0 && failure.live);
            QVERIFY(*failure.live <= limit && *failure.live <= peak);
            QVERIFY(*failure.requested <= peak);
            if (failure.phase == "preparation") {
                QVERIFY(failure.op.empty());
                continue;
            }
            ++inStep;
            QVERIFY2(failure.phase == "forward" || failure.phase == "backward", failure.phase.c_str());
            QVERIFY2(failure.op.find(": ") != std::string::npos, failure.op.c_str());
            QVERIFY(failure.where.find(failure.op) != std::string::npos);
            // Everything resident is there, and what the step holds is not yet all.
            QVERIFY(*failure.live >= base);
        }
        QVERIFY(succeeded);
        QVERIFY2(inStep >= 2, qPrintable(QString("%1 inside the step, %2 before it").arg(inStep).arg(before)));
    }

    /// A pass inside a control group that has room for half of the step.  (The worker would refuse it beforehand.)
    void controlGroupsLimitIsToldWithPhaseOpAndBytes()
    {
        ControlGroup group;
        const RunRequest request = activationsRequest();
        const Bytes peak = request.plan.prediction.peak;
        const Bytes limit{peak.value / 2 + (32_MiB).value};
        if (!group.setLimit(limit))
            QSKIP("this system lets a test make no memory control group");
        for (const char* pass : {"memory", "timing", "gradients"}) {
            const RunOutcome outcome = converse(group.inside(kWorker + " --pass " + pass), request);
            QVERIFY(noneIsLeft());
            QVERIFY2(outcome.failure, pass);
            const RunFailure& failure = *outcome.failure;
            QVERIFY2(failure.exitCode == 10, failure.message.c_str());
            QCOMPARE(failure.code, std::string("out-of-memory"));
            QVERIFY2(failure.phase == "forward" || failure.phase == "backward",
                (std::string(pass) + ": " + failure.phase + ": " + failure.message).c_str());
            QVERIFY(failure.op.find(": ") != std::string::npos);
            QVERIFY(failure.requested && failure.live);
            // The group's own accounts: what is in use fits, one block more does not, within what the program takes.
            QVERIFY(*failure.live <= limit);
            QVERIFY(*failure.live + *failure.requested > limit - 64_MiB);
        }
        QVERIFY(group.setLimit({2 * peak.value + (256_MiB).value}));
        const RunOutcome enough = converse(group.inside(kWorker + " --pass memory"), request);
        QVERIFY(
            !enough.failure || enough.failure->kind == "crash"); // a pass says "measured", which only a worker reads
        // The worker sees the group before it starts, and refuses what will not fit beside its reserve.
        QVERIFY(group.setLimit(limit));
        const RunOutcome refused = converse(group.inside(kWorker), request);
        QVERIFY(refused.failure);
        QCOMPARE(refused.failure->code.substr(0, 14), std::string("out-of-memory-"));
        QCOMPARE(refused.failure->exitCode, 10);
        QVERIFY(refused.failure->requested && refused.failure->phase.empty());
    }
};

QTEST_GUILESS_MAIN(MemoryLimitTest)
#include "memory_limit_test.moc"
