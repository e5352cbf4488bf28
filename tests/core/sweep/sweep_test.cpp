// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <set>
#include <sys/resource.h>

#include "core/base/files.h"
#include "core/sweep/sweep_results.h"
#include "core/sweep/sweep_run.h"
#include "core/sweep/sweep_table.h"

using namespace remat;

namespace {

constexpr const char* kGrid = R"({"format": "remat-grid", "version": 1,
 "axes": {"batch": [1, 2], "model": ["gpt2", {"model": "gpt2-medium", "layers": 48}], "attention": ["sdpa"],
          "strategy": ["optimal", "full"], "budget": ["8GiB", "16GiB", 1000]},
 "flags": {"device": "l4", "grads-resident": true}})";

SweepGrid gridOf(const char* text = kGrid)
{
    return SweepGrid::parse(text, "grid.json").value();
}

using Words = std::vector<std::string>;

SweepIdentity identityOf(const SweepGrid& grid)
{
    return {grid.text(), "0", "1.0", grid.studies(), grid.pointsOfStudy()};
}

std::string rowsFor(const SweepGrid& grid, std::int64_t study)
{
    std::string rows = "[";
    for (std::int64_t p = 0; p < grid.pointsOfStudy(); ++p)
        rows += std::string(p ? "," : "") + R"({"fits":)" + (p % 2 ? "true" : "false") + R"(,"peak_bytes":)"
            + std::to_string(100 * study + p) + "}";
    return rows + "]";
}

/// Not the atomic way, which waits for the disk each time.
bool put(const std::string& path, const std::string& content)
{
    QFile file(QString::fromStdString(path));
    file.remove(); // some file systems wait for the disk when a file is cut to nothing and filled anew
    return file.open(QIODevice::WriteOnly) && file.write(content.data(), static_cast<qint64>(content.size())) >= 0;
}

} // namespace

/// Grids, journals and results of sweeps.
class SweepTest : public QObject {
    Q_OBJECT

private slots:
    /// Numbers by hand: 1 attention x 2 models x 2 batches, each with 2 strategies x 3 budgets; the batch runs fastest.
    void pointsAreNumberedAsDocumented()
    {
        const SweepGrid grid = gridOf();
        QCOMPARE(grid.studies(), std::int64_t{4});
        QCOMPARE(grid.pointsOfStudy(), std::int64_t{6});
        QCOMPARE(grid.points(), std::int64_t{24});
        QCOMPARE(grid.columns(), Words({"attention", "model", "layers", "batch", "strategy", "budget"}));
        QCOMPARE(grid.valuesOf(0), Words({"sdpa", "gpt2", "", "1", "optimal", "8GiB"}));
        QCOMPARE(grid.valuesOf(5), Words({"sdpa", "gpt2", "", "1", "full", "1000"}));
        QCOMPARE(grid.valuesOf(6), Words({"sdpa", "gpt2", "", "2", "optimal", "8GiB"}));
        QCOMPARE(grid.valuesOf(23), Words({"sdpa", "gpt2-medium", "48", "2", "full", "1000"}));
        QCOMPARE(grid.wordsOf(3),
            Words({"--device", "l4", "--grads-resident", "--attention", "sdpa", "--layers", "48", "--model",
                "gpt2-medium", "--batch", "2"}));
        QCOMPARE(grid.valuesOfFlag("model"), Words({"gpt2", "gpt2-medium"}));
        std::set<Words> all;
        for (std::int64_t p = 0; p < grid.points(); ++p)
            all.insert(grid.valuesOf(p));
        QCOMPARE(all.size(), std::size_t{24});
    }

