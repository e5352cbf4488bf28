// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/plan.h"
#include "core/plan/plan_file.h"
#include "core/plan/strategies_segments.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

StepTape tapeOf(std::int64_t layers, bool isBert = false)
{
    const Variety variety{.isBert = isBert, .hasDropout = true};
    const ModelShape shape = smallShape(variety, layers, 2, 4, 16, 20, 8);
    return buildStepTape(shape, withDefaults(shape, setupOf(variety, 2, 4)), machineTraits(roundCpu()));
}

/// "0-1 2-3": the layers of each segment.
QString layersOf(const std::vector<Segment>& segments)
{
    QStringList texts;
    for (const Segment& segment : segments)
        texts << QStringLiteral("%1-%2").arg(segment.first - 1).arg(segment.last - 1);
    return texts.join(' ');
}

/// A chain of round numbers: every output takes 10 bytes, every interior 100, gradients 10.
Chain roundChain(int stages, bool needsInput, bool needsOutput)
{
    Chain chain{"round", 1000_B, 0_B, {}};
    for (int i = 0; i < stages; ++i) {
        const bool isLast = i == stages - 1;
        Stage stage{std::to_string(i), "", 10_B, isLast ? 0_B : 10_B, 0_B, {7}, 0_B, {}};
        stage.options.push_back({"all", 100_B, needsInput, needsOutput, 0_B, {14}, 0_B, 0});
        stage.options.back().backwardTempBytes = i > 0 ? 10_B : 0_B;
        chain.stages.push_back(stage);
    }
    return chain;
}

} // namespace

