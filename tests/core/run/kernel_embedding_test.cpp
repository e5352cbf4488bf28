// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: table lookups and scattered sums in double.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

std::size_t at(Index i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

class KernelEmbeddingTest : public QObject {
    Q_OBJECT
private slots:
    void matchesLookup_data() { addInstructionSets(); }
    void matchesLookup()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const EmbeddingShape s :
            {EmbeddingShape{1, 1, 1, 2, 1, 0}, {3, 7, 33, 11, 9, 2}, {2, 31, 130, 5, 40, 0}, {2, 9, 40, 5, 0, 0}}) {
            const Index rows = s.batch * s.sequence, C = s.width;
            const Doubles wte = randomValues(s.vocabulary * C, 1), wpe = randomValues(s.positions * C, 2);
            const Doubles wtt = randomValues(s.tokenTypes * C, 3), dout = randomValues(rows * C, 4);
            const Doubles headGradient = randomValues(s.vocabulary * C, 5);
            Tokens ids = randomTokens(rows, s.vocabulary, 6);
            Floats fwte(wte), fwpe(wpe), fwtt(wtt), fdout(dout), out(rows * C);
            float* types = s.tokenTypes > 0 ? fwtt.data() : nullptr;
            float* positions = s.positions > 0 ? fwpe.data() : nullptr;
            Doubles expected(at(rows * C));
            Doubles dwte(at(s.vocabulary * C), 0.0), dwpe(at(s.positions * C), 0.0), dwtt(at(s.tokenTypes * C), 0.0);
            for (Index n = 0; n < rows; ++n)
                for (Index c = 0; c < C; ++c) {
                    const Index position = n % s.sequence;
                    expected[at(n * C + c)] = wte[at(ids.at(n) * C + c)]
                        + (s.positions > 0 ? wpe[at(position * C + c)] : 0.0) + (s.tokenTypes > 0 ? wtt[at(c)] : 0.0);
                    dwte[at(ids.at(n) * C + c)] += dout[at(n * C + c)];
                    if (s.positions > 0)
                        dwpe[at(position * C + c)] += dout[at(n * C + c)];
                    if (s.tokenTypes > 0)
                        dwtt[at(c)] += dout[at(n * C + c)];
                }
            kernels->embeddingForward(team, s, ids.data(), fwte, positions, types, out);
            QVERIFY(relativeError(out, expected, 1.0) < 1e-6);

            Floats gotTokens(s.vocabulary * C), gotPositions(s.positions * C), gotTypes(s.tokenTypes * C);
            float* dtypes = s.tokenTypes > 0 ? gotTypes.data() : nullptr;
            float* dpositions = s.positions > 0 ? gotPositions.data() : nullptr;
            kernels->embeddingBackward(
                team, s, ids.data(), fdout, gotTokens, Store::Write, dpositions, dtypes, Store::Write);
            QVERIFY(relativeError(gotTokens, dwte, 1.0) < 2e-6);
            QVERIFY(relativeError(gotPositions, dwpe, 1.0) < 2e-6);
            QVERIFY(relativeError(gotTypes, dwtt, 1.0) < 2e-6);

            // A tied head has put its gradient into the token table before; the others are added a second time.
            Floats tied(headGradient);
            kernels->embeddingBackward(team, s, ids.data(), fdout, tied, Store::Add, dpositions, dtypes, Store::Add);
            for (std::size_t i = 0; i < dwte.size(); ++i)
                dwte[i] += headGradient[i];
            for (double& v : dwpe)
                v *= 2.0;
            for (double& v : dwtt)
                v *= 2.0;
            QVERIFY(relativeError(tied, dwte, 1.0) < 2e-6);
            QVERIFY(relativeError(gotPositions, dwpe, 1.0) < 2e-6);
            QVERIFY(relativeError(gotTypes, dwtt, 1.0) < 2e-6);
        }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        // Few different tokens, so that every row of the table takes many sums whose order matters.
        QFETCH(const CpuKernels*, kernels);
        const EmbeddingShape s{4, 100, 200, 3, 100, 1};
        Floats dout(randomValues(400 * 200, 1));
        Tokens ids = randomTokens(400, 3, 2);
        for (int output = 0; output < 3; ++output)
            QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
                Floats dwte(3 * 200), dwpe(100 * 200), dwtt(200);
                kernels->embeddingBackward(workers, s, ids.data(), dout, dwte, Store::Write, dwpe, dwtt, Store::Write);
                return output == 0 ? std::move(dwte) : output == 1 ? std::move(dwpe) : std::move(dwtt);
            }));
    }
};

QTEST_APPLESS_MAIN(KernelEmbeddingTest)
#include "kernel_embedding_test.moc"
