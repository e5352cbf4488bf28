// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/plan/nested_study.h"
#include "core/plan/study.h"
#include "core/run/preflight.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

/// What is kept free, by the header: 256 MiB and 2 %.
Bytes usableOf(Bytes available)
{
    return available - 256_MiB - Bytes{available.value / 50};
}

} // namespace

class PreflightTest : public QObject {
    Q_OBJECT

private slots:
    void smallRunFitsALargeMachine()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None)};
        request.threads = 2;
        const Preflight found = preflight(request, 8_GiB);
        QVERIFY(found.fits());
        QCOMPARE(found.predictedPeak, request.plan.prediction.peak);
        QCOMPARE(found.usable, usableOf(8_GiB));
        // Steps: one that measures memory, one that warms up, three measured.
        const Nanoseconds step = request.plan.prediction.stepTime(request.plan.setup());
        QCOMPARE(found.stepTime.value(), step);
        QCOMPARE(found.runTime.value(), 5 * step);
    }

    void runNeverTakesTheReserve()
    {
        const RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None)};
        QVERIFY(!preflight(request, 300_MiB).fits());
        QVERIFY(!preflight(request, 0_B).fits());
    }

    void limitOfTheRequestCounts()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None)};
        request.memoryLimit = 10_MiB;
        const Preflight found = preflight(request, 8_GiB);
        QVERIFY(!found.fits());
        QCOMPARE(found.usable, 10_MiB);
    }

    /// The answer against trying every batch: peaks come from plans made independently of the search.
    void largestBatchIsTheLastThatFits_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<int>("kind");
        for (const char* preset : {"tiny-gpt2", "tiny-bert", "tiny-llama"})
            for (const Strategy::Kind kind : {Strategy::Kind::None, Strategy::Kind::Full, Strategy::Kind::FfnOnly})
                QTest::newRow((preset + (" " + toName({kind}))).c_str()) << preset << static_cast<int>(kind);
    }

    void largestBatchIsTheLastThatFits()
    {
        QFETCH(QString, preset);
        QFETCH(int, kind);
        const auto strategy = static_cast<Strategy::Kind>(kind);
        const auto peakAt = [&](std::int64_t batch) {
            return samplePlan(preset.toStdString(), strategy, sizesOfThisCpu(2), batch).prediction.peak;
        };
        RunRequest request{samplePlan(preset.toStdString(), strategy, sizesOfThisCpu(2), 40)};
        request.threads = 2;
        // Halfway between what batches 5 and 6 need, with the 64 MiB that a process takes beside its blocks.
        const Bytes usable = Bytes{(peakAt(5).value + peakAt(6).value) / 2} + 64_MiB;
        QCOMPARE(largestBatch(request, usable), std::int64_t{5});
        QCOMPARE(largestBatch(request, 66_MiB), std::int64_t{0});
    }

    void optimalIsPlannedAnewForEachBatch()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(2), 40)};
        request.threads = 2;
        const Bytes usable
            = samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(2), 6).prediction.peak + 64_MiB;
        const std::int64_t keepAll = largestBatch(request, usable);
        request.plan.strategy = {Strategy::Kind::Optimal};
        const std::int64_t optimal = largestBatch(request, usable);
        QCOMPARE(keepAll, std::int64_t{6});
        QVERIFY2(optimal > keepAll, qPrintable(QString::number(optimal)));
    }

    void refusalNamesTheBatchThatFits()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None)};
        request.memoryLimit = 10_MiB;
        const Preflight found = preflight(request, 8_GiB);
        const Error error = refusal(request, found, 1);
        QCOMPARE(static_cast<int>(error.exitCode()), 10);
        QCOMPARE(std::string(error.code->name), std::string("out-of-memory-expected"));
        QVERIFY2(englishRemedy(error).find("batch to 1:") != std::string::npos, englishRemedy(error).c_str());
        QVERIFY(englishText(error).find("10.0 MiB") != std::string::npos);
        QCOMPARE(std::string(refusal(request, found, 0).code->name), std::string("out-of-memory-at-every-batch"));
        // No budget helps, but the strategy's own plan of this batch nearly does: one less is sure to.
        QCOMPARE(std::string(refusal(request, found, 2).code->name), std::string("out-of-memory-expected"));
        QVERIFY(englishRemedy(refusal(request, found, 0)).find("Not even") != std::string::npos);
        QVERIFY(englishRemedy(refusal(request, found, 2)).find("batch to 1:") != std::string::npos);
    }

    /// The sentence never answers a batch with a larger one: the plan has batch 2.
    void refusalNamesTheBudgetThatFits_data()
    {
        QTest::addColumn<int>("batch");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("remedy");
        const char* again = "Plan this batch of 2 again with the strategy optimal and a budget of 9.00 GiB";
        QTest::newRow("also a smaller batch")
            << 1 << "out-of-memory-at-this-batch" << QString(again) + "; the present strategy fits with a batch of 1.";
        QTest::newRow("this strategy never") << 0 << "out-of-memory-with-this-plan" << QString(again) + ".";
        QTest::newRow("this strategy, leaner") << 23 << "out-of-memory-with-this-plan" << QString(again) + ".";
    }

    void refusalNamesTheBudgetThatFits()
    {
        QFETCH(int, batch);
        QFETCH(QString, code);
        QFETCH(QString, remedy);
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None)};
        const Error error = refusal(request, preflight(request, 8_GiB), batch, FittingBudget{{}, 9_GiB});
        QCOMPARE(QString::fromUtf8(error.code->name.data()), code);
        QCOMPARE(QString::fromStdString(englishRemedy(error)), remedy);
    }

    /// Who plans with the budget that was named has a run that passes the same check.
    void theNamedBudgetIsRunnable()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(2), 40)};
        request.threads = 2;
        const Study study = Study::solve({request.plan.shape(), request.plan.setup(), sizesOfThisCpu(2), {}}).value();
        // Halfway between the leanest plan and this one, with the 64 MiB that a process takes beside its blocks.
        request.memoryLimit = Bytes{(study.leastPeak().value + request.plan.prediction.peak.value) / 2} + 64_MiB;
        const Preflight found = preflight(request, 8_GiB);
        QVERIFY(!found.fits());
        const std::optional<FittingBudget> fitting = fittingBudget(request, found.usable);
        QVERIFY(fitting);
        request.plan = study.cheapestWithin(fitting->budget).value();
        QVERIFY(preflight(request, 8_GiB).fits());
        QVERIFY(!fittingBudget(request, study.leastPeak()));
        QVERIFY(!fittingBudget(request, 1_MiB));
    }

    /// Between what nested and flat plans need at least, only the nested strategy is named, and only for a nested plan.
    void aNestedPlanIsToldOfNestedPlans()
    {
        ModelShape shape = findPreset("tiny-gpt2").value();
        shape.layers = 8;
        TrainingSetup setup;
        setup.batch = 8;
        setup.sequence = 128;
        const Study study = Study::solve({shape, withDefaults(shape, setup), sizesOfThisCpu(2), {}}).value();
        const NestedStudy nested = NestedStudy::solve(study).value();
        RunRequest request{nested.planAt(nested.points().size() - 1)};
        request.threads = 2;
        request.memoryLimit = Bytes{(nested.leastPeak().value + study.leastPeak().value) / 2} + 64_MiB;
        const Preflight found = preflight(request, 8_GiB);
        const std::optional<FittingBudget> fitting = fittingBudget(request, found.usable);
        QVERIFY(fitting && fitting->strategy.kind == Strategy::Kind::OptimalNested);
        const std::string remedy = englishRemedy(refusal(request, found, 8, fitting));
        QVERIFY2(remedy.find("strategy optimal-nested and a budget") != std::string::npos, remedy.c_str());
        request.plan = nested.cheapestWithin(fitting->budget).value();
        QVERIFY(preflight(request, 8_GiB).fits());
        request.plan = study.planAt(0);
        QVERIFY(!fittingBudget(request, found.usable));
    }

    /// Comparing gradients needs keep-everything; where that is too large the run goes ahead without.
    void gradientsAreComparedWhereKeepEverythingFits()
    {
        RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::Full, sizesOfThisCpu(2), 64)};
        request.threads = 2;
        request.checksGradients = true;
        QVERIFY(preflight(request, 8_GiB).checksGradients);
        request.memoryLimit = request.plan.prediction.peak + 64_MiB;
        const Preflight found = preflight(request, 8_GiB);
        QVERIFY(found.fits());
        QVERIFY(!found.checksGradients);
    }
};

QTEST_APPLESS_MAIN(PreflightTest)
#include "preflight_test.moc"
