// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/buffers.h"
#include "core/model/config_import.h"
#include "core/model/families.h"
#include "core/model/weights.h"

using namespace remat;
using nlohmann::json;

namespace {

/// What transformers 5.24 makes of configs of every type: tests/data/configs/make_generated.py.
const json& records()
{
    static const json kRecords = json::parse(*readFile(REMAT_TEST_DATA "/configs/generated.json"));
    return kRecords;
}

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

std::string text(const Shapes& shapes)
{
    std::string result;
    for (const auto& [name, shape] : shapes)
        result += name + " " + json(shape).dump() + "\n";
    return result;
}

/// Names and shapes of the layers below `mostLayers`, and of everything else.
Shapes listed(const ModelShape& shape, std::int64_t mostLayers)
{
    Shapes result;
    for (const WeightGroup& group : weightGroups(shape))
        for (std::int64_t copy = 0; copy < group.count; ++copy)
            for (const Weight& weight : group.weights)
                if (!weight.isTied && (!group.isOfLayers() || group.firstLayer + copy < mostLayers))
                    result[group.nameOf(weight, copy)] = weight.shape;
    return result;
}

} // namespace

class WeightsTest : public QObject {
    Q_OBJECT
private slots:
    void everyTypeIsRecorded()
    {
        std::set<std::string> recorded, known;
        for (const json& record : records())
            recorded.insert(record["config"]["model_type"]);
        for (const Family& family : families())
            known.insert(family.defaults.modelType);
        QCOMPARE(known.size(), std::size_t{26});
        QCOMPARE(recorded, known);
    }

    void weightsAreThoseOfTransformers_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(records().size()); ++i) {
            const std::string type = records()[static_cast<std::size_t>(i)]["config"]["model_type"];
            QTest::addRow("%s %d", type.c_str(), i) << i;
        }
    }
    void weightsAreThoseOfTransformers()
    {
        QFETCH(int, index);
        const json& record = records()[static_cast<std::size_t>(index)];
        const Result<ImportedModel> model = importConfig(record["config"].dump(), "generated.json");
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        QCOMPARE(findFamily(model->shape.modelType)->modelClass,
            std::string_view(record["class"].get_ref<const std::string&>()));
        const std::int64_t mostLayers = model->shape.modelType == "t5" ? 2 : 1;
        QCOMPARE(QString::fromStdString(text(listed(model->shape, mostLayers))),
            QString::fromStdString(text(record["weights"].get<Shapes>())));
        QCOMPARE(parameterCount(model->shape), record["parameters"].get<std::int64_t>());
    }

    void buffersAreThoseOfTransformers_data() { weightsAreThoseOfTransformers_data(); }
    void buffersAreThoseOfTransformers()
    {
        QFETCH(int, index);
        const json& record = records()[static_cast<std::size_t>(index)];
        const Result<ImportedModel> model = importConfig(record["config"].dump(), "generated.json");
        QVERIFY(model);
        json buffers = json::object();
        for (const ModelBuffer& buffer : modelBuffers(model->shape)) {
            const char* type = buffer.isFloating ? "float32" : buffer.numberBytes == 8 ? "int64" : "bool";
            buffers[buffer.name] = {buffer.shape, type};
        }
        QCOMPARE(QString::fromStdString(buffers.dump(1)), QString::fromStdString(record["buffers"].dump(1)));
    }

    /// The counts of the real files: tests/data/configs/parameters.json.
    void realFilesHaveTheirCounts_data()
    {
        QTest::addColumn<qint64>("expected");
        const json published = json::parse(*readFile(REMAT_TEST_DATA "/configs/parameters.json"));
        for (const auto& [name, entry] : published.items())
            if (name != "deepseek_v2-lite") // not supported
                QTest::newRow(name.c_str()) << qint64(entry["parameters"].get<std::int64_t>());
    }
    void realFilesHaveTheirCounts()
    {
        QFETCH(qint64, expected);
        const Result<ImportedModel> model
            = importConfigFile(REMAT_TEST_DATA "/configs/" + std::string(QTest::currentDataTag()) + ".config.json");
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        QCOMPARE(qint64(parameterCount(model->shape)), expected);
    }
};

QTEST_APPLESS_MAIN(WeightsTest)
#include "weights_test.moc"
