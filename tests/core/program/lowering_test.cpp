// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/chain/chain_replay.h"
#include "core/chain/step_chain.h"
#include "core/plan/flat_schedule.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "tests/support/small_models.h"

using namespace remat;

/// Law 1, dry half: the chain's replay (stages and options) and the program's replay (ops and buffers) agree in peak,
/// time and reruns; and a program never touches what does not exist.
class LoweringTest : public QObject {
    Q_OBJECT

private slots:
    void chainAndProgramAgreeForRandomPlans();
    void attentionsBackwardHasItsWorkspace();
    void chainAndProgramAgreeForEveryKeepSetOfABlock_data();
    void chainAndProgramAgreeForEveryKeepSetOfABlock();
    void programsTouchOnlyWhatExists();
    void keepAllRunsEveryOpOnce();
    void peakIsExplainedByWhatIsAlive();
};

namespace {

MachineTraits gpuTraits()
{
    Device gpu = testing::roundCpu();
    gpu.kind = DeviceKind::Cuda;
    gpu.granule = kCudaGranule;
    return machineTraits(gpu);
}

struct Lowered {
    StepChain step;
    Schedule schedule;
    Program program;
};

Lowered lowered(const StepTape& tape, const std::vector<KeepSet>& keep)
{
    Lowered result{buildFixedChain(tape, testing::roundCpu(), keep), {}, {}};
    result.schedule = flatSchedule(result.step.chain, std::vector<int>(keep.size(), 0));
    result.program = lower(result.step, result.schedule);
    return result;
}

void compareReplays(const StepTape& tape, const std::vector<KeepSet>& keep)
{
    const Lowered l = lowered(tape, keep);
    const Result<ReplayResult> chain = replay(l.step.chain, l.schedule);
    QVERIFY2(chain, chain ? "" : englishSentence(chain.error()).c_str());
    const Timeline program = replayDry(l.program, l.step.tape);
    QCOMPARE(program.peak.value, chain->peak.value);
    QCOMPARE(program.time.value, chain->time.value);
    QCOMPARE(program.reruns, chain->reruns);
}

/// Walks a program with nothing but a set of living buffers; returns what is wrong, or an empty text.
QString firstFault(const Program& program)
{
    std::vector<bool> alive(program.buffers.size(), false);
    const auto lives = [&](int buffer) { return buffer >= 0 && alive[static_cast<std::size_t>(buffer)]; };
    const auto allLive
        = [&](const std::vector<int>& buffers) { return std::all_of(buffers.begin(), buffers.end(), lives); };
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& step = program.instructions[i];
        const QString at = QStringLiteral("instruction %1: ").arg(i);
        if (step.kind == Instruction::Kind::Allocate) {
            if (lives(step.buffer))
                return at + "allocated twice";
            alive[static_cast<std::size_t>(step.buffer)] = true;
        } else if (step.kind == Instruction::Kind::Release) {
            if (!lives(step.buffer))
                return at + "released without being allocated";
            alive[static_cast<std::size_t>(step.buffer)] = false;
        } else if (step.kind == Instruction::Kind::Forward) {
            const OpCall& call = program.calls[static_cast<std::size_t>(step.call)];
            if (!allLive(call.reads) || !allLive(call.writes))
                return at + "forward without its operands";
        } else if (step.kind == Instruction::Kind::Backward) {
            const OpCall& call = program.calls[static_cast<std::size_t>(step.call)];
            if (!allLive(call.backwardReads))
                return at + "backward without a value";
            for (const int buffer : call.gradientsIn)
                if (buffer >= 0 && !lives(buffer))
                    return at + "backward without an incoming gradient";
            for (const OpCall::Target& target : call.gradientsOut)
                if (target.buffer >= 0 && !lives(target.buffer))
                    return at + "backward without an outgoing gradient";
            for (const OpCall::Target& target : call.weightGradients)
                if (target.buffer >= 0 && !lives(target.buffer))
                    return at + "backward without a weight gradient";
        }
    }
    for (std::size_t b = 0; b < alive.size(); ++b) {
        const bool isWeightGradient
            = std::find(program.gradientOf.begin(), program.gradientOf.end(), static_cast<int>(b))
            != program.gradientOf.end();
        if (alive[b] != isWeightGradient)
            return QStringLiteral("%1 is %2 at the end")
                .arg(QString::fromStdString(program.buffers[b].name), alive[b] ? "alive" : "gone");
    }
    return {};
}

} // namespace

void LoweringTest::chainAndProgramAgreeForRandomPlans()
{
    std::mt19937 random(20260101);
    for (int i = 0; i < 400; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        // A GPU's backward of attention has a workspace of its own.
        const StepTape tape = buildStepTape(testing::randomShape(variety, random),
            testing::randomSetup(variety, random), i % 2 == 0 ? MachineTraits{} : gpuTraits());
        compareReplays(tape, testing::randomKeepSets(tape, random));
        if (QTest::currentTestFailed())
            return;
    }
}

