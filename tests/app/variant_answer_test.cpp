// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What the command line says of the variants that the planner chose, over offers made by hand.
#include <QTest>

#include "app/cli/variant_answer.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// Plans of six layers of which `recomputing` do so, with a time and a peak as given.
VariantOffer offer(AttentionKind attention, std::int64_t chunks, int recomputing, std::int64_t time, std::int64_t peak)
{
    TrainingSetup setup = setupOf({}, 4, 32);
    setup.attention = attention;
    setup.headChunks = chunks;
    setup.loss = chunks == 1 ? LossKind::CrossEntropy : LossKind::ChunkedCrossEntropy;
    const StepTape tape = buildStepTape(smallShape({}, 6, 2, 16, 128, 300, 32), setup, {});
    const Strategy strategy
        = recomputing == 0 ? Strategy{Strategy::Kind::None} : Strategy{Strategy::Kind::MegatronBlock, recomputing};
    Plan plan = fixedPlan(tape, roundCpu(), strategy, {}, std::nullopt).value();
    plan.prediction.keepAll = {1000};
    plan.prediction.optimizer = {};
    plan.prediction.time = {time};
    plan.prediction.peak = {peak};
    return {setup, plan, false};
}

std::string sentenceOf(std::vector<VariantOffer> offers, std::size_t chosen)
{
    offers[chosen].isChosen = true;
    return cli::variantSentence(offers);
}

constexpr AttentionKind kStored = AttentionKind::Stored, kBlocked = AttentionKind::Blocked;

} // namespace

class VariantAnswerTest : public QObject {
    Q_OBJECT

private slots:
    /// Times of 1,000 for keeping everything: 1,100 against 1,050 are five of a hundred.
    void saysWhatTheChoiceBuys()
    {
        QCOMPARE(sentenceOf({offer(kStored, 1, 5, 1100, 64), offer(kStored, 4, 3, 1050, 64)}, 1),
            std::string("variants: use 4 head chunks and recompute 2 layers fewer, \u22125.0 % of a step against those "
                        "given (attention eager, the head whole)\n"));
        QCOMPARE(sentenceOf({offer(kStored, 1, 2, 1100, 64), offer(kBlocked, 16, 3, 1050, 64)}, 1),
            std::string("variants: use attention sdpa and 16 head chunks and recompute 1 layer more, \u22125.0 % of a "
                        "step against those given (attention eager, the head whole)\n"));
    }

    void saysWhenOnlyMemoryIsSaved()
    {
        QCOMPARE(sentenceOf({offer(kStored, 1, 0, 1000, 2048), offer(kBlocked, 1, 0, 1000, 1024)}, 1),
            std::string(
                "variants: use attention sdpa, as fast in 1.00 KiB less against those given (attention eager, the "
                "head whole)\n"));
    }

    void saysWhenThoseGivenDoNotFit()
    {
        VariantOffer given = offer(kStored, 1, 0, 1000, 64);
        given.plan.reset();
        QCOMPARE(sentenceOf({given, offer(kBlocked, 1, 0, 1000, 64)}, 1),
            std::string("variants: use attention sdpa; as given (attention eager, the head whole) nothing fits this "
                        "budget\n"));
    }

    void saysThatNothingElseIsCheaper()
    {
        const VariantOffer given = offer(kStored, 1, 0, 1000, 64), other = offer(kBlocked, 1, 0, 1000, 64);
        const std::string start = "variants: as given (attention eager, the head whole); ";
        QCOMPARE(sentenceOf({given}, 0), start + "pins and sizes of the step allow no other\n");
        QCOMPARE(sentenceOf({given, other}, 0), start + "the other one is not cheaper within this budget\n");
        QCOMPARE(sentenceOf({given, other, other}, 0), start + "none of the 2 others is cheaper within this budget\n");
    }

    /// A chunked loss in one chunk is not the whole head.
    void namesTheChunkedLoss()
    {
        TrainingSetup setup = setupOf({}, 4, 32);
        setup.loss = LossKind::ChunkedCrossEntropy;
        setup.headChunks = 1;
        QVERIFY(cli::variantText(setup).ends_with(", 1 head chunk"));
    }
};

QTEST_APPLESS_MAIN(VariantAnswerTest)
#include "variant_answer_test.moc"
