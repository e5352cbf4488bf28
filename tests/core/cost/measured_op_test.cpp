// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/cost/measured_op.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

std::vector<MeasuredOp> measuredOpsOf(const Variety& variety)
{
    const StepTape tape = buildStepTape(smallShape(variety, 2, 2, 16, 128, 300, 32), setupOf(variety, 2, 32), {});
    std::vector<MeasuredOp> ops;
    for (const StageTape& kind : tape.kinds)
        for (const Op& op : kind.ops)
            if (!findMeasuredOp(ops, op, ElementType::Fp32)) {
                const auto i = static_cast<std::int64_t>(ops.size());
                ops.push_back({op.kind, op.dims, ElementType::Fp32, {1000 + i}, {2000 + i}});
            }
    return ops;
}

Result<std::vector<MeasuredOp>> read(const nlohmann::json& json)
{
    const JsonCursor at(json, "costs.json");
    std::vector<MeasuredOp> ops = readMeasuredOps(at);
    return at.failed() ? Result<std::vector<MeasuredOp>>(at.error()) : std::move(ops);
}

} // namespace

class MeasuredOpTest : public QObject {
    Q_OBJECT
private slots:
    void everyOpComesBack_data()
    {
        QTest::addColumn<bool>("isBert");
        QTest::addColumn<bool>("isLlama");
        QTest::addColumn<bool>("isStored");
        QTest::newRow("gpt2, dropout") << false << false << false;
        QTest::newRow("bert, scores stored") << true << false << true;
        QTest::newRow("llama, chunked loss") << false << true << false;
    }
    void everyOpComesBack()
    {
        QFETCH(bool, isBert);
        QFETCH(bool, isLlama);
        QFETCH(bool, isStored);
        const Variety variety{.isBert = isBert,
            .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked,
            .headChunks = isLlama ? 2 : 1,
            .hasDropout = !isLlama,
            .isLlama = isLlama};
        const std::vector<MeasuredOp> ops = measuredOpsOf(variety);
        QVERIFY(ops.size() > 8);
        // Through text, as files go.
        const Result<std::vector<MeasuredOp>> again = read(nlohmann::json::parse(toJson(ops).dump()));
        QVERIFY2(again, again ? "" : englishSentence(again.error()).c_str());
        QCOMPARE(*again, ops);
    }

    void alikeIsSameKindSizesAndStorage()
    {
        Op op{.kind = OpKind::Linear, .name = "ffn_up", .dims = {.rows = 64, .in = 16, .out = 128}};
        const std::vector<MeasuredOp> ops{{op.kind, op.dims, ElementType::Fp32, {10}, {20}}};
        QCOMPARE(findMeasuredOp(ops, op, ElementType::Fp32), &ops[0]);
        QVERIFY(!findMeasuredOp(ops, op, ElementType::Bf16));
        op.dims.rows = 65;
        QVERIFY(!findMeasuredOp(ops, op, ElementType::Fp32));
        op.dims.rows = 64;
        op.kind = OpKind::LayerNorm;
        QVERIFY(!findMeasuredOp(ops, op, ElementType::Fp32));
    }

    void badListsNameTheKey_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* pointer, const char* value, const char* where) {
            QTest::newRow(name) << pointer << value << where;
        };
        row("no list", "", "3", "costs.json");
        row("kind", "/0/kind", "\"convolution\"", "[0].kind");
        row("storage", "/0/storage", "\"fp8\"", "[0].storage");
        row("negative size", "/1/rows", "-1", "[1].rows");
        row("half a size", "/1/rows", "1.5", "[1].rows");
        row("negative time", "/2/forward_ns", "-1", "[2].forward_ns");
        row("more than an hour", "/2/backward_ns", "3600000000001", "[2].backward_ns");
        row("negative factor", "/2/dropout", "-0.1", "[2].dropout");
        row("activation", "/2/activation", "\"tanh\"", "[2].activation");
    }
    void badListsNameTheKey()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, where);
        nlohmann::json json = toJson(measuredOpsOf({}));
        json[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
        const auto ops = read(json);
        QVERIFY(!ops);
        QVERIFY2(ops.error().where.ends_with(where.toStdString()), ops.error().where.c_str());
        QCOMPARE(ops.error().exitCode(), ExitCode::BadInput);
    }

    void anOpIsMeasuredOnce()
    {
        nlohmann::json json = toJson(measuredOpsOf({}));
        json.push_back(json[1]);
        const auto ops = read(json);
        QVERIFY(!ops);
        QCOMPARE(std::string(ops.error().code->name), std::string("measured-op-twice"));
    }

    /// A misspelt size is not a size of 0.
    void unknownKeysAreRefused()
    {
        nlohmann::json json = toJson(measuredOpsOf({}));
        json[1]["seqence"] = 32;
        const auto ops = read(json);
        QVERIFY(!ops);
        QVERIFY2(ops.error().where.ends_with("[1]"), ops.error().where.c_str());
        QCOMPARE(std::string(ops.error().code->name), std::string("measured-op-key-unknown"));
        const std::string sentence = englishSentence(ops.error());
        QVERIFY2(sentence.find("\"seqence\"") != std::string::npos, sentence.c_str());
        const std::string remedy = englishRemedy(ops.error());
        QVERIFY2(remedy.find("sequence") != std::string::npos && remedy.find("activation") != std::string::npos,
            remedy.c_str());
    }

    void listsAreBounded()
    {
        nlohmann::json json = nlohmann::json::array();
        for (std::size_t i = 0; i <= kMostMeasuredOps; ++i)
            json.push_back({{"kind", "add"}, {"storage", "fp32"}, {"rows", i}, {"forward_ns", 1}, {"backward_ns", 1}});
        QVERIFY(!read(json));
        json.erase(json.begin());
        QVERIFY(read(json));
    }
};

QTEST_APPLESS_MAIN(MeasuredOpTest)
#include "measured_op_test.moc"
