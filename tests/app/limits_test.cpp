// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/chain/chain_file.h"
#include "core/chain/schedule_file.h"
#include "core/cost/devices.h"
#include "core/model/catalog_files.h"
#include "core/model/presets.h"
#include "core/paper/parallelism.h"
#include "core/plan/nested_planner.h"
#include "core/regions/region_request.h"
#include "core/run/launch_profile.h"
#include "core/run/run_request.h"
#include "core/sweep/sweep_grid.h"
#include "tests/support/run_samples.h"

using namespace remat;
using nlohmann::json;

namespace {

/// Whether a reader takes what has that many of it.
using Takes = std::function<bool(std::int64_t count)>;

/// False where a limit is why it is refused; other mistakes of these makeshift inputs are none of this test's.
template <class T> bool isWithin(const Result<T>& read)
{
    static const std::set<std::string_view> limits{"json-too-many", "json-out-of-range", "json-too-deep",
        "size-out-of-bounds", "name-out-of-bounds", "grid-too-large", "file-too-large", "chain-too-many-options",
        "nested-too-many-stages", "parallel-degree-out-of-bounds", "torch-too-many-layers"};
    return read || !limits.contains(read.error().code->name);
}

/// "[0,0,0]".
std::string zeros(std::int64_t count)
{
    std::string text = "[0";
    for (std::int64_t i = 1; i < count; ++i)
        text += ",0";
    return text + "]";
}

template <class Change> Takes model(const Change& change)
{
    return [change](std::int64_t value) {
        ModelShape shape = *findPreset("tiny-gpt2");
        change(shape, value);
        return isWithin(validateShape(shape));
    };
}

Takes setup(std::int64_t TrainingSetup::*size)
{
    return [size](std::int64_t value) {
        ModelShape shape = *findPreset("tiny-gpt2");
        shape.maxPositions = kMaxPositions;
        TrainingSetup setup = withDefaults(shape, {});
        setup.*size = value;
        return isWithin(validate(shape, setup));
    };
}

bool takesFileOf(std::int64_t bytes)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("large"));
    return file.open(QIODevice::WriteOnly) && file.resize(bytes) && isWithin(readFile(file.fileName().toStdString()));
}

bool takesNesting(std::int64_t depth)
{
    const auto levels = static_cast<std::size_t>(depth);
    return isWithin(parseJson(std::string(levels, '[') + std::string(levels, ']'), ""));
}

bool takesQuantity(std::int64_t value)
{
    const json document = value;
    const JsonCursor cursor(document, "");
    (void)cursor.bytes();
    return !cursor.failed();
}

std::string chainText(const std::string& stages)
{
    return R"({"format": "remat-chain", "version": 1, "name": "x", "base_bytes": 0, "stages": )" + stages + "}";
}

bool takesStages(std::int64_t count)
{
    return isWithin(parseChain(chainText(zeros(count)), ""));
}

bool takesOptions(std::int64_t count)
{
    return isWithin(parseChain(chainText(R"([{"name": "a", "out_bytes": 0, "grad_bytes": 0, "weight_grad_bytes": 0,
 "forward_ns": 0, "forward_temp_bytes": 0, "options": )"
                                   + zeros(count) + "}]"),
        ""));
}

bool takesNestedStages(std::int64_t count)
{
    Chain chain;
    chain.stages.resize(static_cast<std::size_t>(count));
    for (Stage& stage : chain.stages)
        stage.options.resize(1);
    // It stops before its first table.
    std::stop_source stop;
    stop.request_stop();
    NestedLimits limits;
    limits.cancel = stop.get_token();
    return isWithin(NestedPlanner(chain, limits).solve());
}

bool takesSimulatedLayers(std::int64_t count)
{
    RegionRequest request{*findPreset("tiny-gpt2"), {}, *devices().find("l4")};
    request.shape.layers = count;
    return isWithin(validate(request));
}

bool takesOps(std::int64_t count)
{
    return isWithin(parseSchedule(zeros(count), Chain{}, ""));
}

Takes request(const char* key)
{
    return [key](std::int64_t value) {
        json request = json::parse(requestLine({remat::testing::samplePlan("tiny-gpt2", Strategy::Kind::Full)}));
        request[key] = value;
        return isWithin(parseRunRequest(request.dump(), ""));
    };
}

bool takesDegree(std::int64_t degree)
{
    Parallelism parallelism;
    parallelism.data = degree;
    return isWithin(validate(*findPreset("tiny-gpt2"), parallelism));
}

std::string gridText(std::int64_t first, std::int64_t second)
{
    return R"({"format": "remat-grid", "version": 1, "axes": {"batch": )" + zeros(first) + R"(, "seq": )"
        + zeros(second) + "}}";
}

bool takesValues(std::int64_t count)
{
    return isWithin(SweepGrid::parse(gridText(count, 1), ""));
}

bool takesPoints(std::int64_t count)
{
    // Two axes with that many points, neither of them too long.
    std::int64_t first = 1;
    for (std::int64_t i = 2; i * i <= count; ++i)
        if (count % i == 0)
            first = i;
    return isWithin(SweepGrid::parse(gridText(first, count / first), ""));
}

