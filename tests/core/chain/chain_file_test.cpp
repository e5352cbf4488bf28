// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/chain_file.h"

#include <functional>

#include <QtCore/QDir>
#include <QtTest/QTest>
#include <nlohmann/json.hpp>

#include "core/base/files.h"

using namespace remat;
using nlohmann::json;

namespace {

/// Two stages with two options and one, keys as docs/file-formats.md lists them.
const char* const kExample = R"({ "format": "remat-chain", "version": 1, "name": "two stages", "base_bytes": 1000,
  "stages": [
    { "name": "layer 0", "out_bytes": 100, "grad_bytes": 100, "weight_grad_bytes": 40,
      "forward_ns": 10, "forward_temp_bytes": 20,
      "options": [
        { "name": "all",  "saved_bytes": 300, "needs_input": true, "needs_output": false,
          "forward_temp_bytes": 0,  "backward_ns": 20, "backward_temp_bytes": 250 },
        { "name": "lean", "saved_bytes": 120, "needs_input": true, "needs_output": false,
          "forward_temp_bytes": 90, "backward_ns": 24, "backward_temp_bytes": 430 } ] },
    { "name": "loss", "out_bytes": 4, "grad_bytes": 0, "weight_grad_bytes": 0,
      "forward_ns": 3, "forward_temp_bytes": 0,
      "options": [ { "name": "all", "saved_bytes": 50, "needs_input": true, "needs_output": false,
          "forward_temp_bytes": 0, "backward_ns": 6, "backward_temp_bytes": 150 } ] } ] })";

constexpr std::int64_t kTooLarge = (std::int64_t{1} << 61) + 1;

} // namespace

class ChainFileTest : public QObject {
    Q_OBJECT
private slots:
    void readsTheExampleOfTheDefinition()
    {
        const auto chain = parseChain(kExample, "example");
        QVERIFY(static_cast<bool>(chain));
        QCOMPARE(chain->name, std::string("two stages"));
        QCOMPARE(chain->baseBytes.value, 1000);
        QCOMPARE(chain->stepEndBytes.value, 0);
        QCOMPARE(chain->stages.size(), std::size_t{2});
        const Stage& layer = chain->stages[0];
        QCOMPARE(layer.weightGradBytes.value, 40);
        QCOMPARE(layer.options[1].name, std::string("lean"));
        QCOMPARE(layer.options[1].backwardTempBytes.value, 430);
        QCOMPARE(layer.options[1].reruns, 0);
        QVERIFY(layer.options[0].needsInput);
        QVERIFY(!layer.options[0].needsOutput);
    }

