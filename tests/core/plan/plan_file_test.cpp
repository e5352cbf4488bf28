// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/plan/nested_study.h"
#include "core/plan/plan_file.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;
using nlohmann::json;

namespace {

Study solve(const char* pin = nullptr, const Variety& variety = {}, VariantChoice variants = VariantChoice::Fixed)
{
    StudyRequest request{smallShape(variety, 3, 2, 16, 128, 300, 32), setupOf(variety, 4, 32), roundCpu(), {}};
    request.setup.variants = variants;
    if (pin)
        request.pins.push_back(parsePin(pin).value());
    return Study::solve(request).value();
}

/// A plan between the least and keep-everything, so that something is dropped.
Plan optimalPlan(const char* pin = nullptr)
{
    const Study study = solve(pin);
    return study.planAt(study.points().size() / 2);
}

} // namespace

class PlanFileTest : public QObject {
    Q_OBJECT

private slots:
    /// A pin that says "runs once" contradicts an order that runs its layer again.
    void aKeepPinAgainstTheOrderIsRefused()
    {
        Variety variety;
        const Study study
            = Study::solve({smallShape(variety, 8, 2, 8, 64, 50, 32), setupOf(variety, 4, 32), roundCpu(), {}}).value();
        const NestedStudy nested = NestedStudy::solve(study).value();
        int tried = 0;
        for (std::size_t p = 0; p < nested.points().size() && tried == 0; ++p) {
            Plan plan = nested.planAt(p);
            plan.strategy = {Strategy::Kind::OptimalNested};
            const StepTape& tape = plan.step->tape;
            const std::vector<int> forwards = forwardCounts(plan.schedule, tape.stages.size());
            for (std::size_t s = 0; s < forwards.size(); ++s) {
                if (forwards[s] < 2 || tape.stages[s].layer < 0 || plan.keep[s] == 0)
                    continue;
                const StageTape& stage = tape.tapeOf(static_cast<int>(s));
                const std::string op = stage.ops[static_cast<std::size_t>(std::countr_zero(plan.keep[s]))].name;
                json file = toJson(plan);
                QVERIFY(parsePlan(jsonText(file), "plan"));
                file["pins"] = json::array({"L" + std::to_string(tape.stages[s].layer) + "." + op + "=keep"});
                const Result<Plan> read = parsePlan(jsonText(file), "plan");
                QVERIFY(!read);
                QCOMPARE(std::string(read.error().code->name), std::string("replay-runs-once"));
                ++tried;
            }
        }
        QVERIFY(tried > 0);
    }

    void plansComeBack_data()
    {
        QTest::addColumn<QString>("pin");
        QTest::addColumn<bool>("isBert");
        QTest::addColumn<bool>("isOpen");
        QTest::addColumn<bool>("rotorFits");
        QTest::newRow("plain") << "" << false << false << true;
        QTest::newRow("bert") << "" << true << false << true;
        QTest::newRow("one layer pinned") << "L0.gelu=keep" << false << false << true;
        // Rotor keeps all of a layer that it may not run again, so no layer can make room.
        QTest::newRow("pinned") << "*.gelu=keep" << false << false << false;
        QTest::newRow("variants open") << "" << false << true << true;
    }

    /// Every strategy's plan is read as it was written, text for text and extra time for extra time.
    void plansComeBack()
    {
        QFETCH(QString, pin);
        QFETCH(bool, isBert);
        QFETCH(bool, isOpen);
        QFETCH(bool, rotorFits);
        const Study study = solve(pin.isEmpty() ? nullptr : pin.toUtf8().constData(), {.isBert = isBert},
            isOpen ? VariantChoice::Auto : VariantChoice::Fixed);
        const Bytes budget{(study.leastPeak().value + study.keepAllPeak().value) / 2};
        int plans = 0;
        bool hasRotor = false;
        std::vector<Strategy> strategies = comparedStrategies();
        strategies.push_back({Strategy::Kind::Rotor500});
        for (const ComparedStrategy& row : study.compare(strategies, budget)) {
            if (!row.plan)
                continue;
            const Result<Plan> read = parsePlan(planFileText(*row.plan), "plan.json");
            QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
            QCOMPARE(planFileText(*read), planFileText(*row.plan));
            QCOMPARE(read->keep, row.plan->keep);
            QCOMPARE(read->pins, row.plan->pins);
            QCOMPARE(read->extraTime(), row.plan->extraTime());
            ++plans;
            hasRotor = hasRotor || row.strategy.kind == Strategy::Kind::Rotor500;
        }
        QVERIFY(plans >= 7);
        QCOMPARE(hasRotor, rotorFits);
    }