    void badGridsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("axes");
        QTest::addColumn<QByteArray>("flags");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty axis") << QByteArray(R"({"batch": []})") << QByteArray("{}") << "grid-axis-empty";
        QTest::newRow("no list") << QByteArray(R"({"batch": 3})") << QByteArray("{}") << "json-wrong-type";
        QTest::newRow("null") << QByteArray(R"({"batch": [null]})") << QByteArray("{}") << "grid-value";
        QTest::newRow("off") << QByteArray(R"({"batch": [1]})") << QByteArray(R"({"exact": false})") << "grid-value";
        QTest::newRow("out") << QByteArray(R"({"batch": [1]})") << QByteArray(R"({"out": "x"})")
                             << "grid-flag-of-sweep";
        QTest::newRow("group of budgets")
            << QByteArray(R"({"budget": [{"budget": 1, "batch": 2}]})") << QByteArray("{}") << "grid-group-not-here";
        QTest::newRow("twice") << QByteArray(R"({"batch": [1]})") << QByteArray(R"({"batch": 2})") << "grid-flag-twice";
        QTest::newRow("twice in axes") << QByteArray(R"({"batch": [1], "model": [{"model": "a", "batch": 2}]})")
                                       << QByteArray("{}") << "grid-flag-twice";
        const QByteArray many = "[" + QByteArray("1,").repeated(300) + "1]";
        QTest::newRow("too many") << R"({"batch": )" + many + R"(, "seq": )" + many + "}" << QByteArray("{}")
                                  << "grid-too-large";
    }

    void badGridsAreRefused()
    {
        QFETCH(QByteArray, axes);
        QFETCH(QByteArray, flags);
        QFETCH(QString, code);
        const QByteArray text
            = R"({"format": "remat-grid", "version": 1, "axes": )" + axes + R"(, "flags": )" + flags + "}";
        const auto grid = SweepGrid::parse(text.toStdString(), "grid.json");
        QVERIFY(!grid);
        QCOMPARE(QString::fromUtf8(grid.error().code->name.data()), code);
        QCOMPARE(static_cast<int>(grid.error().exitCode()), 3);
    }

    /// kill -9 leaves any beginning of the file: whatever its length, what is whole counts, the rest is cut off, and
    /// the sweep goes on to the very same bytes.
    void everyBeginningOfAJournalIsTakenUp()
    {
        const SweepGrid grid = gridOf();
        {
            Result<SweepJournal> journal = SweepJournal::open(path("whole"), identityOf(grid));
            QVERIFY(journal);
            for (const std::int64_t study : {2, 0, 3, 1})
                QVERIFY(journal->append(study, rowsFor(grid, study)));
        }
        const std::string whole = readFile(path("whole")).value();
        const auto lines = std::count(whole.begin(), whole.end(), '\n');
        QCOMPARE(lines, std::ptrdiff_t{5});
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            const std::string part = whole.substr(0, length);
            QVERIFY(put(path("part"), part));
            const auto wholeLines = std::count(part.begin(), part.end(), '\n');
            Result<SweepJournal> journal = SweepJournal::open(path("part"), identityOf(grid));
            QVERIFY2(journal, qPrintable(QString::number(length)));
            QCOMPARE(missingStudies(journal->rows()), 4 - std::max<std::int64_t>(wholeLines - 1, 0));
            QCOMPARE(journal->cutOff(),
                static_cast<std::int64_t>(
                    part.size() - (part.rfind('\n') == std::string::npos ? 0 : part.rfind('\n') + 1)));
            for (const std::int64_t study : {2, 0, 3, 1})
                if (!journal->rows()[static_cast<std::size_t>(study)])
                    QVERIFY(journal->append(study, rowsFor(grid, study)));
            QCOMPARE(readFile(path("part")).value(), whole);
        }
    }

    void journalsOfOthersAreRefused()
    {
        const SweepGrid grid = gridOf();
        const SweepIdentity mine = identityOf(grid);
        const auto code = [this](const SweepIdentity& identity) {
            const auto journal = SweepJournal::open(path("journal"), identity);
            return journal ? QString() : QString::fromUtf8(journal.error().code->name.data());
        };
        {
            Result<SweepJournal> journal = SweepJournal::open(path("journal"), mine);
            QVERIFY(journal && journal->append(0, rowsFor(grid, 0)));
            QCOMPARE(code(mine), QString("journal-in-use"));
        }
        QCOMPARE(code(mine), QString());
        for (std::string SweepIdentity::*part : {&SweepIdentity::inputs, &SweepIdentity::release}) {
            SweepIdentity other = mine;
            other.*part += "1";
            QCOMPARE(code(other), QString("journal-of-other-sweep"));
        }
        SweepIdentity other = mine;
        other.grid = gridOf(R"({"format": "remat-grid", "version": 1, "axes": {"batch": [1]}})").text();
        QCOMPARE(code(other), QString("journal-of-other-sweep"));
        // Nothing of a file that is somebody else's is lost.
        for (const char* content : {"a letter", "a letter\nof two lines\n"}) {
            QVERIFY(put(path("journal"), content));
            QVERIFY(!code(mine).isEmpty());
            QCOMPARE(readFile(path("journal")).value(), std::string(content));
        }
        // A line that is none of ours ends what counts: study 9, five rows, rows that are no objects.
        for (const char* line : {R"({"study":9,"rows":[{},{},{},{},{},{}]})", R"({"study":1,"rows":[{},{},{},{},{}]})",
                 R"({"study":1,"rows":[1,2,3,4,5,6]})", "\0\0\0\0"}) {
            QFile::remove(QString::fromStdString(path("journal")));
            QVERIFY(code(mine).isEmpty());
            const std::string begin = readFile(path("journal")).value();
            QVERIFY(put(path("journal"), begin + line + "\n"));
            QVERIFY(code(mine).isEmpty());
            QCOMPARE(readFile(path("journal")).value(), begin);
        }
    }

    /// A disk that is full in the middle of a line: the error says so, and the file ends with a whole line.
    void fullDiskLeavesWholeLines()
    {
        const SweepGrid grid = gridOf();
        Result<SweepJournal> journal = SweepJournal::open(path("journal"), identityOf(grid));
        QVERIFY(journal && journal->append(0, rowsFor(grid, 0)));
        const std::string before = readFile(path("journal")).value();
        const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
        rlimit narrow = old;
        narrow.rlim_cur = before.size() + 20;
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &narrow), 0);
        const Result<void> written = journal->append(1, rowsFor(grid, 1));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
        std::signal(SIGXFSZ, oldHandler);
        QVERIFY(!written);
        QCOMPARE(QString::fromUtf8(written.error().code->name.data()), QString("journal-cannot-be-written"));
        QCOMPARE(readFile(path("journal")).value(), before);
        QVERIFY(!journal->rows()[1]);
        QVERIFY(journal->append(1, rowsFor(grid, 1)));
    }

    void resultsAreInTheOrderOfTheNumbers()
    {
        const SweepGrid grid = gridOf();
        SweepRows rows;
        for (std::int64_t study = 0; study < grid.studies(); ++study)
            rows.emplace_back(rowsFor(grid, study));
        const SweepResults results = sweepResults(grid, rows);
        QCOMPARE(results.count.points, std::int64_t{24});
        QCOMPARE(results.count.fitting, std::int64_t{12});
        QCOMPARE(results.count.problems, std::int64_t{0});
        QCOMPARE(results.count.onDevice, std::int64_t{0}); // these rows do not say
        const QStringList lines = QString::fromStdString(results.csv).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 25);
        QVERIFY(lines[0].startsWith("attention,model,layers,batch,strategy,budget,fits,fits_device,peak_bytes,"));
        QVERIFY2(lines[24].startsWith("sdpa,gpt2-medium,48,2,full,1000,true,,305,"), qPrintable(lines[24]));
    }

    /// Parts are disjoint and make the whole.
    /// What is written is read back, with the flags and figures of its rows; the rows are made up, by rowsFor().
    void resultsAreReadBack()
    {
        const SweepGrid grid = gridOf();
        SweepRows rows;
        for (std::int64_t study = 0; study < grid.studies(); ++study)
            rows.push_back(rowsFor(grid, study));
        rows[3] = R"([{"fits": false, "problem": {"code": "c", "message": "no"}},
            {"fits": false, "problem": null, "least_budget_bytes": 77},
            {"fits": true, "peak_bytes": 5, "step_ns": 6, "extra_time": 0.25, "samples_per_second": 1.5},
            {"fits": true}, {"fits": true}, {"fits": true}])";
        const std::string text = sweepResults(grid, rows).json;
        const Result<SweepTable> table = parseSweepResults(text, "r.json");
        QVERIFY(table);
        QCOMPARE(table->columns, grid.columns());
        QCOMPARE(table->points.size(), std::size_t{24});
        QCOMPARE(table->points[7].peak, std::optional<Bytes>(Bytes{101}));
        QCOMPARE(table->points[7].values, grid.valuesOf(7));
        QVERIFY(table->points[7].fits && !table->points[6].fits);
        QCOMPARE(table->points[18].problem, std::string("no"));
        QCOMPARE(table->points[19].leastBudget, std::optional<Bytes>(Bytes{77}));
        QCOMPARE(table->points[20].step, std::optional<Nanoseconds>(Nanoseconds{6}));
        QCOMPARE(table->points[20].extraTime, std::optional(0.25));
        QCOMPARE(table->points[20].samplesPerSecond, std::optional(1.5));
        Words axes;
        for (const SweepTable::Axis& axis : table->axes())
            axes.push_back(table->columns[axis.column] + "/" + std::to_string(axis.values.size()));
        QCOMPARE(axes, Words({"model/2", "layers/2", "batch/2", "strategy/2", "budget/3"}));
        const GridFlags flags = table->flagsOf(table->points[0]);
        QCOMPARE(flags.at("device"), Words{"l4"});
        QCOMPARE(flags.at("grads-resident"), Words());
        QCOMPARE(flags.at("budget"), Words{"8GiB"});
        QVERIFY(!flags.contains("layers"));
        // A file that disagrees with itself is refused at the place.
        std::string other = text;
        other.replace(other.rfind("16GiB"), 5, "17GiB");
        QVERIFY(!parseSweepResults(other, "r.json"));
        std::string fewer = text;
        fewer.erase(fewer.rfind(",\n  {"), fewer.rfind("\n ]") - fewer.rfind(",\n  {"));
        const Result<SweepTable> short23 = parseSweepResults(fewer, "r.json");
        QVERIFY(!short23);
        QCOMPARE(std::string(short23.error().code->name), std::string("sweep-points-differ"));
        QVERIFY(!parseSweepResults(R"({"format": "remat-sweep", "version": 1})", "r.json"));
    }

    void partsMakeTheWhole()
    {
        std::set<std::int64_t> all;
        for (std::int64_t part = 0; part < 7; ++part)
            for (const std::int64_t study : studiesOfPart(100, part, 7))
                QVERIFY(all.insert(study).second);
        QCOMPARE(all.size(), std::size_t{100});
        QCOMPARE(*all.rbegin(), std::int64_t{99});
    }

    void cleanup()
    {
        for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files))
            QFile::remove(m_folder.filePath(name));
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(SweepTest)
#include "sweep_test.moc"