/// One fp32 number for each row of scores, B H T of them, rounded up to 512 B: by hand 2 x 3 x 50 x 4 = 1200 -> 1536;
/// there while the backward of attention runs, and at no other time; stored scores need it where they become gradients
/// of queries and keys.
void LoweringTest::attentionsBackwardHasItsWorkspace()
{
    for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored}) {
        const testing::Variety variety{.attention = attention};
        const StepTape tape = buildStepTape(
            testing::smallShape(variety, 1, 3, 4, 16, 11, 64), testing::setupOf(variety, 2, 50), gpuTraits());
        const Program program = lowered(tape, {0, keepAll(tape.kinds[1]), 0}).program;
        int runs = 0;
        for (std::size_t i = 1; i + 1 < program.instructions.size(); ++i) {
            const Instruction& step = program.instructions[i];
            const OpKind wanted = attention == AttentionKind::Blocked ? OpKind::Attention : OpKind::AttentionProbs;
            if (step.kind != Instruction::Kind::Backward
                || tape.tapeOf(step.stage).ops[static_cast<std::size_t>(step.op)].kind != wanted)
                continue;
            ++runs;
            const int workspace = program.calls[static_cast<std::size_t>(step.call)].workspace;
            QVERIFY(workspace >= 0);
            QCOMPARE(program.buffers[static_cast<std::size_t>(workspace)].bytes.value, std::int64_t{1536});
            QCOMPARE(program.instructions[i - 1].buffer, workspace);
            QCOMPARE(static_cast<int>(program.instructions[i + 1].kind), static_cast<int>(Instruction::Kind::Release));
            QCOMPARE(program.instructions[i + 1].buffer, workspace);
        }
        QCOMPARE(runs, 1);
    }
}

void LoweringTest::chainAndProgramAgreeForEveryKeepSetOfABlock_data()
{
    QTest::addColumn<bool>("isBert");
    QTest::addColumn<bool>("isStored");
    for (const bool isBert : {false, true})
        for (const bool isStored : {false, true})
            QTest::addRow("%s, %s", isBert ? "bert" : "gpt2", isStored ? "stored" : "blocked") << isBert << isStored;
}

void LoweringTest::chainAndProgramAgreeForEveryKeepSetOfABlock()
{
    QFETCH(bool, isBert);
    QFETCH(bool, isStored);
    const testing::Variety variety{
        .isBert = isBert, .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked, .hasDropout = true};
    const StepTape tape
        = buildStepTape(testing::smallShape(variety, 1, 2, 4, 16, 11, 8), testing::setupOf(variety, 2, 8), {});
    const std::vector<int> candidates = tape.kinds[1].candidates();
    QVERIFY(candidates.size() >= 7);
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << candidates.size(); ++bits) {
        KeepSet keep = 0;
        for (std::size_t k = 0; k < candidates.size(); ++k)
            if (bits >> k & 1)
                keep |= KeepSet{1} << candidates[k];
        compareReplays(tape, {keepAll(tape.kinds[0]), keep, keepAll(tape.kinds[2])});
        if (QTest::currentTestFailed())
            return;
    }
}

void LoweringTest::programsTouchOnlyWhatExists()
{
    std::mt19937 random(5);
    for (int i = 0; i < 300; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        const StepTape tape
            = buildStepTape(testing::randomShape(variety, random), testing::randomSetup(variety, random), {});
        const QString fault = firstFault(lowered(tape, testing::randomKeepSets(tape, random)).program);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
}

void LoweringTest::keepAllRunsEveryOpOnce()
{
    std::mt19937 random(6);
    for (int i = 0; i < 40; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        const StepTape tape
            = buildStepTape(testing::randomShape(variety, random), testing::randomSetup(variety, random), {});
        std::vector<KeepSet> keep;
        keep.reserve(tape.stages.size());
        for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s)
            keep.push_back(keepAll(tape.tapeOf(s)));
        QCOMPARE(replayDry(lowered(tape, keep).program, tape).reruns, 0);
    }
}

void LoweringTest::peakIsExplainedByWhatIsAlive()
{
    std::mt19937 random(8);
    for (int i = 0; i < 60; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        const StepTape tape
            = buildStepTape(testing::randomShape(variety, random), testing::randomSetup(variety, random), {});
        const Lowered l = lowered(tape, testing::randomKeepSets(tape, random));
        const Timeline timeline = replayDry(l.program, tape);
        Bytes alive;
        for (const int buffer : timeline.aliveAtPeak)
            alive += l.program.buffers[static_cast<std::size_t>(buffer)].bytes;
        QCOMPARE(tape.base.total() + alive, timeline.peak);
        const LiveBytes& bands = timeline.atPeak;
        QCOMPARE(bands.weightGradients + bands.saved + bands.working, alive);
    }
}

QTEST_APPLESS_MAIN(LoweringTest)
#include "lowering_test.moc"