    void writesWhatItReads_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(REMAT_TEST_DATA "/chains");
        const QStringList files = folder.entryList({"*.chain.json"});
        QVERIFY(files.size() >= 40);
        for (const QString& file : files)
            QTest::addRow("%s", qPrintable(file)) << folder.filePath(file);
    }
    void writesWhatItReads()
    {
        QFETCH(QString, file);
        const auto chain = readChain(file.toStdString());
        QVERIFY2(static_cast<bool>(chain), chain ? "" : englishSentence(chain.error()).c_str());
        const auto again = parseChain(toJson(*chain).dump(), "again");
        QVERIFY(static_cast<bool>(again));
        QVERIFY(*again == *chain);
        Chain once = *chain;
        for (Stage& stage : once.stages)
            stage.runsOnce = true;
        QVERIFY(parseChain(toJson(once).dump(), "once").value() == once);
    }

    void refusesEveryTruncation()
    {
        const std::string text = kExample;
        for (std::size_t length = 0; length < text.size() - 1; ++length)
            QVERIFY2(!parseChain(text.substr(0, length), "cut"), std::to_string(length).c_str());
    }

    void refusesBrokenFiles_data()
    {
        using Edit = std::function<void(json&)>;
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        const auto add = [](const char* name, const char* code, const char* where, const Edit& edit) {
            json chain = json::parse(kExample);
            edit(chain);
            QTest::addRow("%s", name) << QString::fromStdString(chain.dump()) << code << where;
        };
        const auto option = [](json& c) -> json& { return c["stages"][0]["options"][1]; };
        add("other format", "wrong-format", "f", [](json& c) { c["format"] = "remat-plan"; });
        add("other version", "wrong-format", "f", [](json& c) { c["version"] = 2; });
        add("a list", "wrong-format", "f", [](json& c) { c = json::array(); });
        add("no stages key", "json-missing-key", "f: stages", [](json& c) { c.erase("stages"); });
        add("no stages", "chain-no-stages", "f: stages", [](json& c) { c["stages"] = json::array(); });
        add("stages a number", "json-wrong-type", "f: stages", [](json& c) { c["stages"] = 1000000000; });
        add("no options", "chain-no-options", "f: stages[0].options",
            [](json& c) { c["stages"][0]["options"] = json::array(); });
        add("missing key", "json-missing-key", "f: stages[1].out_bytes",
            [](json& c) { c["stages"][1].erase("out_bytes"); });
        add("negative bytes", "json-out-of-range", "f: base_bytes", [](json& c) { c["base_bytes"] = -1; });
        add("fraction", "json-wrong-type", "f: stages[0].options[1].saved_bytes",
            [&](json& c) { option(c)["saved_bytes"] = 1.5; });
        add("text for a number", "json-wrong-type", "f: stages[0].forward_ns",
            [](json& c) { c["stages"][0]["forward_ns"] = "10"; });
        add("null for a number", "json-wrong-type", "f: stages[0].forward_ns",
            [](json& c) { c["stages"][0]["forward_ns"] = nullptr; });
        add("number for a flag", "json-wrong-type", "f: stages[0].options[1].needs_input",
            [&](json& c) { option(c)["needs_input"] = 1; });
        add("1e300 bytes", "json-wrong-type", "f: base_bytes", [](json& c) { c["base_bytes"] = 1e300; });
        add("above 2^61", "json-out-of-range", "f: base_bytes", [](json& c) { c["base_bytes"] = kTooLarge; });
        add("2^64 - 1", "json-out-of-range", "f: base_bytes", [](json& c) { c["base_bytes"] = ~std::uint64_t{0}; });
        add("sum of bytes above 2^61", "chain-sum-too-large", "f", [](json& c) {
            c["base_bytes"] = std::int64_t{1} << 60;
            c["stages"][0]["weight_grad_bytes"] = std::int64_t{1} << 59;
            c["stages"][0]["options"][0]["backward_temp_bytes"] = std::int64_t{1} << 60;
        });
        add("sum of times above 2^61", "chain-sum-too-large", "f", [](json& c) {
            c["stages"][0]["forward_ns"] = std::int64_t{1} << 61;
            c["stages"][1]["forward_ns"] = std::int64_t{1} << 61;
        });
        add("option called none", "chain-reserved-option", "f: stages[0].options[1].name",
            [&](json& c) { option(c)["name"] = "none"; });
        add("two options with one name", "chain-double-option", "f: stages[0].options[1].name",
            [&](json& c) { option(c)["name"] = "all"; });
        add("loss with a gradient", "chain-loss-gradient", "f: stages[1].grad_bytes",
            [](json& c) { c["stages"][1]["grad_bytes"] = 1; });
        // The loss makes y_1 of 100 bytes and frees 50: at its end 50 more exist than at its start.
        add("backward below what it leaves", "chain-small-backward-temp", "f: stages[1].options[0].backward_temp_bytes",
            [](json& c) { c["stages"][1]["options"][0]["backward_temp_bytes"] = 49; });
        add("one kind, two sizes", "chain-kind-differs", "f: stages[1]", [](json& c) {
            c["stages"][0]["kind"] = "k";
            c["stages"][1]["kind"] = "k";
        });
        add("negative reruns", "json-out-of-range", "f: stages[0].options[1].reruns",
            [&](json& c) { option(c)["reruns"] = -1; });
        QTest::addRow("NaN") << R"({"format": "remat-chain", "version": 1, "base_bytes": NaN})"
                             << "not-json"
                             << "f";
        QTest::addRow("number out of every range") << R"({"format": "remat-chain", "version": 1, "base_bytes": 1e999})"
                                                   << "not-json"
                                                   << "f";
        QTest::addRow("empty") << ""
                               << "not-json"
                               << "f";
        QTest::addRow("binary") << QString::fromLatin1("\x7f"
                                                       "ELF\x01\x02")
                                << "not-json"
                                << "f";
        QTest::addRow("nested 100,000 deep") << QString(100000, '[') << "json-too-deep"
                                             << "f";
        QTest::addRow("a key twice") << R"({"format": "remat-chain", "format": "remat-chain", "version": 1})"
                                     << "json-double-key"
                                     << "f";
    }
    void refusesBrokenFiles()
    {
        QFETCH(QString, text);
        const auto chain = parseChain(text.toStdString(), "f");
        QVERIFY(!chain);
        QTEST(QString::fromStdString(std::string(chain.error().code->name)), "code");
        QTEST(QString::fromStdString(chain.error().where), "where");
        QCOMPARE(chain.error().exitCode(), ExitCode::BadInput);
        QVERIFY(!englishRemedy(chain.error()).empty());
    }

    void acceptsTheLeastBackwardTemp()
    {
        json chain = json::parse(kExample);
        chain["stages"][1]["options"][0]["backward_temp_bytes"] = 50;
        QVERIFY(static_cast<bool>(parseChain(chain.dump(), "f")));
    }

    void acceptsExactly2To61Bytes()
    {
        // Objects of the example: 100 + 100 + 40 + 300 and 4 + 50; the largest temporary is 430.
        const std::int64_t rest = 540 + 54 + 430;
        json chain = json::parse(kExample);
        chain["base_bytes"] = kMaxQuantity - rest;
        QVERIFY(static_cast<bool>(parseChain(chain.dump(), "f")));
        chain["base_bytes"] = kMaxQuantity - rest + 1;
        QVERIFY(!parseChain(chain.dump(), "f"));
    }

    void refusesMoreStagesAndOptionsThanItCanHold()
    {
        json chain = json::parse(kExample);
        chain["stages"] = std::vector<int>(kMaxChainStages + 1);
        QCOMPARE(std::string(parseChain(chain.dump(), "f").error().code->name), std::string("json-too-many"));

        json many = json::parse(kExample);
        many["stages"][1]["options"] = std::vector<int>(kMaxChainOptions);
        QCOMPARE(std::string(parseChain(many.dump(), "f").error().code->name), std::string("chain-too-many-options"));
    }

    void refusesWhatIsNoFile()
    {
        QVERIFY(!readChain(std::string(REMAT_TEST_DATA "/chains/no-such.chain.json")));
        QVERIFY(!readChain(std::string(REMAT_TEST_DATA "/chains")));
    }
};

QTEST_APPLESS_MAIN(ChainFileTest)
#include "chain_file_test.moc"
