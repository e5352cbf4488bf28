// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: Algorithm 2 of Loshchilov & Hutter 2019, step by step in double; the CPU's kernel for whole bits.
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;

namespace {

constexpr AdamW kOptions{0.01F, 0.9F, 0.999F, 1e-8F, 0.1F, 1};

/// One element's weights and moments in double.
struct Reference {
    double p, m = 0.0, v = 0.0;

    void step(double g, double t)
    {
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        const double mHat = m / (1.0 - std::pow(0.9, t)), vHat = v / (1.0 - std::pow(0.999, t));
        p = p * (1.0 - 0.01 * 0.1) - 0.01 * mHat / (std::sqrt(vHat) + 1e-8);
    }
};

/// Away from zero, where m / sqrt(v) magnifies rounding without bound.
template <class T> Doubles gradients(Index count, std::int64_t step)
{
    Doubles g = exactValues<T>(count, 10 + static_cast<unsigned>(step));
    for (double& value : g)
        if (std::abs(value) < 1e-3)
            value = 0.25;
    return g;
}

} // namespace

class CudaOptimizerTest : public QObject {
    Q_OBJECT
private slots:
    void adamWMatchesThePaper()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes) {
                const Doubles start = exactValues<T>(count, 1);
                std::vector<Reference> expected;
                for (const double p : start)
                    expected.push_back({p});
                Buffer<T> parameter(start);
                Buffer<float> master(start), m(Doubles(start.size(), 0.0)), v(Doubles(start.size(), 0.0));
                AdamW options = kOptions;
                for (options.step = 1; options.step <= 4; ++options.step) {
                    const Doubles g = gradients<T>(count, options.step);
                    const Buffer<T> gradient(g);
                    adamW<T>(options, count, gradient, parameter, master, m, v, nullptr);
                    for (std::size_t i = 0; i < g.size(); ++i)
                        expected[i].step(g[i], static_cast<double>(options.step));
                }
                Doubles p, momentum, variance;
                for (const Reference& each : expected) {
                    p.push_back(each.p);
                    momentum.push_back(each.m);
                    variance.push_back(each.v);
                }
                // 1 - 0.999F is off by 1.7e-5 of itself, 1 - 0.9F by 2.4e-7; a step of 0.01 takes half of the former.
                VERIFY_WITHIN(errorInUlps(m, momentum, 0.1), 8.0);
                VERIFY_WITHIN(errorInUlps(v, variance, 1e-6), 3e-5 * 0x1p24);
                VERIFY_WITHIN(errorInUlps(master, p, 1.0), 8.0);
                QVERIFY(parameter.sameBits(Buffer<T>(master.doubles()))); // the master's rounding
            }
        });
    }

    void withoutMasterTheParameterItselfIsUpdated()
    {
        const Index count = 1000;
        const Doubles start = exactValues<bf16>(count, 1), g = gradients<bf16>(count, 1);
        const Buffer<bf16> gradient(g);
        Buffer<bf16> parameter(start);
        Buffer<float> m(Doubles(start.size(), 0.0)), v(Doubles(start.size(), 0.0));
        Doubles expected = start;
        AdamW options = kOptions;
        adamW<bf16>(options, count, gradient, parameter, nullptr, m, v, nullptr);
        for (std::size_t i = 0; i < g.size(); ++i) {
            Reference reference{start[i]};
            reference.step(g[i], 1.0);
            expected[i] = reference.p;
        }
        VERIFY_WITHIN(errorInUlps(parameter, expected, 1e-2), 0.51);
    }

    void floatsGoTheCpusWay()
    {
        const Index count = 70001;
        kernel_testing::Floats p(randomValues(count, 1)), m(randomValues(count, 2)),
            v(Doubles(static_cast<std::size_t>(count), 0.5)), g(randomValues(count, 3));
        Buffer<float> parameter(p.doubles()), momentum(m.doubles()), variance(v.doubles());
        AdamW options = kOptions;
        options.step = 1000;
        kernel_testing::Team team(1);
        remat::kernels::bestCpuKernels().adamW(team, options, count, g, p, m, v);
        adamW<float>(options, count, g, parameter, nullptr, momentum, variance, nullptr);
        // The same formulas; fused multiply-adds on one side may differ in the last bit.
        VERIFY_WITHIN(errorInUlps(momentum, m.doubles(), 0.1), 1.0);
        VERIFY_WITHIN(errorInUlps(variance, v.doubles(), 0.1), 1.0);
        VERIFY_WITHIN(errorInUlps(parameter, p.doubles(), 0.1), 1.0);
    }

    void sgdStepsAgainstTheGradient()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes) {
                const Doubles p = exactValues<T>(count, 1), g = exactValues<T>(count, 2);
                Doubles expected = p;
                for (std::size_t i = 0; i < p.size(); ++i)
                    expected[i] -= 0.5 * g[i]; // the product is exact, so the result rounds once
                const Buffer<T> gradient(g);
                Buffer<T> parameter(p), rounded(count);
                Buffer<float> master(p);
                sgd<T>(0.5F, count, gradient, parameter, nullptr, nullptr);
                QVERIFY(parameter.sameBits(Buffer<T>(expected)));
                sgd<T>(0.5F, count, gradient, rounded, master, nullptr);
                QVERIFY(master.sameBits(Buffer<float>(expected)));
                QVERIFY(rounded.sameBits(Buffer<T>(master.doubles())));
            }
        });
    }

    void bitsDoNotDependOnTheOrder()
    {
        const Index count = 5003;
        const Buffer<bf16> gradient(randomValues(count, 1));
        QVERIFY(sameBitsInEveryOrder([&] {
            Buffer<bf16> parameter(randomValues(count, 2));
            Buffer<float> master(randomValues(count, 2)), m(randomValues(count, 3)),
                v(Doubles(static_cast<std::size_t>(count), 0.5));
            adamW<bf16>(kOptions, count, gradient, parameter, master, m, v, nullptr);
            sgd<bf16>(0.1F, count, gradient, parameter, master, nullptr);
            return master;
        }));
    }
};

QTEST_APPLESS_MAIN(CudaOptimizerTest)
#include "cuda_optimizer_test.moc"