    void certificatesComeBack_data()
    {
        QTest::addColumn<bool>("isNested");
        QTest::addColumn<double>("gap");
        QTest::newRow("flat, exact") << false << 0.0;
        QTest::newRow("nested, exact") << true << 0.0;
        QTest::newRow("flat, thinned") << false << 0.25;
    }

    /// The least budget's binding op is that of the leanest plan, found here by replaying its schedule; the bound is
    /// the time itself where the plan is exact, and time / (1 + gap) where it is thinned.  Older files say neither.
    void certificatesComeBack()
    {
        QFETCH(bool, isNested);
        QFETCH(double, gap);
        const Study study = solve();
        const NestedStudy nested = NestedStudy::solve(study).value();
        Plan plan = isNested ? nested.planAt(3) : study.planAt(3);
        const Plan leanest = isNested ? nested.planAt(0) : study.planAt(0);
        const BindingOp binding = bindingOp(leanest.step->chain, leanest.schedule).value();
        plan.proof.isExact = gap == 0;
        plan.proof.gap = gap;
        const json proof = json::parse(planFileText(plan))["proof"];
        QCOMPARE(proof["least_budget_bytes"].get<std::int64_t>(), leanest.prediction.peak.value);
        QCOMPARE(proof["least_binding"]["op"].get<std::string>(), std::string(nameOf(binding.kind)));
        QCOMPARE(proof["least_binding"]["stage"].get<int>(), binding.stage + 1);
        QCOMPARE(proof["least_binding"]["name"].get<std::string>(), binding.stageName);
        QVERIFY(proof["states"].get<std::int64_t>() >= static_cast<std::int64_t>(study.points().size()));
        const std::int64_t time = plan.prediction.time.value;
        QCOMPARE(proof["bound_ns"].get<std::int64_t>(), gap == 0 ? time : time * 4 / 5);

        const Result<Plan> read = parsePlan(planFileText(plan), "plan.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(planFileText(*read), planFileText(plan));
        json older = json::parse(planFileText(plan));
        for (const char* key : {"bound_ns", "least_binding", "states"})
            older["proof"].erase(key);
        QVERIFY(parsePlan(older.dump(), "plan.json"));
    }

    /// A name that came from a folder may be any bytes; the file is JSON all the same.
    void anyNameCanBeWritten()
    {
        Plan plan = optimalPlan();
        StepTape tape = plan.step->tape;
        tape.shape.name = "mod\xE8le";
        plan.step = std::make_shared<const StepChain>(buildFixedChain(tape, plan.device, plan.keep));
        const Result<Plan> read = parsePlan(planFileText(plan), "plan.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(read->shape().name, std::string("mod\uFFFDle"));
    }

    void changedPlansAreRefused_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* strategy, const char* pointer, const char* value,
                             const char* where) { QTest::newRow(name) << strategy << pointer << value << where; };
        row("peak", "optimal", "/prediction/peak_bytes", "1", "prediction.peak_bytes");
        row("overhead", "optimal", "/prediction/overhead_ns", "1", "prediction.overhead_ns");
        row("parameters", "optimal", "/parameters", "7", "parameters");
        row("fits", "optimal", "/fits", "false", "fits");
        row("fits the device", "optimal", "/fits_device", "false", "fits_device");
        row("realization", "optimal", "/realization", "\"regions\"", "realization");
        row("chain", "optimal", "/chain/base_bytes", "1", "chain.base_bytes");
        row("schedule", "optimal", "/schedule/0/stage", "2", "schedule[0].stage");
        row("recomputed op", "full", "/stages/1/recompute/0/op", "\"gelu\"", "stages[1].recompute[0].op");
        row("class of an optimal plan", "optimal", "/proof/class", "\"fixed\"", "proof.class");
        row("unknown class", "optimal", "/proof/class", "\"nested\"", "proof.class");
        row("class of a rule", "full", "/proof/class", "\"flat\"", "proof.class");
        row("negative gap", "optimal", "/proof/gap", "-0.1", "proof.gap");
        row("gap of an exact plan", "optimal", "/proof/gap", "0.5", "proof.gap");
        row("infinite gap", "optimal", "/proof/gap", "\"inf\"", "proof.gap");
        row("inexact rule", "full", "/proof/exact", "false", "proof.exact");
        row("bound of an exact plan", "optimal", "/proof/bound_ns", "1", "proof.bound_ns");
        row("binding op that is none", "optimal", "/proof/least_binding/op", "\"sideways\"", "proof.least_binding.op");
        row("binding stage beyond the chain", "optimal", "/proof/least_binding",
            "{\"op\": \"backward\", \"stage\": 99, \"name\": \"layer 98\"}", "proof.least_binding.stage");
        row("binding stage of another name", "optimal", "/proof/least_binding",
            "{\"op\": \"forward\", \"stage\": 2, \"name\": \"head\"}", "proof.least_binding.name");
        row("fewer states than stages", "optimal", "/proof/states", "1", "proof.states");
        row("least above the peak", "optimal", "/proof/least_budget_bytes", "2000000000000",
            "proof.least_budget_bytes");
        row("least below the base", "optimal", "/proof/least_budget_bytes", "1", "proof.least_budget_bytes");
        row("no least", "optimal", "/proof/least_budget_bytes", "null", "proof.least_budget_bytes");
        row("least of a rule", "full", "/proof/least_budget_bytes", "1", "proof.least_budget_bytes");
        row("other rule", "full", "/strategy", "\"ffn-only\"", "stages[1].keep_set");
        row("rule for none", "full", "/strategy", "\"none\"", "stages[1].keep_set");
        row("pin against the rule", "full", "/pins", R"(["L1.gelu=keep"])", "stages[2].keep_set");
        row("contradicting pins", "optimal", "/pins", R"(["*=keep", "*=recompute"])", "pins");
        row("pin of another model", "optimal", "/pins", R"(["L9=keep"])", "pins");
        row("no pin", "optimal", "/pins", R"(["L1.gelu"])", "pins[0]");
    }

