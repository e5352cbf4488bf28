// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTest>

#include <algorithm>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/config_import.h"
#include "core/model/families.h"
#include "core/model/training_setup.h"
#include "core/model/weights.h"
#include "tests/support/counts.h"

using namespace remat;
using nlohmann::json;

namespace {

/// Every config of tests/data/configs of a supported type: real ones, and generated ones with odd sizes.
std::vector<json> allConfigs()
{
    std::vector<json> configs;
    for (const json& record : json::parse(*readFile(REMAT_TEST_DATA "/configs/generated.json")))
        configs.push_back(record["config"]);
    const QDir folder(REMAT_TEST_DATA "/configs");
    for (const QString& name : folder.entryList({"*.config.json"}, QDir::Files, QDir::Name)) {
        json config = json::parse(*readFile(folder.filePath(name).toStdString()));
        if (findFamily(config["model_type"].get<std::string>()))
            configs.push_back(std::move(config));
    }
    return configs;
}

Result<ImportedModel> imported(const json& config)
{
    return importConfig(config.dump(), "mutated.json");
}

/// Whether some note says that a default stands in for the key, or what the key means where it is absent.
bool isNoted(const ImportedModel& model, const std::string& key)
{
    return std::any_of(model.notes.begin(), model.notes.end(), [&](const Message& note) {
        return !note.arguments.empty() && std::holds_alternative<std::string>(note.arguments[0])
            && std::get<std::string>(note.arguments[0]) == key;
    });
}

/// Keys whose null is a value of the config classes, not the default.
const std::set<std::string> kNullIsAValue{"num_key_value_heads", "head_dim", "sliding_window", "attn_logit_softcapping",
    "final_logit_softcapping", "num_ln_in_parallel_attn"};
/// A key and the older or shorter name that says the same: the other one may speak where this is absent.
const std::set<std::string> kHasOtherName{"num_labels", "id2label"};

/// Values that a mutation may write: of every kind, and numbers at the edges.
const std::vector<json>& strangeValues()
{
    static const std::vector<json> kValues{nullptr, true, false, 0, 1, 2, 3, 7, 64, -1, 0.5, 1.0, 1e300, -0.0, 1e-9,
        std::int64_t{1} << 40, UINT64_MAX, INT64_MIN, "", "gelu", "relu", "gated-gelu", "null", "full_attention",
        json::array(), json::array({1, 2}), json::array({"sliding_attention"}), json::array({json::array({1})}),
        json::parse(R"([[["global", "local"], 1000000000]])"), json::object(), json::parse(R"({"rope_theta": -1})"),
        json::parse(R"({"rope_type": "yarn", "partial_rotary_factor": 0.3})"),
        json::parse(R"({"full_attention": {"rope_theta": 5}})")};
    return kValues;
}

class Mutator {
public:
    explicit Mutator(unsigned seed) : m_random(seed) { }

    std::size_t below(std::size_t count) { return m_random() % count; }
    void mutate(json& config, const json& other)
    {
        auto key = config.begin();
        std::advance(key, static_cast<std::ptrdiff_t>(below(config.size())));
        switch (below(5)) {
        case 0:
            config.erase(key);
            break;
        case 1: {
            auto foreign = other.begin();
            std::advance(foreign, static_cast<std::ptrdiff_t>(below(other.size())));
            config[foreign.key()] = foreign.value();
            break;
        }
        case 2:
            if (key->is_number_integer()) {
                // A number may be at either end already: it goes round.
                *key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key->get<std::int64_t>()) + below(5) - 2);
                break;
            }
            [[fallthrough]];
        default:
            *key = strangeValues()[below(strangeValues().size())];
        }
        if (config.empty())
            config["model_type"] = "gpt2";
    }

private:
    std::mt19937 m_random;
};

} // namespace

class ConfigMutationTest : public QObject {
    Q_OBJECT
private slots:
    /// A key that is gone is either noted, or what it said does not matter: the shape is that with the key.  The
    /// generated configs' values are far from the classes' defaults, so a silent default shows.
    void noDefaultIsSilent()
    {
        int noted = 0;
        for (const json& config : allConfigs()) {
            const Result<ImportedModel> whole = imported(config);
            QVERIFY2(whole, whole ? "" : englishSentence(whole.error()).c_str());
            for (const auto& [key, value] : config.items()) {
                if (key == "model_type" || kHasOtherName.count(key) > 0)
                    continue;
                for (const bool isNull : {false, true}) {
                    if (isNull && kNullIsAValue.count(key) > 0)
                        continue;
                    json without = config;
                    if (isNull)
                        without[key] = nullptr;
                    else
                        without.erase(key);
                    const Result<ImportedModel> model = imported(without);
                    if (!model) {
                        // The default may not fit the other sizes; it is never silent, for nothing came out.
                        QCOMPARE(model.error().exitCode(), ExitCode::BadInput);
                        continue;
                    }
                    if (isNoted(*model, key))
                        ++noted;
                    else
                        QVERIFY2(model->shape == whole->shape,
                            (config["model_type"].get<std::string>() + ": " + key + (isNull ? " null" : " gone"))
                                .c_str());
                }
            }
        }
        QVERIFY(noted > 1000);
    }

    /// Whatever is read either describes a model that holds together, or is refused with file, key and words.
    void mutatedConfigsNeverSurprise()
    {
        const std::vector<json> configs = allConfigs();
        Mutator mutator(20261130);
        int accepted = 0;
        const int count = testing::countOf({.brief = 2'000, .usual = 10'000, .full = 200'000});
        for (int i = 0; i < count; ++i) {
            json config = configs[mutator.below(configs.size())];
            for (std::size_t mutations = 1 + mutator.below(4); mutations > 0; --mutations)
                mutator.mutate(config, configs[mutator.below(configs.size())]);
            const Result<ImportedModel> model = imported(config);
            if (!model) {
                QCOMPARE(model.error().exitCode(), ExitCode::BadInput);
                QVERIFY(model.error().where.starts_with("mutated.json"));
                QVERIFY(!englishText(model.error()).empty());
                continue;
            }
            ++accepted;
            const Result<void> valid = validateShape(model->shape, ValueOrigin::File);
            QVERIFY2(valid, config.dump().c_str());
            QVERIFY2(parameterCount(model->shape) > 0, config.dump().c_str());
            for (const Message& note : model->notes)
                QVERIFY(!englishText(note).empty());
        }
        QVERIFY2(accepted > count / 20 && accepted < count, std::to_string(accepted).c_str());
    }
};

QTEST_APPLESS_MAIN(ConfigMutationTest)
#include "config_mutation_test.moc"