class StrategiesSegmentsTest : public QObject {
    Q_OBJECT

private slots:
    void layersOfEachSegment_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("expected");
        const auto row = [](int layers, const char* strategy, const char* expected) {
            QTest::addRow("%d %s", layers, strategy) << layers << strategy << expected;
        };
        row(3, "full-no-early-stop", "0-0 1-1 2-2");
        row(5, "megatron-uniform-1", "0-0 1-1 2-2 3-3 4-4");
        // Megatron-LM, transformer_block.py: chunks of recompute_num_layers, the last as long as what is left.
        row(5, "megatron-uniform-2", "0-1 2-3 4-4");
        row(5, "megatron-uniform-9", "0-4");
        // Square roots, rounded down: 3 of 12, 2 of 5, 1 of 3.
        row(12, "chen-sqrt", "0-2 3-5 6-8 9-11");
        row(5, "chen-sqrt", "0-1 2-3 4-4");
        row(3, "chen-sqrt", "0-0 1-1 2-2");
    }

    void layersOfEachSegment()
    {
        QFETCH(int, layers);
        QFETCH(QString, strategy);
        QFETCH(QString, expected);
        QCOMPARE(layersOf(segmentsOf(parseStrategy(strategy.toStdString()).value(), tapeOf(layers), {})), expected);
    }

    /// By hand.  With B T = 8 rows, C = 8, F = 16, two heads and 4-byte floats a layer of GPT-2 keeps norm1 256 + 2 x
    /// 32, qkv 768, context 256 + lse 64, residual1 256, norm2 256 + 2 x 32, ffn_up 512 and gelu 512: 3008; with its
    /// output of 256 it makes 3264.  100 layers: x = 25600, y = 3264, sqrt(x y) = 9141, tried from 6464 to 12927.
    /// Segments of 2 (6528 > 6464) leave x + y = 12800 + 6528 = 19328, of 3 (limit 7425 or 8529) 8704 + 9792 = 18496,
    /// of 4 (9797 and 11254) 6400 + 13056 = 19456.
    void greedySegmentsByHand()
    {
        const std::vector<Segment> segments = segmentsOf({Strategy::Kind::ChenGreedy}, tapeOf(100), {});
        QCOMPARE(segments.size(), std::size_t{34});
        QCOMPARE(layersOf({segments.front(), segments.back()}), QStringLiteral("0-2 99-99"));
    }

    /// A layer with a keep pin runs once.
    void keepPinsPartSegments()
    {
        const StepTape tape = tapeOf(6);
        const auto rules = pinRules(tape, {parsePin("L2.gelu=keep").value()}).value();
        QCOMPARE(layersOf(segmentsOf({Strategy::Kind::MegatronUniform, 6}, tape, rules)), QStringLiteral("0-1 3-5"));
    }

    /// By hand: the first sweep holds the inputs of the segments, so 4 segments of 3 stages between an own first and
    /// last stage hold 4 x 10 bytes and 2 interiors.  The peak is the last segment's third re-forward: its 3 interiors,
    /// 4 inputs, 2 inner outputs with its own, and the gradient.
    void checkpointsOfARoundChain()
    {
        const Chain chain = roundChain(14, true, false);
        const std::vector<Segment> segments{{1, 3}, {4, 6}, {7, 9}, {10, 12}};
        const Schedule schedule = segmentSchedule(chain, segments);
        const ReplayResult result = replay(chain, schedule).value();
        QCOMPARE(result.reruns, std::int64_t{12});
        QCOMPARE(result.time, Nanoseconds{(14 + 12) * 7 + 14 * 14});
        // At the end of the forward: the four inputs, the last segment's output for the last stage, that stage's output
        // and two interiors.
        QCOMPARE(result.savedBytes.value, 6 * 10 + 2 * 100);
        // First stage's interior, three re-made interiors, 4 inputs, 3 outputs (2 inner, 1 own), gradient of the
        // output.
        QCOMPARE(result.peak.value, 1000 + 100 + 300 + 40 + 30 + 10);
    }

    /// Whatever the options need, and whatever stages stand outside, the schedule replays.
    void everyNeedReplays()
    {
        for (const bool needsInput : {false, true})
            for (const bool needsOutput : {false, true})
                for (const auto& segments :
                    {std::vector<Segment>{}, {{0, 5}}, {{1, 2}, {3, 4}}, {{0, 0}, {4, 5}}, {{2, 2}, {3, 3}, {4, 4}}}) {
                    const Chain chain = roundChain(6, needsInput, needsOutput);
                    const auto result = replay(chain, segmentSchedule(chain, segments));
                    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(englishText(result.error()))));
                    std::int64_t again = 0;
                    for (const Segment& segment : segments)
                        again += segment.last - segment.first + 1;
                    QCOMPARE(result->reruns, again);
                }
    }

    /// Full recomputation to the end of each layer differs from the one with early stop by what lies behind the last
    /// value that a backward reads: attn_out is needed for residual1, ffn_down and residual2 are not.
    void noEarlyStopRunsTheLastProduct()
    {
        for (const bool isBert : {false, true}) {
            const StepTape tape = tapeOf(4, isBert);
            const Plan stopped = fixedPlan(tape, roundCpu(), {Strategy::Kind::Full}, {}, std::nullopt).value();
            const Plan whole = fixedPlan(tape, roundCpu(), {Strategy::Kind::FullNoEarlyStop}, {}, std::nullopt).value();
            const Plan none = fixedPlan(tape, roundCpu(), {Strategy::Kind::None}, {}, std::nullopt).value();
            Nanoseconds layers;
            for (std::size_t s = 1; s + 1 < tape.stages.size(); ++s)
                layers += none.step->chain.stages[s].forwardTime;
            QCOMPARE(whole.prediction.overhead, layers);
            // In BERT the norm that ends the layer is read, so nothing is left out.
            QCOMPARE(stopped.prediction.overhead < layers, !isBert);
            QCOMPARE(stopped.prediction.saved, whole.prediction.saved);
        }
    }

    /// A file says the schedule; a reader makes it anew from the rule.
    void plansComeBackFromTheirFiles()
    {
        const StepTape tape = tapeOf(6);
        for (const char* name : {"full-no-early-stop", "chen-sqrt", "chen-greedy", "megatron-uniform-2"}) {
            const Plan plan = fixedPlan(tape, roundCpu(), parseStrategy(name).value(), {}, 1_GiB).value();
            const std::string text = planFileText(plan);
            const Result<Plan> back = parsePlan(text, "plan");
            QVERIFY2(back, back ? "" : englishText(back.error()).c_str());
            QCOMPARE(planFileText(*back), text);
        }
        std::string forged
            = planFileText(fixedPlan(tape, roundCpu(), {Strategy::Kind::MegatronUniform, 2}, {}, 1_GiB).value());
        forged.replace(forged.find("megatron-uniform-2"), 18, "megatron-uniform-3");
        QVERIFY(!parsePlan(forged, "plan"));
    }
};

QTEST_APPLESS_MAIN(StrategiesSegmentsTest)
#include "strategies_segments_test.moc"
