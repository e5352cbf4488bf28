// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: Algorithm 2 of Loshchilov & Hutter 2019, step by step in double.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

class KernelOptimizerTest : public QObject {
    Q_OBJECT
private slots:
    void adamWMatchesThePaper_data() { addInstructionSets(); }
    void adamWMatchesThePaper()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const Index count : {Index{1}, Index{31}, Index{33}, Index{20001}}) {
            AdamW options{0.01F, 0.9F, 0.999F, 1e-8F, 0.1F, 1};
            Doubles p = randomValues(count, 1), m(p.size(), 0.0), v(p.size(), 0.0);
            Floats fp(p), fm(m), fv(v);
            for (options.step = 1; options.step <= 4; ++options.step) {
                const Doubles g = randomValues(count, 10 + static_cast<unsigned>(options.step));
                Floats fg(g);
                kernels->adamW(team, options, count, fg, fp, fm, fv);
                const auto t = static_cast<double>(options.step);
                for (std::size_t i = 0; i < p.size(); ++i) {
                    m[i] = 0.9 * m[i] + 0.1 * g[i];
                    v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                    const double mHat = m[i] / (1.0 - std::pow(0.9, t)), vHat = v[i] / (1.0 - std::pow(0.999, t));
                    p[i] = p[i] * (1.0 - 0.01 * 0.1) - 0.01 * mHat / (std::sqrt(vHat) + 1e-8);
                }
            }
            // beta 0.999 as a float is off by 1e-8, which is 1e-5 of 1 - beta.
            QVERIFY(relativeError(fm, m, 0.1) < 1e-6);
            QVERIFY(relativeError(fv, v, 1e-4) < 3e-5);
            QVERIFY(relativeError(fp, p, 1.0) < 2e-6);
        }
    }

    void sgdStepsAgainstTheGradient_data() { addInstructionSets(); }
    void sgdStepsAgainstTheGradient()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        const Index count = 20001;
        const Doubles p = randomValues(count, 1), g = randomValues(count, 2);
        Floats fp(p), fg(g);
        kernels->sgd(team, 0.5F, count, fg, fp);
        Doubles expected = p;
        for (std::size_t i = 0; i < p.size(); ++i)
            expected[i] -= 0.5 * g[i];
        QVERIFY(relativeError(fp, expected, 1.0) < 1e-7);
    }

    void bitsDoNotDependOnThreads_data() { addInstructionSets(); }
    void bitsDoNotDependOnThreads()
    {
        QFETCH(const CpuKernels*, kernels);
        const Index count = 70001;
        Floats g(randomValues(count, 1));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats p(randomValues(count, 2)), m(randomValues(count, 3)),
                v(Doubles(static_cast<std::size_t>(count), 0.5));
            kernels->adamW(workers, {}, count, g, p, m, v);
            return p;
        }));
    }
};

QTEST_APPLESS_MAIN(KernelOptimizerTest)
#include "kernel_optimizer_test.moc"
