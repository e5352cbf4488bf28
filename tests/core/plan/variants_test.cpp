// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Plans whose variants the planner chooses, against every combination planned by itself.
#include <QTest>
#include <algorithm>

#include "core/plan/plan_file.h"
#include "core/plan/variant_offers.h"
#include "core/plan/variants.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

StudyRequest requestOf(const QString& pin)
{
    const Variety variety{.attention = AttentionKind::Stored};
    StudyRequest request{smallShape(variety, 3, 2, 16, 128, 300, 32), setupOf(variety, 4, 32), roundCpu(), {}};
    if (!pin.isEmpty())
        request.pins.push_back(parsePin(pin.toStdString()).value());
    return request;
}

/// The least cost that any of the combinations reaches within a budget; nothing where none fits.
template <class Solved>
std::optional<std::pair<Nanoseconds, std::int64_t>> cheapestAlone(const std::vector<Solved>& alone, Bytes budget)
{
    std::optional<std::pair<Nanoseconds, std::int64_t>> best;
    for (const Solved& one : alone)
        for (const StudyPoint& point : one.points())
            if (point.cost.peak <= budget && (!best || std::pair(point.cost.time, point.cost.reruns) < *best))
                best = std::pair(point.cost.time, point.cost.reruns);
    return best;
}

/// Every budget at which some combination's answer changes, and one byte less.
template <class Solved> std::vector<Bytes> budgetsOf(const std::vector<Solved>& alone)
{
    std::vector<Bytes> budgets;
    for (const Solved& one : alone)
        for (const StudyPoint& point : one.points())
            budgets.insert(budgets.end(), {point.cost.peak, point.cost.peak - Bytes{1}});
    return budgets;
}

template <class Solved> void requireCheapest(const Solved& open, const std::vector<Solved>& alone)
{
    for (const Bytes budget : budgetsOf(alone)) {
        const auto best = cheapestAlone(alone, budget);
        const StudyPoint* point = cheapestPoint(open.points(), budget);
        QCOMPARE(point != nullptr, best.has_value());
        if (point)
            QCOMPARE(std::pair(point->cost.time, point->cost.reruns), *best);
        else
            QCOMPARE(static_cast<int>(open.cheapestWithin(budget).error().exitCode()), 4);
    }
}

/// Each offer is what its combination can do by itself within the plan's budget; `alone` are the flat studies of
/// `solved`.
template <class Solved>
void requireOffers(const std::vector<VariantOffer>& offers, const Plan& plan, const std::vector<Study>& alone,
    const std::vector<Solved>& solved)
{
    QCOMPARE(offers.size(), alone.size());
    QVERIFY(offers.front().setup.attention == alone.front().request().setup.attention);
    QCOMPARE(offers.front().setup.headChunks, alone.front().request().setup.headChunks);
    for (const VariantOffer& offer : offers) {
        const auto same = std::find_if(alone.begin(), alone.end(), [&](const Study& one) {
            return one.request().setup.attention == offer.setup.attention
                && one.request().setup.headChunks == offer.setup.headChunks;
        });
        QVERIFY(same != alone.end());
        const Result<Plan> best = solved[static_cast<std::size_t>(same - alone.begin())].cheapestWithin(*plan.budget);
        QCOMPARE(offer.plan.has_value(), static_cast<bool>(best));
        if (best) {
            QCOMPARE(offer.plan->prediction.time, best->prediction.time);
            QCOMPARE(recomputingLayers(*offer.plan), recomputingLayers(*best));
        }
        QCOMPARE(offer.isChosen, offer.setup == plan.setup());
    }
}

} // namespace

class VariantsTest : public QObject {
    Q_OBJECT

private slots:
    /// Two attention kinds times a whole head or 4, 16 or 64 chunks; no more chunks than tokens.
    void combinations()
    {
        StudyRequest request = requestOf({});
        QCOMPARE(variantsOf(request.setup).size(), std::size_t{1});
        request.setup.variants = VariantChoice::Auto;
        QCOMPARE(variantsOf(request.setup).size(), std::size_t{8});
        request.setup.batch = 1;
        QCOMPARE(variantsOf(request.setup).size(), std::size_t{6});
    }

    void cheapestOfAllCombinations_data()
    {
        QTest::addColumn<QString>("pin");
        QTest::newRow("free") << "";
        QTest::newRow("keep pinned") << "*.gelu=keep";
        QTest::newRow("recompute pinned") << "L1.ffn=recompute";
    }

