// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QRegularExpression>
#include <QStandardPaths>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

/// The flags that a help text lists at the start of its lines.
QStringList flagsOfHelp(const QByteArray& help)
{
    QStringList flags;
    static const QRegularExpression line(
        QStringLiteral("^ +(?:-h,)?(--[a-z-]+)(?:,(--[a-z-]+))?"), QRegularExpression::MultilineOption);
    for (auto found = line.globalMatch(QString::fromUtf8(help)); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        for (const QString& flag : {match.captured(1), match.captured(2)})
            if (!flag.isEmpty())
                flags << flag;
    }
    flags.sort();
    return flags;
}

/// The section of a verb in docs/cli.md.
QString section(const QString& page, const QString& verb)
{
    const qsizetype begin = page.indexOf(QStringLiteral("\n## remat ") + verb + u'\n');
    if (begin < 0)
        return {};
    const qsizetype end = page.indexOf(QStringLiteral("\n## "), begin + 1);
    return page.mid(begin, end < 0 ? -1 : end - begin);
}

QStringList flagsOfSection(const QString& text)
{
    QStringList flags;
    static const QRegularExpression name(QStringLiteral("`(--[a-z-]+)"));
    for (const QString& line : text.split(u'\n')) {
        if (!line.startsWith(QStringLiteral("| `--")))
            continue;
        for (auto found = name.globalMatch(line.left(line.indexOf(QStringLiteral(" | ")))); found.hasNext();)
            flags << found.next().captured(1);
    }
    flags.sort();
    return flags;
}

const QStringList kVerbs{"models", "devices", "describe", "plan", "frontier", "compare", "max-batch", "explain",
    "chain", "solve", "replay", "verify", "run", "profile", "probe", "article", "export", "reference"};

} // namespace

/// The generated documents against what --help prints, which the parser writes itself.
class CliReferenceTest : public QObject {
    Q_OBJECT

private slots:
    void committedPageIsTheGeneratedOne()
    {
        QFile page(QStringLiteral(REMAT_TEST_DATA "/../../docs/cli.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const CliResult written = Cli()({"reference", "--to", "markdown"});
        QCOMPARE(written.exit, 0);
        QVERIFY2(
            page.readAll() == written.out, "build/bin/remat reference --to markdown --out docs/cli.md writes it anew");
    }

    void everyFlagOfEveryHelpIsInEveryDocument()
    {
        const Cli cli;
        const QString page = QString::fromUtf8(cli({"reference", "--to", "markdown"}).out);
        const QString manual = QString::fromUtf8(cli({"reference", "--to", "man"}).out).remove(u'\\');
        const QString bash = QString::fromUtf8(cli({"reference", "--to", "bash"}).out);
        const QString zsh = QString::fromUtf8(cli({"reference", "--to", "zsh"}).out);
        const QString fish = QString::fromUtf8(cli({"reference", "--to", "fish"}).out);
        QVERIFY(cli({"--help"}).out.contains("reference"));
        for (const QString& verb : kVerbs) {
            const CliResult help = cli({verb, "--help"});
            const QStringList flags = flagsOfHelp(help.out);
            QVERIFY2(flags.contains(QStringLiteral("--help")), qPrintable(verb));
            QCOMPARE(flagsOfSection(section(page, verb)), flags);
            for (const QString& flag : flags) {
                QVERIFY2(manual.contains("fB" + flag + "fR"), qPrintable(flag));
                QVERIFY2(bash.contains(flag), qPrintable(flag));
                QVERIFY2(zsh.contains("'" + flag + "[") || zsh.contains("'*" + flag + "["), qPrintable(flag));
                QVERIFY2(fish.contains("from " + verb + "' -l " + flag.mid(2) + " "), qPrintable(verb + flag));
            }
        }
    }

    void bashCompletesVerbsFlagsAndValues_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("expected");
        QTest::newRow("verb") << "remat fron"
                              << "frontier";
        QTest::newRow("flag") << "remat plan --micro"
                              << "--micro-batches";
        QTest::newRow("preset") << "remat plan --model gpt2-m"
                                << "gpt2-medium";
        QTest::newRow("strategy") << "remat plan --strategy optimal-"
                                  << "optimal-nested";
        QTest::newRow("choice") << "remat describe --attention s"
                                << "sdpa";
        QTest::newRow("export target") << "remat export plan.json --to mark"
                                       << "markdown";
    }
    void bashCompletesVerbsFlagsAndValues()
    {
        const QString bash = QStandardPaths::findExecutable(QStringLiteral("bash"));
        if (bash.isEmpty())
            QSKIP("no bash here");
        QFETCH(QString, words);
        QFETCH(QString, expected);
        const Cli cli;
        const QString script = cli.write(QStringLiteral("remat.bash"), cli({"reference", "--to", "bash"}).out);
        QProcess shell;
        shell.start(bash,
            {"-c",
                QStringLiteral(
                    "compopt() { :; }; source %1; COMP_WORDS=(%2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _remat; "
                    "printf '%s\n' \"${COMPREPLY[@]}\"")
                    .arg(script, words)});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()).trimmed(), expected);
        QCOMPARE(QString::fromUtf8(shell.readAllStandardError()), QString());
    }

    void unknownKindsAreNamed()
    {
        const CliResult result = Cli()({"reference", "--to", "html", "--json"});
        QCOMPARE(result.exit, 2);
        QCOMPARE(result.errorCode(), "unknown-reference");
    }
};

QTEST_GUILESS_MAIN(CliReferenceTest)
#include "cli_reference_test.moc"
