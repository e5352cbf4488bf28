// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/model/names.h"
#include "core/plan/nested_study.h"
#include "tests/support/counts.h"
#include "tests/support/run_step.h"

using namespace remat;
using namespace remat::testing;

Q_DECLARE_METATYPE(remat::testing::Variety)

/// Laws 1 and 4 on the real CPU machine: what is tracked is what was predicted, and no plan changes a bit of the
/// gradients.  Dropped values are poisoned with NaN.
class ExecutorLawsTest : public QObject {
    Q_OBJECT

private slots:
    void randomPlansTrackTheirPredictionAndKeepTheGradients();
    void everyFamilyVariantAndOptimizerKeepsTheLaws_data();
    void everyFamilyVariantAndOptimizerKeepsTheLaws();
    void plannersPlansTrackTheirBudgetAndKeepTheGradients();
    void nestedPlansTrackTheirBudgetAndKeepTheGradients();
    void everyKeepSetOfABlockKeepsTheGradients_data();
    void everyKeepSetOfABlockKeepsTheGradients();
    void lossStaysNearLnOfTheVocabulary_data();
    void lossStaysNearLnOfTheVocabulary();
    void theTapeCountsTheWorkspaceThatTheKernelNeeds();
    void budgetBelowThePeakFailsAsOutOfMemory();
    void stoppedStepLeavesNothingBehind();
};

namespace {

int planCount()
{
    return countOf({.brief = 80, .usual = 240, .full = 3000});
}

void compareWithKeepAll(const StepTape& tape, const std::vector<KeepSet>& keep, const StepResult& keepAllResult,
    int threads, const Schedule& schedule = {})
{
    const StepResult result = runOnce(tape, keep, threads, nullptr, schedule);
    QCOMPARE(result.seen.peak.value, result.predicted.peak.value);
    for (std::size_t s = 0; s < result.seen.forwardsOfOp.size(); ++s)
        for (std::size_t op = 0; op < result.seen.forwardsOfOp[s].size(); ++op)
            QCOMPARE(result.seen.forwardsOfOp[s][op], 1 + result.predicted.rerunsOfOp[s][op]);
    const std::string difference = firstDifference(result, keepAllResult);
    QVERIFY2(difference.empty(), difference.c_str());
    QVERIFY(std::isfinite(result.seen.loss));
    for (const auto& [name, values] : result.gradients)
        for (const float v : values)
            QVERIFY2(std::isfinite(v), name.c_str());
}

} // namespace

void ExecutorLawsTest::randomPlansTrackTheirPredictionAndKeepTheGradients()
{
    std::mt19937 random(42);
    const int plansPerModel = 8;
    for (int i = 0; i < planCount() / plansPerModel; ++i) {
        const Variety variety = randomVariety(random);
        const ModelShape shape = randomShape(variety, random);
        const TrainingSetup setup = randomSetup(variety, random);
        const auto tapeFor = [&](int threads) { return buildStepTape(shape, setup, machineTraits(roundCpu(threads))); };
        const StepResult reference = runOnce(tapeFor(1), keepEverything(tapeFor(1)), 1);
        QCOMPARE(reference.seen.peak.value, reference.predicted.peak.value);
        for (int k = 0; k < plansPerModel; ++k) {
            const int threads = 1 + k % 2;
            const StepTape tape = tapeFor(threads);
            compareWithKeepAll(tape, randomKeepSets(tape, random), reference, threads);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

void ExecutorLawsTest::everyFamilyVariantAndOptimizerKeepsTheLaws_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<Variety>("variety");
    unsigned number = 0;
    for (const char* family : {"gpt2", "bert", "llama", "mistral", "qwen2"})
        for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored})
            for (const std::int64_t headChunks : {1, 3})
                for (const OptimizerKind optimizer : {OptimizerKind::None, OptimizerKind::Sgd, OptimizerKind::AdamW})
                    for (const std::int64_t microBatches : {1, 2}) {
                        const std::string_view name = family;
                        ++number; // what is not named takes turns
                        Variety v{.isBert = name == "bert",
                            .attention = attention,
                            .headChunks = headChunks,
                            .hasDropout = number % 2 == 0,
                            .microBatches = microBatches,
                            .isTied = number % 3 != 0,
                            .optimizer = optimizer,
                            .isLlama = name != "gpt2" && name != "bert",
                            .hasQkvBias = name == "qwen2",
                            .sharing = static_cast<Sharing>(number % 3)};
                        QTest::addRow("%s, %s attention, head of %d chunks, %s, %d micro-batches", family,
                            attention == AttentionKind::Stored ? "stored" : "blocked", static_cast<int>(headChunks),
                            toName(optimizer).data(), static_cast<int>(microBatches))
                            << QString(family) << v;
                    }
}

