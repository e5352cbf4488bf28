// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/model_json.h"
#include "core/model/nearest_names.h"
#include "core/model/presets.h"
#include "core/model/training_setup.h"

using namespace remat;

namespace {

/// Parameters by the closed formulas of the families: embeddings, norms, L (4C^2+4C + 2CF+F+C + 4C), head.
std::int64_t parameters(const ModelShape& s)
{
    const std::int64_t C = s.hidden, F = s.ffn, V = s.vocabulary;
    const std::int64_t blocks = s.layers * (4 * C * C + 4 * C + 2 * C * F + F + C + 4 * C);
    const std::int64_t embeddings = (V + s.maxPositions + s.tokenTypes) * C;
    const std::int64_t maskedHead = C * C + C + 2 * C + V;
    return embeddings + 2 * C + blocks + (s.modelType == "bert" ? maskedHead : 0);
}

void write(const QString& folder, const char* name, const std::string& text)
{
    QVERIFY(QDir().mkpath(folder));
    std::ofstream((folder + "/" + name).toStdString()) << text;
}

} // namespace

class PresetsTest : public QObject {
    Q_OBJECT
private slots:
    /// Counts: transformers 5.24 (tests/data/configs/parameters.json), and for the two largest the model cards.
    void sizesGivePublishedParameterCounts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("expected");
        const Result<std::string> text = readFile(REMAT_TEST_DATA "/configs/parameters.json");
        QVERIFY(text);
        const nlohmann::json published = nlohmann::json::parse(*text);
        for (const char* name : {"bert-base", "bert-large", "gpt2", "gpt2-medium"})
            QTest::newRow(name) << QString(name) << qint64(published[name]["parameters"].get<std::int64_t>());
        QTest::newRow("gpt2-large") << QString("gpt2-large") << qint64(774'030'080);
        QTest::newRow("gpt2-xl") << QString("gpt2-xl") << qint64(1'557'611'200);
    }
    void sizesGivePublishedParameterCounts()
    {
        QFETCH(QString, name);
        QFETCH(qint64, expected);
        const Result<ModelShape> shape = findPreset(name.toStdString());
        QVERIFY(shape);
        QCOMPARE(qint64(parameters(*shape)), expected);
    }

    /// Features: GPT-2 (Radford et al. 2019) is pre-norm and causal; BERT (Devlin et al. 2019) post-norm, both ways.
    void familiesHaveTheirFeatures()
    {
        for (const ModelShape& shape : presets().shapes) {
            const bool isGpt2 = shape.modelType == "gpt2";
            QCOMPARE(shape.isCausal, isGpt2);
            QCOMPARE(shape.normPlace == NormPlace::Pre, isGpt2);
            QCOMPARE(shape.head == HeadKind::CausalLm, isGpt2);
            QCOMPARE(shape.activation == Activation::GeluTanh, isGpt2);
            QCOMPARE(shape.tokenTypes, std::int64_t{isGpt2 ? 0 : 2});
            QCOMPARE(shape.normEpsilon, isGpt2 ? 1e-5 : 1e-12);
            QVERIFY(shape.hasTiedHead);
            QCOMPARE(shape.dropout, (Dropouts{0.1, 0.1, 0.1}));
            QVERIFY(validateShape(shape));
        }
    }

    void allNamesOfTheCommandLineExist()
    {
        QStringList names;
        const PresetCatalog catalog = presets();
        QVERIFY(catalog.problems.empty());
        for (const ModelShape& shape : catalog.shapes)
            names << QString::fromStdString(shape.name);
        QCOMPARE(names,
            (QStringList{
                "tiny-bert", "bert-base", "bert-large", "tiny-gpt2", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"}));
    }

    void unknownNameListsTheNearest()
    {
        const Result<ModelShape> shape = findPreset("gpt-2-medium");
        QVERIFY(!shape);
        QCOMPARE(shape.error().exitCode(), ExitCode::Usage);
        const std::string remedy = englishRemedy(shape.error());
        QVERIFY2(remedy.find("Did you mean gpt2-medium") != std::string::npos, remedy.c_str());
        QVERIFY(remedy.find("tiny-bert") != std::string::npos);
        QVERIFY(!findPreset("") && !findPreset(std::string(10'000'000, 'x')));
    }

    void nearestNamesPreferBeginnings()
    {
        QCOMPARE(nearestNames("bert", {"gpt2", "bert-large", "bert-base"}, 2), std::string("bert-base, bert-large"));
        QCOMPARE(nearestNames("GPT2", {"bert-base", "gpt2"}, 1), std::string("gpt2"));
        QCOMPARE(nearestNames("x", {}), std::string());
    }

    /// What people type of a device: its number, its maker, another case.
    void nearestNamesFindPartsOfNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("number") << "4090"
                                << "rtx-4090";
        QTest::newRow("case and space") << "RTX 4090"
                                        << "rtx-4090, rtx-3090, rtx-5090";
        QTest::newRow("no dash") << "rtx4090"
                                 << "rtx-4090, rtx-3090, rtx-5090";
        QTest::newRow("maker before") << "nvidia-t4"
                                      << "t4";
        QTest::newRow("size after") << "V100"
                                    << "v100-16, v100-32";
        QTest::newRow("typo beside a shared word") << "rtx-4900"
                                                   << "rtx-4090, rtx-3090, rtx-5090";
    }

    void nearestNamesFindPartsOfNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        const std::vector<std::string> names{
            "a10", "b200", "h200", "rtx-3090", "rtx-4090", "rtx-5090", "t4", "v100-16", "v100-32"};
        QCOMPARE(QString::fromStdString(nearestNames(name.toStdString(), names)), expected);
    }

    void filesOfThePersonAddAndOverride()
    {
        QTemporaryDir folder;
        ModelShape own = *findPreset("gpt2");
        own.layers = 3;
        write(folder.path() + "/presets", "anything.json", modelFileText(own));
        own.name = "mine";
        write(folder.path() + "/presets", "mine.json", modelFileText(own));
        write(folder.path() + "/presets", "ignored.txt", "not a preset");
        const std::string path = folder.path().toStdString();
        QCOMPARE(findPreset("gpt2", path)->layers, std::int64_t{3});
        QCOMPARE(*findPreset("mine", path), own);
        QCOMPARE(presets(path).shapes.size(), presets().shapes.size() + 1);
        QCOMPARE(findPreset("gpt2")->layers, std::int64_t{12});
    }

    void brokenFileOfThePersonIsNamedAndHarmsNoOther()
    {
        QTemporaryDir folder;
        write(folder.path() + "/presets", "gpt2.json", "{\"format\": \"remat-model\", \"version\": 1");
        const std::string path = folder.path().toStdString();
        const PresetCatalog catalog = presets(path);
        QCOMPARE(catalog.problems.size(), std::size_t{1});
        QCOMPARE(catalog.shapes.size(), presets().shapes.size());
        const Result<ModelShape> shape = findPreset("gpt2", path);
        QVERIFY(!shape);
        QCOMPARE(shape.error().exitCode(), ExitCode::BadInput);
        QVERIFY(shape.error().where.find("gpt2.json") != std::string::npos);
        QVERIFY(findPreset("bert-base", path));
    }

    void missingFolderIsNoError() { QVERIFY(presets("/no/such/folder").problems.empty()); }
};

QTEST_APPLESS_MAIN(PresetsTest)
#include "presets_test.moc"
