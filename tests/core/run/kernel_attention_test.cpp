// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: softmax attention from its definition in double, dropout masks from the reference Philox, gradients
// from central differences of that definition.
#include <map>

#include "tests/core/run/attention_reference.h"

using namespace kernel_testing;

namespace {

struct Case {
    const char* name;
    AttentionShape shape;
};

// Odd and unit head sizes, sequences below, at and beyond a block of 128 queries and of 256 keys.
const Case kCases[] = {
    {"one token", {1, 1, 1, 1, 1, false}},
    {"unit heads", {2, 31, 3, 3, 1, true}},
    {"odd heads", {2, 33, 2, 2, 5, false}},
    {"odd heads, causal", {2, 33, 2, 2, 5, true}},
    {"two blocks of queries", {1, 150, 2, 2, 3, true}},
    {"two blocks of keys", {1, 300, 1, 1, 4, false}},
    {"two blocks of keys, causal", {1, 300, 1, 1, 4, true}},
    {"pairs of heads share keys", {2, 33, 4, 2, 6, true}},
    {"all heads share keys", {2, 150, 3, 1, 5, false}},
};

/// A case by the definition, with differences of its loss: the slow half, which every instruction set is held against.
struct Expected {
    Expected(const AttentionShape& s, const Dropout& dropout)
        : qkv(randomValues(s.batch * s.sequence * s.rowWidth(), 1, 2.0)),
          dcontext(randomValues(s.batch * s.sequence * s.heads * s.headSize, 2)),
          mask(maskOf(s, dropout)),
          values(attention(s, mask, qkv)),
          differencesOfLoss(differences(
              qkv, [&](const Doubles& v) { return dot(dcontext, attention(s, mask, v).context); },
              s.sequence > 200 ? 40 : 120))
    { }

    Doubles qkv, dcontext, mask;
    AttentionValues values;
    std::vector<std::pair<std::size_t, double>> differencesOfLoss; // of elements of qkv
};

} // namespace

class KernelAttentionTest : public QObject {
    Q_OBJECT

    const Expected& expectedOf(int number, const Dropout& dropout)
    {
        const auto key = std::pair(number, dropout.probability);
        return m_expected.try_emplace(key, kCases[number].shape, dropout).first->second;
    }

    std::map<std::pair<int, float>, Expected> m_expected;

private slots:
    void bothVariantsMatchTheDefinition_data()
    {
        QTest::addColumn<const CpuKernels*>("kernels");
        QTest::addColumn<int>("number");
        QTest::addColumn<float>("probability");
        for (const InstructionSet set : kInstructionSets)
            for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
                for (const float p : {0.0F, 0.25F})
                    if (const CpuKernels* kernels = cpuKernels(set))
                        QTest::addRow("%s, %s, dropout %g", kernels->name(), kCases[i].name, static_cast<double>(p))
                            << kernels << i << p;
    }
    void bothVariantsMatchTheDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        QFETCH(int, number);
        QFETCH(float, probability);
        const AttentionShape s = kCases[number].shape;
        const Dropout dropout{probability, {17, 5}};
        const Index T = s.sequence, C = s.heads * s.headSize, rows = s.batch * T, scores = s.batch * s.heads * T * T;
        const Index width = C + 2 * s.keyValueHeads * s.headSize;
        const Expected& reference = expectedOf(number, dropout);
        const AttentionValues& expected = reference.values;
        const auto& differencesOfLoss = reference.differencesOfLoss;
        Team team(2);
        Floats fqkv(reference.qkv), fdcontext(reference.dcontext);

