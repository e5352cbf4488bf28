// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: softmax attention from its definition in double with the reference Philox's masks, and central
// differences of that definition; once more the CPU's kernels.
#include "tests/cuda/cuda_attention_testing.h"

using namespace cuda_testing;

namespace {

/// What a forward and a backward of given inputs write.
template <class T> struct Results {
    Buffer<T> context;
    Buffer<float> lse;
    Buffer<T> dqkv;

    Results(const AttentionShape& s, const Dropout& dropout, const Buffer<T>& qkv, const Buffer<T>& dcontext)
        : context(contextSize(s)),
          lse(lseSize(s)),
          dqkv(qkvSize(s))
    {
        Buffer<float> workspace = attentionWorkspace(s);
        attentionForward<T>(s, dropout, qkv, context, lse, nullptr);
        attentionBackward<T>(s, dropout, dcontext, qkv, context, lse, dqkv, workspace, nullptr);
    }
};

/// dO . context per row, from the context that the backward was given.
Doubles contextProducts(const AttentionShape& s, const Doubles& dcontext, const Doubles& context)
{
    Doubles sums(at(lseSize(s)), 0.0);
    for (Index bh = 0; bh < s.batch * s.heads; ++bh)
        for (Index i = 0; i < s.sequence; ++i)
            for (Index d = 0; d < s.headSize; ++d) {
                const AttentionHead head(s, bh);
                sums[head.row(i)] += dcontext[head.context(i, d)] * context[head.context(i, d)];
            }
    return sums;
}

} // namespace

class CudaAttentionBlockedTest : public QObject {
    Q_OBJECT
private slots:
    void bothPassesMatchTheDefinition_data() { addAttentionCases(); }
    void bothPassesMatchTheDefinition()
    {
        QFETCH(int, number);
        QFETCH(float, probability);
        const AttentionShape s = kAttentionCases[number].shape;
        const Dropout dropout{probability, kMaskStream};
        const Doubles mask = maskOf(s, dropout);
        forStorageTypes([&](auto type) {
            using T = decltype(type);
            const Doubles qkv = exactValues<T>(qkvSize(s), 1, 2.0), dcontext = exactValues<T>(contextSize(s), 2);
            const AttentionValues expected = attention(s, mask, qkv);
            const Results<T> got(s, dropout, Buffer<T>(qkv), Buffer<T>(dcontext));
            VERIFY_WITHIN(errorInUlps(got.context, expected.context, 1.0), roundings<T>(kAttentionFloats));
            VERIFY_WITHIN(errorInUlps(got.lse, expected.lse, 1.0), 8.0);
            const Doubles dprobabilities = probabilityGradients(s, mask, dcontext, qkv);
            const Doubles dqkv = qkvGradients(s, mask, dcontext, expected.probabilities, dprobabilities,
                contextProducts(s, dcontext, got.context.doubles()), qkv);
            VERIFY_WITHIN(errorInUlps(got.dqkv, dqkv, 1.0), roundings<T>(kAttentionFloats));
        });
    }

    void gradientsAreTheDifferencesOfTheDefinition_data() { addAttentionCases(); }
    void gradientsAreTheDifferencesOfTheDefinition()
    {
        QFETCH(int, number);
        QFETCH(float, probability);
        const AttentionShape s = kAttentionCases[number].shape;
        const Dropout dropout{probability, kMaskStream};
        const Doubles mask = maskOf(s, dropout);
        const Doubles qkv = exactValues<float>(qkvSize(s), 3, 2.0), dcontext = exactValues<float>(contextSize(s), 4);
        const Results<float> got(s, dropout, Buffer<float>(qkv), Buffer<float>(dcontext));
        const auto loss = [&](const Doubles& v) { return dot(dcontext, attention(s, mask, v).context); };
        for (const auto& [i, difference] : differences(qkv, loss, 12))
            VERIFY_WITHIN(std::abs(got.dqkv.doubles()[i] - difference), 2e-5 * std::max(1.0, std::abs(difference)));
    }

    void masksAreTheCpus()
    {
        const AttentionShape s{2, 67, 4, 2, 12, true};
        const Dropout dropout{0.4F, kMaskStream};
        const Doubles qkv = exactValues<float>(qkvSize(s), 5), dcontext = exactValues<float>(contextSize(s), 6);
        const Results<float> got(s, dropout, Buffer<float>(qkv), Buffer<float>(dcontext));
        Team team(1);
        Floats in(qkv), out(dcontext), context(contextSize(s)), lse(lseSize(s)), dqkv(qkvSize(s));
        const CpuKernels& cpu = bestCpuKernels();
        cpu.attentionForward(team, s, dropout, in, context, lse);
        cpu.attentionBackward(team, s, dropout, out, in, context, lse, dqkv);
        // One element more or less of a mask moves a result by about P V / (1-p) > 1e-3.
        VERIFY_WITHIN(relativeError(context, got.context.doubles(), 1.0), 2e-6);
        VERIFY_WITHIN(relativeError(lse, got.lse.doubles(), 1.0), 2e-6);
        VERIFY_WITHIN(relativeError(dqkv, got.dqkv.doubles(), 1.0), 5e-6);
    }

    void largeScoresDoNotOverflow()
    {
        // The largest score comes in the second tile of keys, so that the first tile's sums must be corrected by
        // e^-100s.
        const AttentionShape s{1, 70, 1, 1, 2, false};
        Doubles qkv = exactValues<float>(qkvSize(s), 7, 20.0);
        qkv[68 * 6 + 2] = 40.0;
        const AttentionValues expected = attention(s, maskOf(s, {}), qkv);
        const Results<float> got(s, {}, Buffer<float>(qkv), Buffer<float>(exactValues<float>(contextSize(s), 8)));
        // Scores of 1000 have an ulp of 6e-5, and their exponentials a relative error as large.
        VERIFY_WITHIN(errorInUlps(got.context, expected.context, 1.0), 2e-4 * 0x1p23);
        VERIFY_WITHIN(errorInUlps(got.lse, expected.lse, 1.0), 8.0);
    }

    void bitsDoNotDependOnTheOrderOfThreads()
    {
        const AttentionShape s{1, 70, 4, 2, 68, true};
        const Dropout dropout{0.1F, kMaskStream};
        forStorageTypes([&](auto type) {
            using T = decltype(type);
            const Buffer<T> qkv(exactValues<T>(qkvSize(s), 9)), dcontext(exactValues<T>(contextSize(s), 10));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).context; }));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).lse; }));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).dqkv; }));
        });
    }

    void tilesAboveTheDiagonalAreNotRead()
    {
        // A NaN in the first value of the second tile reaches the queries that see it and none of the first tile.
        const AttentionShape s{1, 70, 1, 1, 4, true};
        Doubles qkv = exactValues<float>(qkvSize(s), 11);
        qkv[64 * 12 + 8] = std::numeric_limits<double>::quiet_NaN();
        Buffer<float> context(contextSize(s)), lse(lseSize(s));
        attentionForward<float>(s, {}, Buffer<float>(qkv), context, lse, nullptr);
        const Doubles values = context.doubles();
        for (Index i = 0; i < 70; ++i)
            QCOMPARE(std::isnan(values[at(i * 4)]), i >= 64);
    }
};

QTEST_APPLESS_MAIN(CudaAttentionBlockedTest)
#include "cuda_attention_blocked_test.moc"
