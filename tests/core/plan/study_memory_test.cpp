// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What a solve takes over from earlier ones changes nothing: random sequences of edits, each solved with the memory of
// those before and once more without, have the same chains, points, states and plans.
#include <algorithm>
#include <random>

#include <QtTest/QTest>

#include "core/cost/devices.h"
#include "core/plan/flat_memory.h"
#include "core/plan/flat_planner.h"
#include "core/plan/nested_planner.h"
#include "core/plan/study.h"
#include "tests/core/plan/random_chain.h"
#include "tests/support/counts.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

int edits()
{
    return countOf({.brief = 40, .usual = 200, .full = 4000});
}

std::size_t below(std::mt19937_64& random, std::size_t count)
{
    return static_cast<std::size_t>(random() % count);
}

/// What the definition of a chain implies for a backward (docs/planner.md), which an edit of a neighbour may have
/// broken.
void makeValid(Chain& chain)
{
    for (std::size_t i = 0; i < chain.stages.size(); ++i) {
        Stage& stage = chain.stages[i];
        const Bytes made = stage.weightGradBytes + (i == 0 ? Bytes{} : chain.stages[i - 1].gradBytes);
        for (Option& option : stage.options)
            option.backwardTempBytes = std::max(option.backwardTempBytes, made - stage.gradBytes - option.savedBytes);
    }
}

/// One of the ways in which a chain can change a little.
void edit(Chain& chain, std::mt19937_64& random)
{
    const std::size_t at = below(random, chain.stages.size());
    Stage& stage = chain.stages[at];
    const bool isLast = at + 1 == chain.stages.size();
    switch (random() % 8) {
    case 0: // a layer more
        if (!isLast)
            chain.stages.insert(chain.stages.begin() + static_cast<std::ptrdiff_t>(at), Stage(stage));
        break;
    case 1: // a layer less
        if (chain.stages.size() > 3 && at > 0 && !isLast)
            chain.stages.erase(chain.stages.begin() + static_cast<std::ptrdiff_t>(at));
        break;
    case 2: // a pin
        if (stage.options.size() > 1)
            stage.options.erase(stage.options.begin());
        break;
    case 3: // another optimizer
        chain.baseBytes += 100_B;
        chain.stepEndBytes += 10_B;
        break;
    case 4: // weight gradients that everything before the stage must bear
        stage.weightGradBytes += 3_B;
        break;
    case 5: // an output that is needed, so that the stage before has two tables
        stage.options.back().needsOutput = !stage.options.back().needsOutput;
        break;
    case 6: // another device
        for (Option& option : stage.options)
            option.backwardTime += Nanoseconds{static_cast<std::int64_t>(random() % 5)};
        break;
    default: // the same chain again
        break;
    }
    makeValid(chain);
}

void haveSameAnswers(const Chain& chain, const FlatFrontier& remembering, const FlatFrontier& fresh)
{
    QVERIFY(remembering.points() == fresh.points());
    QCOMPARE(remembering.states(), fresh.states());
    QCOMPARE(remembering.exact(), fresh.exact());
    QCOMPARE(remembering.gap(), fresh.gap());
    for (std::size_t i = 0; i < fresh.points().size(); i += std::max<std::size_t>(1, fresh.points().size() / 16))
        QVERIFY(remembering.choiceOf(i) == fresh.choiceOf(i));
    QCOMPARE(remembering.leastPeak(), fresh.leastPeak());
    QVERIFY(chain.stages.size() == fresh.choiceOf(0).size());
}

/// One edit of a request as the window makes it.
void edit(StudyRequest& request, std::mt19937_64& random)
{
    TrainingSetup& setup = request.setup;
    switch (random() % 9) {
    case 0:
        setup.batch = 1 + static_cast<std::int64_t>(random() % 6);
        break;
    case 1:
        setup.sequence = 8 * (1 + static_cast<std::int64_t>(random() % 4));
        break;
    case 2:
        request.shape.layers = 1 + static_cast<std::int64_t>(random() % 8);
        request.pins.clear();
        break;
    case 3:
        request.pins.clear();
        if (request.shape.layers > 1)
            request.pins.push_back(
                {static_cast<int>(random() % static_cast<std::uint64_t>(request.shape.layers)), "", random() % 2 == 0});
        break;
    case 4:
        setup.headChunks = 1 + static_cast<std::int64_t>(random() % 3);
        break;
    case 5:
        setup.optimizer = random() % 2 == 0 ? OptimizerKind::Sgd : OptimizerKind::AdamW;
        break;
    case 6:
        request.device.bytesPerSecond *= random() % 2 == 0 ? 2 : 0.5;
        break;
    case 7:
        setup.microBatches = 1 + static_cast<std::int64_t>(random() % 2);
        break;
    default:
        setup.attention = random() % 2 == 0 ? AttentionKind::Blocked : AttentionKind::Stored;
        break;
    }
}

} // namespace

class StudyMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void editedChainsHaveTheirOwnFrontiers_data()
    {
        QTest::addColumn<bool>("isLayered");
        QTest::addColumn<double>("gapTarget");
        QTest::addRow("small, exact") << false << 0.0;
        QTest::addRow("layered, exact") << true << 0.0;
        QTest::addRow("layered, thinned") << true << 0.01;
    }
    void editedChainsHaveTheirOwnFrontiers()
    {
        QFETCH(bool, isLayered);
        QFETCH(double, gapTarget);
        std::mt19937_64 random(5);
        FlatMemory memory;
        Chain chain;
        for (int i = 0; i < (isLayered ? edits() / 8 : 5 * edits()) && !QTest::currentTestFailed(); ++i) {
            if (i % 25 == 0)
                chain = isLayered ? layeredChain(random) : randomChain(random, {.mostStages = 7});
            memory.age();
            const FlatPlanner planner(chain, {.gapTarget = gapTarget});
            haveSameAnswers(chain, *planner.solve(&memory), *planner.solve());
            edit(chain, random);
        }
    }

    /// Nested solves find the flat tables of their chain, change nothing by it, and leave theirs for flat ones.
    void nestedSolvesTakeFlatTablesOver()
    {
        std::mt19937_64 random(8);
        FlatMemory memory;
        Chain chain;
        for (int i = 0; i < edits() / 2 && !QTest::currentTestFailed(); ++i) {
            if (i % 25 == 0)
                chain = randomChain(random, {.mostStages = 7});
            memory.age();
            const bool isFlatFirst = random() % 2 == 0;
            const FlatFrontier flat = *FlatPlanner(chain).solve(isFlatFirst ? &memory : nullptr);
            const std::size_t before = memory.suffixes<NarrowCost>().size();
            const NestedLimits limits{.threads = 1};
            const NestedFrontier remembering = *NestedPlanner(chain, limits).solve(&memory);
            const NestedFrontier fresh = *NestedPlanner(chain, limits).solve();
            QVERIFY(remembering.points() == fresh.points());
            QCOMPARE(remembering.states(), fresh.states());
            for (std::size_t k = 0; k < fresh.points().size(); k += 5)
                QVERIFY(remembering.scheduleOf(k) == fresh.scheduleOf(k));
            const std::size_t after = memory.suffixes<NarrowCost>().size();
            QVERIFY(after == before || !isFlatFirst);
            QVERIFY(FlatPlanner(chain).solve(&memory)->points() == flat.points());
            QCOMPARE(memory.suffixes<NarrowCost>().size(), after);
            edit(chain, random);
        }
    }

    /// An exact solve that goes ahead of a thinned one answers exactly, or stops and leaves no trace.
    void quickSolvesAreExactOrNone()
    {
        std::mt19937_64 random(6);
        int quick = 0;
        for (int i = 0; i < 12 && !QTest::currentTestFailed(); ++i) {
            const Chain chain = layeredChain(random);
            const FlatFrontier exact = *FlatPlanner(chain).solve();
            const FlatFrontier thinned = *FlatPlanner(chain, {.gapTarget = 0.01}).solve();
            for (const std::int64_t most : {exact.states(), exact.states() / 2}) {
                const FlatFrontier found = *FlatPlanner(chain, {.gapTarget = 0.01, .quickPoints = most}).solve();
                quick += found.exact() && !thinned.exact() ? 1 : 0;
                QVERIFY(found.points() == (most == exact.states() ? exact : thinned).points());
            }
        }
        QVERIFY(quick >= 6);
    }

    void editedStudiesAreFreshOnes()
    {
        std::mt19937_64 random(7);
        std::mt19937 randomVarieties(7);
        StudyMemory memory;
        StudyRequest request;
        for (int i = 0; i < edits() && !QTest::currentTestFailed(); ++i) {
            if (i % 20 == 0) {
                const Variety variety = randomVariety(randomVarieties);
                request = {smallShape(variety, 3, 2, 16, 128, 300, 32), setupOf(variety, 4, 32), roundCpu(), {}};
                request.setup.variants = i % 40 == 0 ? VariantChoice::Auto : VariantChoice::Fixed;
            }
            const Result<Study> remembering = Study::solve(request, {}, &memory);
            const Result<Study> fresh = Study::solve(request);
            QCOMPARE(static_cast<bool>(remembering), static_cast<bool>(fresh));
            if (fresh)
                areTheSame(*remembering, *fresh);
            edit(request, random);
        }
    }

private:
    static void areTheSame(const Study& remembering, const Study& fresh)
    {
        QCOMPARE(remembering.variants().size(), fresh.variants().size());
        for (std::size_t v = 0; v < fresh.variants().size(); ++v) {
            QVERIFY(remembering.variants()[v]->chain == fresh.variants()[v]->chain);
            QVERIFY(remembering.variants()[v]->keepSets == fresh.variants()[v]->keepSets);
        }
        QCOMPARE(remembering.points().size(), fresh.points().size());
        for (std::size_t i = 0; i < fresh.points().size(); ++i) {
            QVERIFY(remembering.points()[i].cost == fresh.points()[i].cost);
            QCOMPARE(remembering.points()[i].variant, fresh.points()[i].variant);
        }
        for (const std::size_t point : {std::size_t{0}, fresh.points().size() / 2, fresh.points().size() - 1}) {
            QVERIFY(remembering.planAt(point).keep == fresh.planAt(point).keep);
            QVERIFY(remembering.planAt(point).schedule == fresh.planAt(point).schedule);
        }
    }
};

QTEST_APPLESS_MAIN(StudyMemoryTest)
#include "study_memory_test.moc"