bool takesWords(std::int64_t count)
{
    return isWithin(
        parseLaunchProfile(R"({"format": "remat-launch", "version": 1, "prefix": )" + zeros(count) + "}", ""));
}

bool takesFiles(std::int64_t count)
{
    const QTemporaryDir folder;
    QDir().mkpath(folder.filePath("presets"));
    for (std::int64_t i = 0; i < count; ++i)
        if (!QFile(folder.filePath(QString("presets/%1.json").arg(i))).open(QIODevice::WriteOnly))
            return false;
    const std::vector<Error> problems = catalogFiles("presets", folder.path().toStdString()).problems;
    return std::none_of(problems.begin(), problems.end(),
        [](const Error& problem) { return problem.code->name == std::string_view("folder-too-many-files"); });
}

/// The rows of the table; what a row counts, in its order.
const std::map<QString, std::vector<Takes>>& rows()
{
    static const std::map<QString, std::vector<Takes>> all{
        {"bytes of a file or of a line of the worker's protocol", {takesFileOf}},
        {"nesting of JSON", {takesNesting}},
        {"a quantity, and every sum of a step's or chain's quantities", {takesQuantity}},
        {"layers of a model; in the profile pytorch, which simulates each",
            {model([](ModelShape& m, std::int64_t n) { m.layers = n; }), takesSimulatedLayers}},
        {"width, width inside the FFN",
            {model([](ModelShape& m, std::int64_t n) {
                 m.heads = 1;
                 m.hidden = n;
             }),
                model([](ModelShape& m, std::int64_t n) { m.ffn = n; })}},
        {"vocabulary, positions, batch, micro-batches",
            {model([](ModelShape& m, std::int64_t n) { m.vocabulary = n; }),
                model([](ModelShape& m, std::int64_t n) { m.maxPositions = n; }), setup(&TrainingSetup::batch),
                setup(&TrainingSetup::microBatches)}},
        {"experts of a layer", {model([](ModelShape& m, std::int64_t n) { m.experts = n; })}},
        {"side of an image in pixels, its channels",
            {model([](ModelShape& m, std::int64_t n) {
                 m.image = {n, 1, 1, 1, 3};
             }),
                model([](ModelShape& m, std::int64_t n) {
                    m.image = {1, 1, 1, 1, n};
                })}},
        {"bytes of a model's or a device's name",
            {model([](ModelShape& m, std::int64_t n) { m.name.assign(static_cast<std::size_t>(n), 'x'); })}},
        {"stages of a chain; its options in all", {takesStages, takesOptions}},
        {"stages of a nested solve", {takesNestedStages}},
        {"ops of a schedule", {takesOps}},
        {"measured steps, threads of a run", {request("steps"), request("threads")}},
        {"a degree of parallelism", {takesDegree}},
        {"values of an axis of a sweep, points of a sweep", {takesValues, takesPoints}},
        {"words of a launch profile's list", {takesWords}},
        {"files in a person's folder of presets, devices or lessons", {takesFiles}},
    };
    return all;
}

/// "64 MiB", "2^61", "10,000".
std::int64_t numberOf(QString text)
{
    const bool isMiB = text.endsWith(" MiB");
    const QString digits = text.remove(" MiB").remove(',');
    const qsizetype power = digits.indexOf('^');
    const std::int64_t number = power < 0 ? digits.toLongLong() : std::int64_t{1} << digits.mid(power + 1).toInt();
    return isMiB ? number << 20 : number;
}

} // namespace

/// The table of limits in docs/file-formats.md: what it says is taken, one more is refused, and no row is missing.
class LimitsTest : public QObject {
    Q_OBJECT

private slots:
    void whatTheDocumentsSayIsEnforced_data()
    {
        QTest::addColumn<QString>("numbers");
        QFile file(QStringLiteral(REMAT_TEST_DATA "/../../docs/file-formats.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        static const QRegularExpression row("^\\| ([^|]+) \\| ([0-9][^|]*) \\|$", QRegularExpression::MultilineOption);
        QSet<QString> told;
        for (auto found = row.globalMatch(text.mid(text.indexOf("\n## Limits\n"))); found.hasNext();) {
            const auto match = found.next();
            told.insert(match.captured(1));
            QTest::newRow(qPrintable(match.captured(1))) << match.captured(2);
        }
        for (const auto& [name, takes] : rows())
            QVERIFY2(told.contains(name), qPrintable(name + " is not in the table"));
    }

    void whatTheDocumentsSayIsEnforced()
    {
        QFETCH(QString, numbers);
        const auto row = rows().find(QString::fromUtf8(QTest::currentDataTag()));
        QVERIFY2(row != rows().end(), "this test does not know the row");
        // One number may stand for all that a row names.
        static const QRegularExpression between("[;,] ");
        const QStringList most = numbers.split(between);
        for (std::size_t i = 0; i < row->second.size(); ++i) {
            const std::int64_t limit = numberOf(most.at(most.size() == 1 ? 0 : static_cast<qsizetype>(i)));
            QVERIFY(limit > 0);
            QVERIFY2(row->second[i](limit), "the limit itself is refused");
            QVERIFY2(!row->second[i](limit + 1), "one more is taken");
        }
    }
};

QTEST_GUILESS_MAIN(LimitsTest)
#include "limits_test.moc"
