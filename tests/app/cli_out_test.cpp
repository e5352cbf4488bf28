// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QFileInfo>
#include <QRegularExpression>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// What --out does to what already lies there, and advice that works when it is followed.
class CliOutTest : public QObject {
    Q_OBJECT

    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void aPipeTakesTheFileAndStaysAPipe()
    {
        const Cli cli;
        const QByteArray pipe = cli.path("pipe").toUtf8();
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        const int reader = ::open(pipe.constData(), O_RDONLY | O_NONBLOCK);
        QVERIFY(reader >= 0);
        // A table of a small plan fits into the pipe's buffer of 64 KiB.
        const QString plan = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", plan} + cli.smallStep()).exit, 0);
        QCOMPARE(cli({"export", plan, "--to", "csv", "--out", QString::fromUtf8(pipe)}).exit, 0);
        QByteArray content(1 << 16, '\0');
        const ssize_t n = ::read(reader, content.data(), static_cast<std::size_t>(content.size()));
        ::close(reader);
        QVERIFY(n > 0);
        content.truncate(n);
        QCOMPARE(content, cli({"export", plan, "--to", "csv"}).out);
        struct stat status { };
        QCOMPARE(::stat(pipe.constData(), &status), 0);
        QVERIFY(S_ISFIFO(status.st_mode));
    }

    void theFileThatIsReadIsNotWritten_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("export") << QStringList{"export", "PLAN", "--to", "csv"};
        QTest::newRow("run") << QStringList{"run", "PLAN"};
    }

    void theFileThatIsReadIsNotWritten()
    {
        QFETCH(QStringList, command);
        const Cli cli;
        const QString plan = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", plan} + cli.smallStep()).exit, 0);
        const QByteArray before = contentOf(plan);
        command.replaceInStrings("PLAN", plan);
        const CliResult result = cli(command + QStringList{"--out", plan, "--json"});
        QCOMPARE(result.exit, 2);
        QCOMPARE(result.errorCode(), "out-is-input");
        QCOMPARE(contentOf(plan), before);
    }

    void aRunWhoseReportCannotBeWrittenDoesNotStart()
    {
        const Cli cli;
        const QString plan = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", plan} + cli.smallStep()).exit, 0);
        const CliResult result = cli({"run", plan, "--out", cli.path("missing/report.json")});
        QCOMPARE(result.exit, 3);
        QVERIFY2(result.err.contains("missing/report.json"), result.err);
        QVERIFY2(!result.err.contains("phase"), result.err);
    }

    void aFileSizeLimitIsAnErrorThatLeavesTheOldFile()
    {
        const Cli cli;
        const QString plan = cli.write("plan.json", "precious");
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small{1024, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0); // the program inherits it
        const CliResult result = cli(QStringList{"plan", "--strategy", "full", "--out", plan} + cli.smallStep());
        ::setrlimit(RLIMIT_FSIZE, &before);
        QCOMPARE(result.exit, 3);
        QVERIFY2(result.err.contains("plan.json"), result.err);
        QCOMPARE(contentOf(plan), QByteArray("precious"));
        QCOMPARE(QFileInfo(plan).dir().entryList({"plan.json*"}, QDir::Files), QStringList{"plan.json"});
    }

    /// The kernel's own full disk, behind a shell's ">".
    void aFullDiskBehindStandardOutputIsSaid()
    {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(QStringLiteral(REMAT_BIN "/remat"), {"models"});
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 3);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("standard output cannot be written: No space left on device"), said);
    }

    void theBudgetThatIsAdvisedFits_data()
    {
        QTest::addColumn<QStringList>("step");
        for (const char* batch : {"1", "2", "3", "5", "8"})
            QTest::newRow(batch) << QStringList{"--model", "gpt2", "--batch", batch, "--seq", "256"};
    }

    void theBudgetThatIsAdvisedFits()
    {
        QFETCH(QStringList, step);
        const Cli cli;
        step += QStringList{"--costs", cli.path("costs.json")};
        const CliResult refused = cli(QStringList{"plan", "--budget", "1MiB"} + step);
        QCOMPARE(refused.exit, 4);
        const auto advice = QRegularExpression("Raise the budget to ([0-9.]+) ([A-Za-z]+)").match(refused.err);
        QVERIFY2(advice.hasMatch(), refused.err);
        QCOMPARE(cli(QStringList{"plan", "--budget", advice.captured(1) + advice.captured(2)} + step).exit, 0);
    }

    void theSameCommandWritesTheSameBytes()
    {
        const Cli cli;
        for (const char* name : {"a.json", "b.json"})
            QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", cli.path(name)} + cli.smallStep()).exit, 0);
        QVERIFY(!contentOf(cli.path("a.json")).isEmpty());
        QCOMPARE(contentOf(cli.path("a.json")), contentOf(cli.path("b.json")));
    }
};

QTEST_GUILESS_MAIN(CliOutTest)
#include "cli_out_test.moc"