/// Nothing is left to chance here but the plans and sizes: 120 rows of three plans, more in the long form.
void ExecutorLawsTest::everyFamilyVariantAndOptimizerKeepsTheLaws()
{
    QFETCH(QString, family);
    QFETCH(Variety, variety);
    std::mt19937 random(static_cast<unsigned>(qHash(QByteArray(QTest::currentDataTag()), 5)));
    ModelShape shape = randomShape(variety, random);
    shape.modelType = family.toStdString();
    if (family == "mistral")
        shape.slidingWindow = shape.maxPositions;
    const TrainingSetup setup = randomSetup(variety, random);
    const auto tapeFor = [&](int threads) { return buildStepTape(shape, setup, machineTraits(roundCpu(threads))); };
    const StepResult reference = runOnce(tapeFor(1), keepEverything(tapeFor(1)), 1);
    QCOMPARE(reference.seen.peak.value, reference.predicted.peak.value);
    for (int k = 0; k < planCount() / 80; ++k) {
        const int threads = 1 + k % 2;
        const StepTape tape = tapeFor(threads);
        compareWithKeepAll(tape, randomKeepSets(tape, random), reference, threads);
        if (QTest::currentTestFailed())
            return;
    }
}

/// Points of the planner's own frontiers: what says that it fits, fits when it really runs (law 2), and takes what the
/// point says (law 1).
void ExecutorLawsTest::plannersPlansTrackTheirBudgetAndKeepTheGradients()
{
    std::mt19937 random(77);
    for (int i = 0; i < planCount() / 12; ++i) {
        const Variety variety = randomVariety(random);
        StudyRequest request{randomShape(variety, random), randomSetup(variety, random), roundCpu(), {}};
        request.setup.variants = i % 3 == 0 ? VariantChoice::Auto : VariantChoice::Fixed;
        const Result<Study> study = Study::solve(request);
        QVERIFY2(study, study ? "" : englishSentence(study.error()).c_str());
        const std::size_t points = study->points().size();
        for (const std::size_t p : {std::size_t{0}, points / 3, points / 2, 2 * points / 3, points - 1}) {
            const Plan plan = study->planAt(p);
            const StepTape& tape = plan.step->tape;
            const StepResult result = runOnce(tape, plan.keep, 1);
            QCOMPARE(result.seen.peak, plan.prediction.peak);
            QCOMPARE(result.seen.peak, study->points()[p].cost.peak);
            QVERIFY(result.seen.peak <= *plan.budget);
            QCOMPARE(result.predicted.time, study->points()[p].cost.time);
            compareWithKeepAll(tape, plan.keep, runOnce(tape, keepEverything(tape), 1), 1);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

/// The same for plans that run layers forward again.  Deep and narrow models, where that pays; at least a third of the
/// plans must really do it, or the test would say nothing.
void ExecutorLawsTest::nestedPlansTrackTheirBudgetAndKeepTheGradients()
{
    std::mt19937 random(78);
    int plans = 0, nestedPlans = 0;
    for (int i = 0; i < planCount() / 12; ++i) {
        const Variety variety = randomVariety(random);
        ModelShape shape = randomShape(variety, random);
        shape.layers = 5 + i % 4;
        const Result<Study> study = Study::solve({shape, randomSetup(variety, random), roundCpu(), {}});
        QVERIFY2(study, study ? "" : englishSentence(study.error()).c_str());
        const Result<NestedStudy> nested = NestedStudy::solve(*study);
        QVERIFY2(nested, nested ? "" : englishSentence(nested.error()).c_str());
        QVERIFY(nested->leastPeak() <= study->leastPeak());
        const std::size_t points = nested->points().size();
        for (const std::size_t p : {std::size_t{0}, points / 40, points / 20, points / 10, points / 2}) {
            const Plan plan = nested->planAt(p);
            const FrontierPoint& point = nested->points()[p].cost;
            QCOMPARE(plan.prediction.peak, point.peak);
            QCOMPARE(plan.prediction.time, point.time);
            QCOMPARE(plan.prediction.reruns, point.reruns);
            const StepTape& tape = plan.step->tape;
            const StepResult result = runOnce(tape, plan.keep, 1, nullptr, plan.schedule);
            QCOMPARE(result.seen.peak, point.peak);
            QCOMPARE(result.predicted.time, point.time);
            compareWithKeepAll(tape, plan.keep, runOnce(tape, keepEverything(tape), 1), 1, plan.schedule);
            if (QTest::currentTestFailed())
                return;
            const std::vector<int> forwards = forwardCounts(plan.schedule, tape.stages.size());
            nestedPlans += std::any_of(forwards.begin(), forwards.end(), [](int n) { return n > 1; });
            ++plans;
        }
    }
    std::printf("%d of %d plans run a stage forward again\n", nestedPlans, plans);
    QVERIFY(3 * nestedPlans >= plans);
}

void ExecutorLawsTest::everyKeepSetOfABlockKeepsTheGradients_data()
{
    QTest::addColumn<Variety>("variety");
    const auto stored = AttentionKind::Stored;
    QTest::newRow("gpt2, blocked") << Variety{.hasDropout = true};
    QTest::newRow("gpt2, stored, chunked head") << Variety{.attention = stored, .headChunks = 3, .hasDropout = true};
    QTest::newRow("bert, blocked, chunked head") << Variety{.isBert = true, .headChunks = 3, .hasDropout = true};
    QTest::newRow("bert, stored") << Variety{.isBert = true, .attention = stored, .hasDropout = true};
    QTest::newRow("llama, blocked") << Variety{.hasDropout = true, .isTied = false, .isLlama = true};
    QTest::newRow("llama, stored, one key for all, chunked head")
        << Variety{.attention = stored, .headChunks = 3, .isLlama = true, .sharing = Sharing::All};
    QTest::newRow("qwen2, blocked, one key for all")
        << Variety{.hasDropout = true, .isLlama = true, .hasQkvBias = true, .sharing = Sharing::All};
    QTest::newRow("llama, own head width, all biases") << Variety{
        .isLlama = true, .hasQkvBias = true, .hasOwnHeadWidth = true, .hasAttentionOutBias = true, .hasFfnBias = true};
}

void ExecutorLawsTest::everyKeepSetOfABlockKeepsTheGradients()
{
    QFETCH(Variety, variety);
    const StepTape tape
        = buildStepTape(smallShape(variety, 1, 2, 4, 12, 13, 8), setupOf(variety, 2, 7), machineTraits(roundCpu()));
    const StepResult reference = runOnce(tape, keepEverything(tape), 1);
    for (const std::size_t kind : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        const std::vector<int> candidates = tape.kinds[kind].candidates();
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << candidates.size(); ++bits) {
            std::vector<KeepSet> keep = keepEverything(tape);
            keep[kind] = 0;
            for (std::size_t k = 0; k < candidates.size(); ++k)
                if (bits >> k & 1)
                    keep[kind] |= KeepSet{1} << candidates[k];
            compareWithKeepAll(tape, keep, reference, 1);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

void ExecutorLawsTest::lossStaysNearLnOfTheVocabulary_data()
{
    QTest::addColumn<Variety>("variety");
    QTest::newRow("gpt2") << Variety{};
    QTest::newRow("llama") << Variety{.isLlama = true, .sharing = Sharing::All};
}

void ExecutorLawsTest::lossStaysNearLnOfTheVocabulary()
{
    // 40 AdamW steps on one vocabulary of 7: random tokens, so the loss can fall to ln 7 and not below.
    QFETCH(Variety, variety);
    ModelShape shape = smallShape(variety, 1, 2, 8, 32, 7, 16);
    const TrainingSetup setup = setupOf(variety, 8, 16);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(roundCpu()));
    const StepChain step = buildFixedChain(tape, roundCpu(), keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    CpuMachine machine({});
    ExecutorOptions options;
    options.clock = steadyClock;
    auto executor = Executor::create(step.tape, program, machine, options);
    QVERIFY(executor);
    for (int i = 0; i < 40; ++i) {
        const Result<StepObservation> seen = (*executor)->runStep();
        QVERIFY(seen);
        QVERIFY2(std::abs(seen->loss - std::log(7.0)) < 0.25, qPrintable(QString::number(seen->loss)));
    }
}

void ExecutorLawsTest::theTapeCountsTheWorkspaceThatTheKernelNeeds()
{
    std::mt19937 random(9);
    for (int i = 0; i < 100; ++i) {
        const Variety variety{.isBert = i % 3 == 0, .headChunks = 2 + i % 5, .isLlama = i % 3 == 1};
        const StepTape tape = buildStepTape(randomShape(variety, random), randomSetup(variety, random), {});
        for (const Op& op : tape.kinds[2].ops)
            if (op.kind == OpKind::ChunkedHead)
                QVERIFY(op.forwardWorkspace.value >= kernels::chunkedHeadWorkspaceBytes(
                            {op.dims.rows, op.dims.in, op.dims.vocabulary, op.dims.chunks}));
    }
}

void ExecutorLawsTest::budgetBelowThePeakFailsAsOutOfMemory()
{
    std::mt19937 random(11);
    const Variety variety;
    const StepTape tape
        = buildStepTape(randomShape(variety, random), randomSetup(variety, random), machineTraits(roundCpu()));
    const StepChain step = buildFixedChain(tape, roundCpu(), keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    const Bytes peak = replayDry(program, step.tape).peak;
    for (const std::int64_t missing : {std::int64_t{0}, std::int64_t{1}}) {
        CpuMachine machine({});
        ExecutorOptions options;
        options.clock = steadyClock;
        options.budget = peak - Bytes{missing};
        auto executor = Executor::create(step.tape, program, machine, options);
        QVERIFY(executor);
        const Result<StepObservation> seen = (*executor)->runStep();
        QCOMPARE(static_cast<bool>(seen), missing == 0);
        if (!seen)
            QCOMPARE(seen.error().exitCode(), ExitCode::OutOfMemory);
    }
}

void ExecutorLawsTest::stoppedStepLeavesNothingBehind()
{
    const Variety variety;
    std::mt19937 random(12);
    const StepTape tape
        = buildStepTape(randomShape(variety, random), randomSetup(variety, random), machineTraits(roundCpu()));
    const StepChain step = buildFixedChain(tape, roundCpu(), keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    CpuMachine machine({});
    std::stop_source stop;
    ExecutorOptions options;
    options.clock = steadyClock;
    options.stop = stop.get_token();
    options.onProgress = [&](int instruction, int) {
        if (instruction > static_cast<int>(program.instructions.size()) / 2)
            stop.request_stop();
    };
    auto executor = Executor::create(step.tape, program, machine, options);
    QVERIFY(executor);
    const Result<StepObservation> seen = (*executor)->runStep();
    QVERIFY(!seen);
    QCOMPARE(QByteArray(seen.error().code->name.data()), QByteArray("run-stopped"));
}

QTEST_APPLESS_MAIN(ExecutorLawsTest)
#include "executor_laws_test.moc"