    /// Law 6: one changed value, and the file is refused with the key that disagrees.
    void changedPlansAreRefused()
    {
        QFETCH(QString, strategy);
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, where);
        const Study study = solve();
        const Plan plan = strategy == "optimal" ? study.planAt(study.points().size() / 2)
                                                : study.plan(parseStrategy(strategy.toStdString()).value(), {}).value();
        json object = toJson(plan);
        const json::json_pointer key(pointer.toStdString());
        QVERIFY(object.contains(key));
        object[key] = json::parse(value.toStdString());
        const Result<Plan> read = parsePlan(jsonText(object), "plan.json");
        QVERIFY(!read);
        QCOMPARE(static_cast<int>(read.error().exitCode()), 3);
        QCOMPARE(QString::fromStdString(read.error().where), "plan.json: " + where);
    }

    /// A certificate is whole or absent, a rule has none, an op that no stage has names none, and where the plan is
    /// itself the leanest its own replay tells what binds.
    void certificatesAreChecked()
    {
        const Study study = solve();
        const auto refusedAt = [](const json& object) {
            const Result<Plan> read = parsePlan(jsonText(object), "plan.json");
            return read ? QString("read") : QString::fromStdString(read.error().where);
        };
        const json whole = toJson(study.planAt(1));
        for (const char* key : {"bound_ns", "least_binding", "states"}) {
            json part = whole;
            part["proof"].erase(key);
            QCOMPARE(refusedAt(part), QString("plan.json: proof.") + key);
        }
        json ofRule = toJson(study.plan({Strategy::Kind::Full}, std::nullopt).value());
        ofRule["proof"]["states"] = 1000;
        QCOMPARE(refusedAt(ofRule), QString("plan.json: proof"));

        json base = whole;
        base["proof"]["least_binding"] = {{"op", "base"}, {"stage", nullptr}, {"name", nullptr}};
        QCOMPARE(refusedAt(base), QString("plan.json: proof.least_binding.op"));
        json placed = whole;
        placed["proof"]["least_binding"] = {{"op", "step-end"}, {"stage", 2}, {"name", "layer 0"}};
        QVERIFY(refusedAt(placed).startsWith("plan.json: proof.least_binding."));

        const json leanest = toJson(study.planAt(0));
        QCOMPARE(refusedAt(leanest), QString("read"));
        json other = leanest;
        const bool isForward = leanest["proof"]["least_binding"]["op"] == "forward";
        other["proof"]["least_binding"]["op"] = isForward ? "backward" : "forward";
        QCOMPARE(refusedAt(other), QString("plan.json: proof.least_binding.op"));
    }

    /// A nested plan's order is its own: read as written, and refused when it keeps what its keep-sets do not tell, is
    /// of no nested class, or does not replay.
    void nestedPlansComeBackAndAreChecked()
    {
        const Variety variety;
        const Study study = Study::solve(
            {smallShape(variety, 8, 2, 16, 128, 300, 32), setupOf(variety, 4, 32), roundCpu(),
                {}}).value();
        const Plan plan = NestedStudy::solve(study)->planAt(0);
        QVERIFY(plan.prediction.peak < study.leastPeak());
        QVERIFY(!plan.ownOrder().empty());
        const Result<Plan> read = parsePlan(planFileText(plan), "plan.json");
        QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
        QCOMPARE(planFileText(*read), planFileText(plan));
        QCOMPARE(read->schedule, plan.schedule);

        json wrongClass = toJson(plan);
        wrongClass["proof"]["class"] = "flat";
        const Result<Plan> flat = parsePlan(jsonText(wrongClass), "plan.json");
        QVERIFY(!flat);
        QCOMPARE(QString::fromStdString(flat.error().where), QString("plan.json: proof.class"));

        json otherOption = toJson(plan);
        for (json& op : otherOption["schedule"])
            if (op["op"] == "forward" && op["option"] != "none") {
                const json& options = otherOption["chain"]["stages"][op["stage"].get<std::size_t>() - 1]["options"];
                if (options.size() > 1) {
                    op["option"] = options[1]["name"];
                    break;
                }
            }
        const Result<Plan> other = parsePlan(jsonText(otherOption), "plan.json");
        QVERIFY(!other);
        QCOMPARE(QString::fromUtf8(other.error().code->name.data()), QString("schedule-keeps-other-set"));

        json shorter = toJson(plan);
        shorter["schedule"].erase(shorter["schedule"].begin());
        QVERIFY(!parsePlan(jsonText(shorter), "plan.json"));
    }

    /// Files of before the key existed say nothing of the device, and so nothing wrong.
    void plansWithoutTheDevicesWordAreRead()
    {
        json object = toJson(optimalPlan());
        QVERIFY(object["fits_device"].get<bool>());
        object.erase("fits_device");
        QVERIFY(parsePlan(jsonText(object), "plan.json"));
    }

    /// An optimal plan that keeps what its pins forbid.
    void keepSetsAgainstThePinsAreRefused()
    {
        const Plan plan = optimalPlan("*.gelu=recompute");
        QVERIFY(parsePlan(planFileText(plan), "plan.json"));
        json object = toJson(plan);
        object["pins"] = json::array({"L1.gelu=keep"});
        const Result<Plan> read = parsePlan(jsonText(object), "plan.json");
        QVERIFY(!read);
        QCOMPARE(QString::fromUtf8(read.error().code->name.data()), QString("plan-against-pins"));
        QCOMPARE(QString::fromStdString(read.error().where), QString("plan.json: stages[2].keep_set"));
    }
};

QTEST_APPLESS_MAIN(PlanFileTest)
#include "plan_file_test.moc"
