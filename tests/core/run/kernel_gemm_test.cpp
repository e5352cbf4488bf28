// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected products come from the definition, summed in double.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

namespace {

struct Shape {
    Index m, n, k;
};

// Tails of the micro panels (24 or 12 columns, 4 rows), and sizes that cross every block size: 128 rows, 256 depths,
// 1024 columns, and the tiles of several threads.
const Shape kShapes[]
    = {{1, 1, 1}, {1, 31, 33}, {33, 1, 31}, {31, 33, 1}, {5, 24, 257}, {129, 385, 33}, {257, 1100, 300}, {700, 70, 40}};

Doubles product(const Shape& s, const Doubles& a, bool ta, const Doubles& b, bool tb)
{
    Doubles c(static_cast<std::size_t>(s.m * s.n), 0.0);
    for (Index i = 0; i < s.m; ++i)
        for (Index k = 0; k < s.k; ++k) {
            const double x = a[static_cast<std::size_t>(ta ? k * s.m + i : i * s.k + k)];
            for (Index j = 0; j < s.n; ++j)
                c[static_cast<std::size_t>(i * s.n + j)]
                    += x * b[static_cast<std::size_t>(tb ? j * s.k + k : k * s.n + j)];
        }
    return c;
}

} // namespace

class KernelGemmTest : public QObject {
    Q_OBJECT
private slots:
    void productMatchesDefinition_data() { addInstructionSets(); }
    void productMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const Shape& s : kShapes)
            for (int form = 0; form < 4; ++form) {
                const bool ta = (form & 1) != 0, tb = (form & 2) != 0;
                const Doubles a = randomValues(s.m * s.k, 1), b = randomValues(s.k * s.n, 2);
                const Doubles bias = randomValues(s.n, 3), before = randomValues(s.m * s.n, 4);
                Floats fa(a), fb(b), fbias(bias), c(s.m * s.n);
                const Gemm gemm{s.m, s.n, s.k, ta, tb};
                const Doubles plain = product(s, a, ta, b, tb);
                // k rounded additions to a sum of products of numbers below 1; a wrong term would be off by 0.1.
                const double tolerance = 1e-7 * static_cast<double>(s.k) + 1e-6;

                kernels->gemm(team, gemm, fa, fb, nullptr, c, Store::Write);
                QVERIFY(relativeError(c, plain, 1.0) < tolerance);

                Doubles biased = plain, added = plain;
                for (std::size_t i = 0; i < plain.size(); ++i) {
                    biased[i] += bias[i % static_cast<std::size_t>(s.n)];
                    added[i] += before[i];
                }
                Floats withBias(s.m * s.n), sum(before);
                kernels->gemm(team, gemm, fa, fb, fbias, withBias, Store::Write);
                QVERIFY(relativeError(withBias, biased, 1.0) < tolerance);
                kernels->gemm(team, gemm, fa, fb, nullptr, sum, Store::Add);
                QVERIFY(relativeError(sum, added, 1.0) < tolerance);
            }
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const Shape s{300, 1500, 520};
        Floats a(randomValues(s.m * s.k, 5)), b(randomValues(s.k * s.n, 6));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats c(s.m * s.n);
            kernels->gemm(workers, {s.m, s.n, s.k}, a, b, nullptr, c, Store::Write);
            return c;
        }));
    }

    void linearMatchesDefinition_data() { addInstructionSets(); }
    void linearMatchesDefinition()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(3);
        for (const WeightLayout layout : {WeightLayout::InOut, WeightLayout::OutIn}) {
            const bool outIn = layout == WeightLayout::OutIn;
            const Index rows = 67, in = 33, out = 130;
            const LinearShape shape{rows, in, out, layout};
            const Doubles x = randomValues(rows * in, 1), w = randomValues(in * out, 2), b = randomValues(out, 3);
            const Doubles dy = randomValues(rows * out, 4);
            Floats fx(x), fw(w), fb(b), fdy(dy), y(rows * out);

            Doubles expected = product({rows, out, in}, x, false, w, outIn);
            kernels->linearForward(team, shape, fx, fw, nullptr, y);
            QVERIFY(relativeError(y, expected, 1.0) < 3e-6);
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] += b[i % static_cast<std::size_t>(out)];
            kernels->linearForward(team, shape, fx, fw, fb, y);
            QVERIFY(relativeError(y, expected, 1.0) < 3e-6);

            // dx = dy W^T; dW = x^T dy, stored like W; db = column sums of dy.
            const Doubles dx = product({rows, in, out}, dy, false, w, !outIn);
            const Doubles dw
                = outIn ? product({out, in, rows}, dy, true, x, false) : product({in, out, rows}, x, true, dy, false);
            Doubles db(static_cast<std::size_t>(out), 0.0);
            for (std::size_t i = 0; i < dy.size(); ++i)
                db[i % static_cast<std::size_t>(out)] += dy[i];
            Floats gotDx(rows * in), gotDw(in * out), gotDb(out);
            kernels->linearBackward(team, shape, fdy, fx, fw, gotDx, Store::Write, gotDw, gotDb, Store::Write);
            QVERIFY(relativeError(gotDx, dx, 1.0) < 5e-6);
            QVERIFY(relativeError(gotDw, dw, 1.0) < 5e-6);
            QVERIFY(relativeError(gotDb, db, 1.0) < 5e-6);

            kernels->linearBackward(team, shape, fdy, fx, fw, gotDx, Store::Add, gotDw, gotDb, Store::Add);
            Doubles twice = dx;
            for (double& v : twice)
                v *= 2.0;
            QVERIFY(relativeError(gotDx, twice, 1.0) < 5e-6);
            Doubles twiceDb = db;
            for (double& v : twiceDb)
                v *= 2.0;
            QVERIFY(relativeError(gotDb, twiceDb, 1.0) < 5e-6);

            // Outputs that are not asked for are left out, and their inputs are not needed.
            Floats onlyDb(out);
            kernels->linearBackward(
                team, shape, fdy, nullptr, nullptr, nullptr, Store::Write, nullptr, onlyDb, Store::Write);
            QVERIFY(relativeError(onlyDb, db, 1.0) < 5e-6);
        }
    }

    void biasGradientOfAWideLayerMatches_data() { addInstructionSets(); }
    void biasGradientOfAWideLayerMatches()
    {
        QFETCH(const CpuKernels*, kernels);
        const Index rows = 131, out = 9001; // wide enough for the wide bands of columns
        const Doubles dy = randomValues(rows * out, 7);
        Doubles db(static_cast<std::size_t>(out), 0.0);
        for (std::size_t i = 0; i < dy.size(); ++i)
            db[i % static_cast<std::size_t>(out)] += dy[i];
        Floats fdy(dy);
        const auto compute = [&](const Workers& workers) {
            Floats sums(out);
            kernels->linearBackward(
                workers, {rows, 1, out}, fdy, nullptr, nullptr, nullptr, Store::Write, nullptr, sums, Store::Write);
            return sums;
        };
        Team team(1);
        QVERIFY(relativeError(compute(team), db, 1.0) < 1e-5);
        QVERIFY(sameBitsAtEveryThreadCount(compute));
    }
};

QTEST_APPLESS_MAIN(KernelGemmTest)
#include "kernel_gemm_test.moc"
