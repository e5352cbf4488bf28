// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <QRegularExpression>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

/// A fenced block of a page: what follows the fence's backticks, and its lines.
struct Block {
    QString kind, before; ///< "sh", "text", "json"; the line above the fence
    QStringList lines;
};

QList<Block> blocksOf(const QString& page)
{
    QList<Block> blocks;
    bool isInside = false;
    QString last;
    for (const QString& line : page.split(u'\n')) {
        if (line.startsWith(QStringLiteral("```"))) {
            if (!isInside)
                blocks.push_back({line.mid(3).trimmed(), last, {}});
            isInside = !isInside;
        } else if (isInside) {
            blocks.back().lines << line;
        }
        last = line;
    }
    return blocks;
}

/// The commands of remat in a block of shell, lines that end in a backslash joined, comments left out.
QStringList commandsOf(const Block& block)
{
    QStringList commands;
    QString command;
    for (const QString& line : block.lines) {
        command += line.section(QStringLiteral(" # "), 0, 0).trimmed();
        if (command.endsWith(u'\\')) {
            command.chop(1);
            continue;
        }
        if (command.startsWith(QStringLiteral("./")))
            command.remove(0, 2);
        if (command.startsWith(QStringLiteral("remat ")))
            commands << command;
        command.clear();
    }
    return commands;
}

/// Real runs, searches over batches, nested solves (of compare in the runtime profile) and the measurement of this CPU
/// take longer than a test may.
bool isLong(const QString& command)
{
    static const QRegularExpression slow(
        QStringLiteral("^remat (run|profile|max-batch|sweep|compare(?!.*--profile)) |optimal-nested"));
    static const QRegularExpression timed(
        QStringLiteral("^remat (describe|plan|compare|frontier|chain|devices|probe)\\b"));
    static const QRegularExpression elsewhere(QStringLiteral("--device|--costs|--profile (pytorch|paper)"));
    return slow.match(command).hasMatch() || (timed.match(command).hasMatch() && !elsewhere.match(command).hasMatch());
}

/// A quoted line of an answer, "…" standing for what differs between machines, as a pattern.
QRegularExpression patternOf(const QString& line)
{
    QStringList parts;
    for (const QString& part : line.simplified().split(QStringLiteral("…")))
        parts << QRegularExpression::escape(part.trimmed());
    return QRegularExpression(parts.join(QStringLiteral(".*")));
}

QString pageOf(const QString& name)
{
    QFile file(QStringLiteral(REMAT_TEST_DATA "/../../") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

/// A reader who types what a page says gets what it shows: every command of every page runs, in the page's order and in
/// one folder, and what a block "text" quotes below commands stands in their answers.  Lines that a page
/// quotes of our files are theirs.  What is long, and what reads its
/// files, waits for REMAT_LONG.
class CliDocumentsTest : public QObject {
    Q_OBJECT

private slots:
    void commandsAnswerAsThePageSays_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"README.md", "docs/tutorial.md", "docs/faq.md", "docs/comparison.md",
                 "docs/memory-model.md", "docs/planner.md", "docs/pytorch.md", "docs/runs.md", "CONTRIBUTING.md"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void commandsAnswerAsThePageSays()
    {
        QFETCH(const QString, name);
        const QString page = pageOf(name);
        QVERIFY(!page.isEmpty());
        const bool isLongTest = qEnvironmentVariableIsSet("REMAT_LONG");
        Cli cli;
        cli.runInItsFolder();
        QString answers;
        QStringList missing; // files that a command left out would have written
        bool isWhole = true;
        for (const Block& block : blocksOf(page)) {
            // "`grid.json`:" above a block names a file that the reader writes, "`core/...`:" one of ours that it
            // quotes.
            static const QRegularExpression file(QStringLiteral("^`([\\w./-]+)`:$"));
            if (const auto match = file.match(block.before); match.hasMatch()) {
                const QString path = match.captured(1), text = block.lines.join(u'\n');
                if (path.contains(u'/'))
                    QVERIFY2(pageOf(path).contains(text), qPrintable(path + " has no longer\n" + text));
                else
                    QVERIFY(!cli.write(path, text.toUtf8()).isEmpty());
            }
            if (block.kind == QLatin1String("sh")) {
                answers.clear();
                isWhole = true;
            }
            for (const QString& command : block.kind == QLatin1String("sh") ? commandsOf(block) : QStringList()) {
                const QStringList words = QProcess::splitCommand(command).mid(1);
                const bool lacksInput
                    = std::any_of(words.begin(), words.end(), [&](const QString& w) { return missing.contains(w); });
                if (!isLongTest && (isLong(command) || lacksInput)) {
                    isWhole = false;
                    if (const qsizetype out = words.indexOf(QStringLiteral("--out")); out >= 0)
                        missing << words.value(out + 1);
                    continue;
                }
                const CliResult result = cli(words, 900);
                QVERIFY2(result.exit == 0, qPrintable(command + ": " + QString::fromUtf8(result.err)));
                answers += QString::fromUtf8(result.out + result.err);
            }
            if (block.kind == QLatin1String("text") && isWhole)
                for (const QString& line : block.lines)
                    QVERIFY2(
                        patternOf(line).match(answers.simplified()).hasMatch(), qPrintable(line + "\nin\n" + answers));
        }
    }
};

QTEST_GUILESS_MAIN(CliDocumentsTest)
#include "cli_documents_test.moc"