    /// At every budget the answer is that of the best combination planned by itself, flat and nested; plans carry
    /// their variants, and offers say what each combination can do within the budget.
    void cheapestOfAllCombinations()
    {
        QFETCH(QString, pin);
        StudyRequest request = requestOf(pin);
        std::vector<Study> alone;
        std::vector<NestedStudy> aloneNested;
        for (const AttentionKind attention : {AttentionKind::Stored, AttentionKind::Blocked})
            for (const std::int64_t chunks : {1, 4, 16, 64}) {
                StudyRequest one = request;
                one.setup.attention = attention;
                one.setup.headChunks = chunks;
                one.setup.loss = chunks == 1 ? LossKind::CrossEntropy : LossKind::ChunkedCrossEntropy;
                alone.push_back(Study::solve(one).value());
                aloneNested.push_back(NestedStudy::solve(alone.back()).value());
            }
        request.setup.variants = VariantChoice::Auto;
        const Study open = Study::solve(request).value();
        const NestedStudy nested = NestedStudy::solve(open).value();
        requireCheapest(open, alone);
        requireCheapest(nested, aloneNested);

        std::size_t others = 0;
        for (std::size_t p = 0; p < nested.points().size(); p += 7) {
            const Plan plan = nested.planAt(p);
            QCOMPARE(plan.prediction.peak, nested.points()[p].cost.peak);
            QCOMPARE(plan.prediction.time, nested.points()[p].cost.time);
            QCOMPARE(plan.setup(), open.setupOf(nested.points()[p]));
            const Result<Plan> read = parsePlan(planFileText(plan), "plan");
            QVERIFY2(read, read ? "" : englishText(read.error()).c_str());
            QCOMPARE(read->setup(), plan.setup());
            others += plan.setup() == open.request().setup ? 0 : 1;

            requireOffers(variantOffers(open, nested, plan), plan, alone, aloneNested);
        }
        for (std::size_t p = 0; p < open.points().size(); p += 7) {
            const Plan plan = open.planAt(p);
            requireOffers(variantOffers(open, plan), plan, alone, alone);
        }
        QVERIFY(others > 0);
    }

    /// Blocked attention has no stored probabilities: a pin on them leaves the four combinations with stored ones.
    void aPinRulesVariantsOut()
    {
        StudyRequest request = requestOf("*.probs=keep");
        request.setup.variants = VariantChoice::Auto;
        const Study study = Study::solve(request).value();
        QCOMPARE(study.variants().size(), std::size_t{4});
        for (const auto& variant : study.variants())
            QVERIFY(variant->tape.setup.attention == AttentionKind::Stored);
        const Plan plan = study.planAt(0);
        QCOMPARE(variantOffers(study, plan).size(), std::size_t{4});
    }

    /// Half of the limits is for the setup's own variants: with twice the least work that solves them whole by
    /// themselves, they are solved whole among eight.
    void theSetupsOwnVariantsKeepHalfOfTheLimits()
    {
        StudyRequest request = requestOf({});
        const Study fixed = Study::solve(request).value();
        NestedLimits limits;
        limits.maxWork = 1;
        std::optional<NestedStudy> alone;
        for (; !alone || alone->solvedClass() != NestedClass::Drop; limits.maxWork *= 2) {
            const Result<NestedStudy> solved = NestedStudy::solve(fixed, limits);
            alone = solved ? std::optional(*solved) : std::nullopt;
        }
        // The loop has doubled it once more.
        request.setup.variants = VariantChoice::Auto;
        const NestedStudy open = NestedStudy::solve(Study::solve(request).value(), limits).value();
        for (const StudyPoint& point : alone->points())
            QCOMPARE(open.cheapestOfVariant(0, point.cost.peak)->prediction.time, point.cost.time);
    }

    /// By hand: four of six layers recompute their FFN; keep-everything none; a layer that runs twice counts too.
    void layersThatRecompute()
    {
        const StepTape tape = buildStepTape(smallShape({}, 6, 2, 16, 128, 300, 32), setupOf({}, 4, 32), {});
        const auto count = [&](const char* name) {
            return recomputingLayers(
                fixedPlan(tape, roundCpu(), parseStrategy(name).value(), {}, std::nullopt).value());
        };
        QCOMPARE(count("none"), 0);
        QCOMPARE(count("megatron-block-4"), 4);
        QCOMPARE(count("every-2"), 3);
        QCOMPARE(count("megatron-uniform-3"), 6);
    }

    /// Fixed variants, and plans of a rule, offer nothing.
    void noOffersWhereNothingWasChosen()
    {
        StudyRequest request = requestOf({});
        const Study fixed = Study::solve(request).value();
        QVERIFY(variantOffers(fixed, fixed.planAt(0)).empty());
        request.setup.variants = VariantChoice::Auto;
        const Study open = Study::solve(request).value();
        QVERIFY(variantOffers(open, open.plan({Strategy::Kind::Full}, std::nullopt).value()).empty());
    }
};

QTEST_APPLESS_MAIN(VariantsTest)
#include "variants_test.moc"
