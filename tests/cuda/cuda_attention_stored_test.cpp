// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: each op's definition in double, applied to what the op was given, with the reference Philox's masks;
// of the four ops together central differences, and the blocked variant.
#include "tests/cuda/cuda_attention_testing.h"

using namespace cuda_testing;

namespace {

Index scoresSize(const AttentionShape& s)
{
    return lseSize(s) * s.sequence;
}

/// What the four ops write, each given what the others wrote.
template <class T> struct Results {
    Buffer<T> probabilities, context, dprobabilities, dqkv;

    Results(const AttentionShape& s, const Dropout& dropout, const Buffer<T>& qkv, const Buffer<T>& dcontext)
        : probabilities(scoresSize(s)),
          context(contextSize(s)),
          dprobabilities(scoresSize(s)),
          dqkv(qkvSize(s))
    {
        Buffer<float> workspace = attentionWorkspace(s);
        probabilitiesForward<T>(s, qkv, probabilities, nullptr);
        contextForward<T>(s, dropout, probabilities, qkv, context, nullptr);
        contextBackward<T>(s, dropout, dcontext, probabilities, qkv, dprobabilities, dqkv, nullptr);
        probabilitiesBackward<T>(s, dprobabilities, probabilities, qkv, dqkv, workspace, nullptr);
    }
};

/// Whether everything above the diagonal is 0.
bool isLowerTriangle(const AttentionShape& s, const Doubles& scores)
{
    for (std::size_t e = 0; e < scores.size(); ++e) {
        const Index row = static_cast<Index>(e) / s.sequence, j = static_cast<Index>(e) % s.sequence;
        if (j > row % s.sequence && scores[e] != 0.0)
            return false;
    }
    return true;
}

} // namespace

class CudaAttentionStoredTest : public QObject {
    Q_OBJECT
private slots:
    void everyOpMatchesItsDefinition_data() { addAttentionCases(); }
    void everyOpMatchesItsDefinition()
    {
        QFETCH(int, number);
        QFETCH(float, probability);
        const AttentionShape s = kAttentionCases[number].shape;
        const Dropout dropout{probability, kMaskStream};
        const Doubles mask = maskOf(s, dropout);
        forStorageTypes([&](auto type) {
            using T = decltype(type);
            const Doubles qkv = exactValues<T>(qkvSize(s), 1, 2.0), dcontext = exactValues<T>(contextSize(s), 2);
            const Results<T> got(s, dropout, Buffer<T>(qkv), Buffer<T>(dcontext));
            const Doubles probabilities = got.probabilities.doubles(), dprobabilities = got.dprobabilities.doubles();
            VERIFY_WITHIN(errorInUlps(got.probabilities, attention(s, mask, qkv).probabilities, 1e-2),
                roundings<T>(kAttentionFloats));
            VERIFY_WITHIN(
                errorInUlps(got.context, contextOf(s, mask, probabilities, qkv), 1.0), roundings<T>(kAttentionFloats));
            // D products of about 1 add up to about sqrt(D); D roundings of half a unit of that, at random, to D / 2.
            VERIFY_WITHIN(errorInUlps(got.dprobabilities, probabilityGradients(s, mask, dcontext, qkv), 1.0),
                roundings<T>(static_cast<double>(s.headSize)));
            const Doubles sums = sumsOfProducts(s, probabilities, dprobabilities);
            VERIFY_WITHIN(
                errorInUlps(got.dqkv, qkvGradients(s, mask, dcontext, probabilities, dprobabilities, sums, qkv), 1.0),
                roundings<T>(kAttentionFloats));
            if (s.causal) {
                QVERIFY(isLowerTriangle(s, probabilities));
                QVERIFY(isLowerTriangle(s, dprobabilities));
            }
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

    void bothVariantsAgree_data() { addAttentionCases(); }
    void bothVariantsAgree()
    {
        QFETCH(int, number);
        QFETCH(float, probability);
        const AttentionShape s = kAttentionCases[number].shape;
        const Dropout dropout{probability, kMaskStream};
        const Buffer<float> qkv(exactValues<float>(qkvSize(s), 5, 2.0));
        const Buffer<float> dcontext(exactValues<float>(contextSize(s), 6));
        const Results<float> stored(s, dropout, qkv, dcontext);
        Buffer<float> context(contextSize(s)), lse(lseSize(s)), dqkv(qkvSize(s)), workspace = attentionWorkspace(s);
        attentionForward<float>(s, dropout, qkv, context, lse, nullptr);
        attentionBackward<float>(s, dropout, dcontext, qkv, context, lse, dqkv, workspace, nullptr);
        VERIFY_WITHIN(errorInUlps(context, stored.context.doubles(), 1.0), kAttentionFloats);
        VERIFY_WITHIN(errorInUlps(dqkv, stored.dqkv.doubles(), 1.0), kAttentionFloats);
    }

    void masksAreTheCpus()
    {
        const AttentionShape s{2, 67, 4, 2, 12, true};
        const Dropout dropout{0.4F, kMaskStream};
        const Doubles qkv = exactValues<float>(qkvSize(s), 5), dcontext = exactValues<float>(contextSize(s), 6);
        const Results<float> got(s, dropout, Buffer<float>(qkv), Buffer<float>(dcontext));
        Team team(1);
        Floats in(qkv), out(dcontext), probabilities(got.probabilities.doubles());
        Floats context(contextSize(s)), dprobabilities(scoresSize(s)), dqkv(qkvSize(s));
        const CpuKernels& cpu = bestCpuKernels();
        cpu.contextForward(team, s, dropout, probabilities, in, context);
        cpu.contextBackward(team, s, dropout, out, probabilities, in, dprobabilities, dqkv);
        VERIFY_WITHIN(relativeError(context, got.context.doubles(), 1.0), 2e-6);
        // What a mask drops is exactly 0 on both sides.
        const Doubles ours = got.dprobabilities.doubles(), theirs = dprobabilities.doubles();
        for (std::size_t e = 0; e < ours.size(); ++e)
            QCOMPARE(ours[e] == 0.0, theirs[e] == 0.0);
    }

    void bitsDoNotDependOnTheOrderOfThreads()
    {
        const AttentionShape s{1, 70, 4, 2, 68, true};
        const Dropout dropout{0.1F, kMaskStream};
        forStorageTypes([&](auto type) {
            using T = decltype(type);
            const Buffer<T> qkv(exactValues<T>(qkvSize(s), 9)), dcontext(exactValues<T>(contextSize(s), 10));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).probabilities; }));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).context; }));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).dprobabilities; }));
            QVERIFY(sameBitsInEveryOrder([&] { return Results<T>(s, dropout, qkv, dcontext).dqkv; }));
        });
    }
};

QTEST_APPLESS_MAIN(CudaAttentionStoredTest)
#include "cuda_attention_stored_test.moc"