        Floats context(rows * C), lse(s.batch * s.heads * T), dqkv(rows * width);
        kernels->attentionForward(team, s, dropout, fqkv, context, lse);
        QVERIFY(relativeError(context, expected.context, 1.0) < 5e-6);
        QVERIFY(relativeError(lse, expected.lse, 1.0) < 2e-6);
        kernels->attentionBackward(team, s, dropout, fdcontext, fqkv, context, lse, dqkv);
        QVERIFY(relativeError(dqkv, dqkv.doubles(), 1.0) == 0.0); // no element left unwritten
        for (const auto& [i, difference] : differencesOfLoss)
            QVERIFY(std::abs(dqkv.doubles()[i] - difference) < 2e-5 * std::max(1.0, std::abs(difference)));

        Floats probabilities(scores), context2(rows * C), dprobabilities(scores), dqkv2(rows * width);
        kernels->probabilitiesForward(team, s, fqkv, probabilities);
        QVERIFY(relativeError(probabilities, expected.probabilities, 1e-2) < 2e-5);
        kernels->contextForward(team, s, dropout, probabilities, fqkv, context2);
        QVERIFY(relativeError(context2, expected.context, 1.0) < 5e-6);
        kernels->contextBackward(team, s, dropout, fdcontext, probabilities, fqkv, dprobabilities, dqkv2);
        kernels->probabilitiesBackward(team, s, dprobabilities, probabilities, fqkv, dqkv2);
        QVERIFY(relativeError(dqkv2, dqkv.doubles(), 1.0) < 2e-5);
        for (const auto& [i, difference] : differencesOfLoss)
            QVERIFY(std::abs(dqkv2.doubles()[i] - difference) < 2e-5 * std::max(1.0, std::abs(difference)));

        if (s.causal)
            for (Index row = 0; row < s.batch * s.heads * T; ++row)
                for (Index j = row % T + 1; j < T; ++j) {
                    QCOMPARE(probabilities.data()[row * T + j], 0.0F);
                    QCOMPARE(dprobabilities.data()[row * T + j], 0.0F);
                }
    }

    void largeScoresDoNotOverflow_data() { addInstructionSets(); }
    void largeScoresDoNotOverflow()
    {
        // The largest score comes in the second block of keys, so that earlier sums must be corrected by e^-100s.
        QFETCH(const CpuKernels*, kernels);
        const AttentionShape s{1, 300, 1, 1, 2, false};
        Doubles qkv = randomValues(300 * 6, 3, 20.0);
        qkv[static_cast<std::size_t>(290 * 6 + 2)] = 40.0;
        const AttentionValues expected = attention(s, maskOf(s, {}), qkv);
        Team team(1);
        Floats fqkv(qkv), context(600), lse(300);
        kernels->attentionForward(team, s, {}, fqkv, context, lse);
        QVERIFY(relativeError(context, expected.context, 1.0) < 2e-4); // scores of 1000 have an ulp of 6e-5
        QVERIFY(relativeError(lse, expected.lse, 1.0) < 1e-6);
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const AttentionShape s{2, 270, 4, 2, 7, true};
        const Dropout dropout{0.1F, {3, 4}};
        const Index rows = 2 * 270, C = 28, width = 2 * C, scores = 8 * 270 * 270;
        Floats qkv(randomValues(rows * width, 1)), dcontext(randomValues(rows * C, 2));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats context(rows * C), lse(8 * 270), dqkv(rows * width);
            kernels->attentionForward(workers, s, dropout, qkv, context, lse);
            kernels->attentionBackward(workers, s, dropout, dcontext, qkv, context, lse, dqkv);
            return dqkv;
        }));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats probabilities(scores), context(rows * C), dprobabilities(scores), dqkv(rows * width);
            kernels->probabilitiesForward(workers, s, qkv, probabilities);
            kernels->contextForward(workers, s, dropout, probabilities, qkv, context);
            kernels->contextBackward(workers, s, dropout, context, probabilities, qkv, dprobabilities, dqkv);
            kernels->probabilitiesBackward(workers, s, dprobabilities, probabilities, qkv, dqkv);
            return dqkv;
        }));
    }
};

QTEST_APPLESS_MAIN(KernelAttentionTest)
#include "kernel_attention_test.moc"
