// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/article_audit.h"
#include "core/export/article_torch.h"

#include <cmath>

#include <QTest>

#include "core/model/presets.h"
#include "core/plan/study.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"

using namespace remat;
using namespace remat::literals;

/// The article's formulas, and its tape under the same laws as every other.
class ArticleAuditTest : public QObject {
    Q_OBJECT

    static Study study(Precision precision = Precision::Half)
    {
        StudyRequest request;
        request.shape = findPreset("bert-base").value();
        request.setup.profile = Profile::Article;
        request.setup.precision = precision;
        request.setup.batch = 32;
        request.setup.sequence = 512;
        request.device.peak = {.fp32 = 1e13, .fp16 = 1e14};
        request.device.bytesPerSecond = 1e12;
        return Study::solve(request).value();
    }

private slots:
    /// By hand for B = 32, S = 512, H = 768, 12 heads, F = 3072, 2 bytes a number.
    void formulasByHand()
    {
        const ArticleAudit audit = auditArticle({}).value();
        QCOMPARE(audit.layer.attention, 288_MiB);
        QCOMPARE(audit.layer.ffn, 96_MiB);
        QCOMPARE(audit.layer.norms, 48_MiB + 128_KiB);
        QCOMPARE(audit.proseAttention, 336_MiB);
        // 32 x 512 x (3 x 768^2 + 2 x 512 x 768 + 512^2) and 32 x 2 x 768 x 3072 x 512.
        QCOMPARE(audit.layer.attentionFlops.value, 16384LL * (1769472 + 786432 + 262144));
        QCOMPARE(audit.layer.ffnFlops.value, 77309411328LL);
    }

    /// The article's claims are quoted as they stand in it.
    void claimsAreQuoted()
    {
        const ArticleClaims claims = readArticleClaims().value();
        QCOMPARE(claims.attentionMb, 192.0);
        QCOMPARE(claims.layerMb, 336.0);
        QCOMPARE(claims.throughput.size(), std::size_t{6});
        QCOMPARE(claims.granularities.size(), std::size_t{3});
    }

    /// Every granularity's share follows from the lumps: full keeps the input of 24 MiB alone, and so on.
    void sharesOfTheArticlesOwnModel()
    {
        const ArticleAudit audit = auditArticle({}).value();
        const StepTape& tape = audit.models.front().tape;
        const double layer = 288 + 96 + 48.125 + 24;
        const auto freed = [&](Strategy::Kind kind) { return granularityFigures(tape, {kind}).freed; };
        QVERIFY(std::abs(freed(Strategy::Kind::Full) - (layer - 24) / layer) < 1e-12);
        QVERIFY(std::abs(freed(Strategy::Kind::FfnOnly) - 96 / layer) < 1e-12);
        QVERIFY(std::abs(freed(Strategy::Kind::AttentionOnly) - 288 / layer) < 1e-12);
        // Everything runs again once: the whole forward, a third of forward and backward.
        QCOMPARE(granularityFigures(tape, {Strategy::Kind::Full}).extraForward, 1.0);
        QVERIFY(std::abs(granularityFigures(tape, {Strategy::Kind::Full}).saturatedThroughput() - 0.75) < 1e-12);
    }

    /// Law 1 on the article's tape: chain replay and program replay agree in peak, time and reruns.
    void chainAndProgramAgree()
    {
        const Study solved = study();
        QVERIFY(solved.points().size() > 12);
        std::vector<Plan> plans;
        for (std::size_t p = 0; p < solved.points().size(); p += 5)
            plans.push_back(solved.planAt(p));
        for (const char* name : {"none", "full", "every-2", "ffn-only", "attention-only", "article-greedy"})
            plans.push_back(solved.plan(parseStrategy(name).value(), 3_GiB).value());
        for (const Plan& plan : plans) {
            const Timeline timeline = replayDry(lower(*plan.step, plan.schedule), plan.step->tape);
            QCOMPARE(timeline.peak, plan.prediction.peak);
            QCOMPARE(timeline.time, plan.prediction.time);
            QCOMPARE(timeline.reruns, plan.prediction.reruns);
        }
    }

    void onlyItsThreeGranularitiesAreDropped()
    {
        const Study solved = study();
        const StageTape& block = solved.tape().tapeOf(1);
        QCOMPARE(block.candidates().size(), std::size_t{3});
        for (std::size_t p = 0; p < solved.points().size(); ++p) {
            const Plan plan = solved.planAt(p);
            for (std::size_t s = 1; s + 1 < plan.keep.size(); ++s) {
                const KeepSet dropped = keepAll(block) & ~plan.keep[s];
                QVERIFY(dropped == 0 || dropped == 7 || dropped == 4 || dropped == 2);
            }
        }
    }

