// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/trainer_settings.h"

#include <QTest>

#include "core/plan/study.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

/// Megatron-LM's and torchtitan's settings nearest to a plan.
class TrainerSettingsTest : public QObject {
    Q_OBJECT

    static StepTape tapeOf(const Variety& v = {})
    {
        const TrainingSetup setup = setupOf(v, 2, 16);
        const ModelShape shape = smallShape(v, 6, 4, 8, 128, 61, 64);
        return buildStepTape(shape, withDefaults(shape, setup), machineTraits(roundCpu()));
    }

    static Plan planOf(const StepTape& tape, const Strategy& strategy)
    {
        Plan plan
            = fixedPlan(tape, roundCpu(), strategy, std::vector<KeepRule>(tape.stages.size()), std::nullopt).value();
        plan.strategy = strategy;
        return plan;
    }

    static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

private slots:
    void aPlanThatIsASettingIsThatSetting_data()
    {
        QTest::addColumn<bool>("isMegatron");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("k");
        QTest::addColumn<QString>("lines");
        using Kind = Strategy::Kind;
        QTest::newRow("megatron none") << true << int(Kind::None) << 1 << "# No flags: nothing is recomputed.\n";
        QTest::newRow("megatron core") << true << int(Kind::CoreAttention) << 1
                                       << "--recompute-granularity selective\n--recompute-modules core_attn\n";
        QTest::newRow("torchtitan none") << false << int(Kind::None) << 1
                                         << "[activation_checkpoint]\nmode = \"none\"\n";
        QTest::newRow("torchtitan op")
            << false << int(Kind::TorchtitanSelective) << 1
            << "[activation_checkpoint]\nmode = \"selective\"\nselective_ac_option = \"op\"\n";
    }

    void aPlanThatIsASettingIsThatSetting()
    {
        QFETCH(const bool, isMegatron);
        QFETCH(const int, kind);
        QFETCH(const int, k);
        QFETCH(const QString, lines);
        const Plan plan = planOf(tapeOf(), {static_cast<Strategy::Kind>(kind), k});
        const TrainerSettings settings
            = nearestSettings(plan, isMegatron ? Trainer::Megatron : Trainer::Torchtitan).value();
        QVERIFY(settings.fits);
        QVERIFY2(has(settings.text, lines.toStdString()), settings.text.c_str());
        QCOMPARE(settings.plan.prediction.peak, plan.prediction.peak);
        QCOMPARE(settings.plan.prediction.time, plan.prediction.time);
        QVERIFY(has(settings.text, "as the plan; "));
        QVERIFY(has(settings.text, "as fast as the plan"));
    }

    /// Within any budget the settings are never slower than each rule of theirs that fits, and of no other peak or time
    /// than that rule's own plan.
    void noSettingThatFitsIsFaster()
    {
        using Kind = Strategy::Kind;
        for (const Variety& v :
            {Variety{}, Variety{.isBert = true}, Variety{.attention = AttentionKind::Stored, .isLlama = true}}) {
            const StepTape tape = tapeOf(v);
            std::vector<Plan> rules;
            for (const Kind kind : {Kind::None, Kind::CoreAttention, Kind::FfnOnly})
                rules.push_back(planOf(tape, {kind}));
            for (int layers = 1; layers <= 6; ++layers) {
                rules.push_back(planOf(tape, {Kind::MegatronBlock, layers}));
                if (6 % layers == 0)
                    rules.push_back(planOf(tape, {Kind::MegatronUniform, layers}));
            }
            for (const Plan& target : rules) {
                Plan plan = target;
                plan.budget = target.prediction.peak;
                const TrainerSettings settings = nearestSettings(plan, Trainer::Megatron).value();
                QVERIFY(settings.fits);
                for (const Plan& rule : rules)
                    if (rule.prediction.peak <= *plan.budget)
                        QVERIFY(settings.plan.prediction.time <= rule.prediction.time);
            }
        }
    }

    void aBudgetThatNoSettingMeetsIsSaid()
    {
        const StepTape tape = tapeOf();
        Plan plan = planOf(tape, {Strategy::Kind::Full});
        plan.budget = Bytes{1};
        for (const Trainer trainer : {Trainer::Megatron, Trainer::Torchtitan}) {
            const TrainerSettings settings = nearestSettings(plan, trainer).value();
            QVERIFY(!settings.fits);
            QVERIFY(has(settings.text, "these have the lowest peak"));
            QVERIFY(settings.plan.prediction.peak <= plan.prediction.peak);
        }
    }

    void torchtitansFullIsWithinReach()
    {
        const Plan plan = planOf(tapeOf(), {Strategy::Kind::Full});
        const TrainerSettings settings = nearestSettings(plan, Trainer::Torchtitan).value();
        QVERIFY(settings.fits);
        QVERIFY(settings.plan.prediction.time <= plan.prediction.time);
    }

    /// torchtitan's counter starts at 1 and wraps the layers that K divides: for two of six, 1, 3 and 5.
    void everySecondLayerIsTheSecond()
    {
        const StepTape tape = tapeOf();
        std::vector<KeepSet> keep;
        for (std::size_t s = 0; s < tape.stages.size(); ++s) {
            const int layer = tape.stages[s].layer;
            keep.push_back(layer >= 0 && layer % 2 == 1 ? 0 : keepAll(tape.tapeOf(static_cast<int>(s))));
        }
        const Plan plan = derivePlan(tape, roundCpu(), keep);
        const TrainerSettings settings = nearestSettings(plan, Trainer::Torchtitan).value();
        if (has(settings.text, "\"op\"")) // as good for this shape
            QVERIFY(settings.plan.prediction.time <= plan.prediction.time);
        else
            QVERIFY2(has(settings.text, "selective_ac_option = \"2\""), settings.text.c_str());
    }

    void namesStayInTheirComment()
    {
        Variety v;
        StepTape tape = tapeOf(v);
        tape.shape.name = "two\nlines";
        const TrainerSettings settings
            = nearestSettings(planOf(tape, {Strategy::Kind::None}), Trainer::Torchtitan).value();
        QVERIFY(has(settings.text, "two lines"));
    }
};

QTEST_APPLESS_MAIN(TrainerSettingsTest)
#include "trainer_settings_test.moc"