    /// The greedy frees FFN lumps of 96 MiB while they stay within what must be freed: 500 MiB below keep-all are five.
    void articleGreedyStopsShortOfTheBudget()
    {
        const Study solved = study();
        const Bytes budget = solved.keepAllPeak() - 500_MiB;
        const Plan plan = solved.plan({Strategy::Kind::ArticleGreedy}, budget).value();
        const StageTape& block = solved.tape().tapeOf(1);
        int marked = 0;
        for (std::size_t s = 1; s + 1 < plan.keep.size(); ++s)
            marked += plan.keep[s] != keepAll(block);
        QCOMPARE(marked, 5);
        QVERIFY(!plan.fits());
    }

    void partsThatLayersLackAreRefused()
    {
        const auto plan = study().plan({Strategy::Kind::CoreAttention}, 3_GiB);
        QVERIFY(!plan);
        QCOMPARE(plan.error().exitCode(), ExitCode::BadInput);
    }

    /// Half precision computes at the device's 16-bit rate, ten times its fp32 rate here.
    void precisionDecidesWidthAndRate()
    {
        const Study half = study(), single = study(Precision::Fp32);
        QCOMPARE(single.keepAllPeak().value, 2 * half.keepAllPeak().value);
        QVERIFY(std::abs(ratio(single.keepAllTime(), half.keepAllTime()) - 10.0) < 0.01);
    }

    /// In MiB of a layer: 11sbh + 5as²b, 19sbh and 4sbh in half precision with stored scores (Korthikanti et al. 2022,
    /// section 4.1), 5as²b less and 4abs more with fused attention; under AMP 15sbh + 7as²b, 19sbh and 8sbh.
    void pytorchKeepsWhatTheAuditSays_data()
    {
        QTest::addColumn<int>("model");
        QTest::addColumn<double>("attention");
        QTest::addColumn<double>("ffn");
        QTest::addColumn<double>("norms");
        QTest::addRow("half eager") << 0 << 612.0 << 228.0 << 48.0;
        QTest::addRow("half sdpa") << 1 << 132.75 << 228.0 << 48.0;
        QTest::addRow("amp eager") << 2 << 852.0 << 228.0 << 96.0;
        QTest::addRow("amp sdpa") << 3 << 180.75 << 228.0 << 96.0;
    }
    void pytorchKeepsWhatTheAuditSays()
    {
        QFETCH(int, model);
        QFETCH(double, attention);
        QFETCH(double, ffn);
        QFETCH(double, norms);
        const std::vector<TorchArticleModel> models = torchArticleModels(readArticleClaims().value(), {}).value();
        QCOMPARE(models.size(), std::size_t{4});
        const TorchArticleModel& one = models[static_cast<std::size_t>(model)];
        const auto mebibytes = [](Bytes bytes) { return static_cast<double>(bytes.value) / (1 << 20); };
        // Fused attention saves two states of its random numbers besides, the norms mean and rstd: 16 bytes a token.
        QVERIFY2(std::abs(mebibytes(one.parts.attention) - attention) < 0.01,
            qPrintable(QString::number(mebibytes(one.parts.attention))));
        QVERIFY2(
            std::abs(mebibytes(one.parts.ffn) - ffn) < 0.01, qPrintable(QString::number(mebibytes(one.parts.ffn))));
        QVERIFY2(std::abs(mebibytes(one.parts.norms) - norms - 0.25) < 0.01,
            qPrintable(QString::number(mebibytes(one.parts.norms))));
        // The FFN is a region with the norm that closes it: 19sbh and the norm's 8 bytes a token go, and under AMP the
        // casts of its 8h² weights, of 12h² in the layer.
        const double casts = model < 2 ? 0 : 2.0 * 768 * 768 / (1 << 20), tokens = 32 * 512.0 / (1 << 20);
        const double freed = (19 * 768 + 8) * tokens + 8 * casts;
        const double kept = attention + ffn + norms + 16 * tokens + 12 * casts;
        QVERIFY2(std::abs(one.granularities[1].freed - freed / kept) < 1e-4,
            qPrintable(QString::number(one.granularities[1].freed)));
        // The whole layer runs again, the FFN is 16 of 24 + 4s/h parts of it.
        QVERIFY(std::abs(one.granularities[0].extraForward - 1) < 1e-9);
        QVERIFY(std::abs(one.granularities[1].extraForward - 16 / (24 + 4.0 * 512 / 768)) < 1e-9);
    }

    void pytorchKeepsTheInputAloneWhereALayerRunsAgain()
    {
        // 2sbh of 74 in half precision: 97.3 %.
        const std::vector<TorchArticleModel> models = torchArticleModels(readArticleClaims().value(), {}).value();
        QVERIFY(std::abs(100 * models[0].granularities[0].freed - 97.3) < 0.05);
    }
};

QTEST_APPLESS_MAIN(ArticleAuditTest)
#include "article_audit_test.moc"
