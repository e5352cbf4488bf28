// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: the definition of layer normalisation in double, and its derivative in double, which is checked
// against central differences of the definition.
#include "tests/cuda/rows_testing.h"

using namespace cuda_testing;

namespace {

constexpr double kEpsilon = 1e-5;

struct Input {
    RowsShape shape;
    Doubles x, gamma, beta, dy;
};

template <class T> Input makeInput(const RowsShape& shape, double center = 0.0)
{
    Input in{shape, exactValues<T>(shape.rows * shape.width, 1), exactValues<T>(shape.width, 2),
        exactValues<T>(shape.width, 3), exactValues<T>(shape.rows * shape.width, 4)};
    for (double& x : in.x)
        x += center;
    in.x = Buffer<T>(in.x).doubles();
    return in;
}

struct Output {
    Doubles y, mean, rstd;
};

Output layerNorm(const RowsShape& shape, const Doubles& x, const Doubles& gamma, const Doubles& beta)
{
    Output out{x, Doubles(static_cast<std::size_t>(shape.rows)), Doubles(static_cast<std::size_t>(shape.rows))};
    const auto width = static_cast<std::size_t>(shape.width);
    for (std::size_t row = 0; row < out.mean.size(); ++row) {
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = row * width; i < (row + 1) * width; ++i)
            mean += x[i] / static_cast<double>(width);
        for (std::size_t i = row * width; i < (row + 1) * width; ++i)
            variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(width);
        out.mean[row] = mean;
        out.rstd[row] = 1.0 / std::sqrt(variance + kEpsilon);
        for (std::size_t i = 0; i < width; ++i)
            out.y[row * width + i] = (x[row * width + i] - mean) * out.rstd[row] * gamma[i] + beta[i];
    }
    return out;
}

struct Gradients {
    Doubles dx, dgamma, dbeta;
};

Gradients derivative(const Input& in)
{
    const Output out = layerNorm(in.shape, in.x, in.gamma, in.beta);
    const auto width = static_cast<std::size_t>(in.shape.width);
    Gradients result{in.x, Doubles(width, 0.0), Doubles(width, 0.0)};
    for (std::size_t row = 0; row < out.mean.size(); ++row) {
        const auto xhat = [&](std::size_t i) { return (in.x[row * width + i] - out.mean[row]) * out.rstd[row]; };
        const auto g = [&](std::size_t i) { return in.dy[row * width + i] * in.gamma[i]; };
        double meanG = 0.0, meanProduct = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            meanG += g(i) / static_cast<double>(width);
            meanProduct += g(i) * xhat(i) / static_cast<double>(width);
            result.dgamma[i] += in.dy[row * width + i] * xhat(i);
            result.dbeta[i] += in.dy[row * width + i];
        }
        for (std::size_t i = 0; i < width; ++i)
            result.dx[row * width + i] = out.rstd[row] * (g(i) - meanG - xhat(i) * meanProduct);
    }
    return result;
}

/// The kernels' outputs, as far as asked for, each in a buffer that begins poisoned.
template <class T> struct Run {
    Buffer<T> x, gamma, beta, dy, y, dx, dgamma, dbeta;
    Buffer<float> mean, rstd, workspace;
    RowsShape shape;

    explicit Run(const Input& in)
        : x(in.x),
          gamma(in.gamma),
          beta(in.beta),
          dy(in.dy),
          y(x.size()),
          dx(x.size()),
          dgamma(gamma.size()),
          dbeta(gamma.size()),
          mean(in.shape.rows),
          rstd(in.shape.rows),
          workspace(normBackwardWorkspaceBytes(in.shape) / static_cast<Index>(sizeof(float))),
          shape(in.shape)
    { }
    void forward() { layerNormForward<T>(shape, static_cast<float>(kEpsilon), x, gamma, beta, y, mean, rstd, nullptr); }
    void backward(Store storeDx, Store storeWeights)
    {
        layerNormBackward<T>(
            shape, dy, x, mean, rstd, gamma, dx, storeDx, dgamma, dbeta, storeWeights, workspace, nullptr);
    }
    bool sameBits(const Run& other) const
    {
        return y.sameBits(other.y) && mean.sameBits(other.mean) && rstd.sameBits(other.rstd) && dx.sameBits(other.dx)
            && dgamma.sameBits(other.dgamma) && dbeta.sameBits(other.dbeta);
    }
};

// Bounds in ulps of float at 1.  A value is made by about six roundings of numbers below 4, two of them of a mean or of
// rstd, whose sums are trees; dx is scaled by rstd besides, which stays below 16 here.
constexpr double kForwardUlps = 8.0, kBackwardUlps = 16.0;

} // namespace

class CudaLayerNormTest : public QObject {
    Q_OBJECT
private slots:
    void forwardMatchesDefinition()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RowsShape& shape : kNormShapes) {
                const Input in = makeInput<T>(shape);
                const Output expected = layerNorm(shape, in.x, in.gamma, in.beta);
                Run<T> run(in);
                run.forward();
                VERIFY_WITHIN(errorInUlps(run.y, expected.y, 1.0), roundedFrom<T>(kForwardUlps));
                VERIFY_WITHIN(errorInUlps(run.mean, expected.mean, 1.0), 1.0);
                VERIFY_WITHIN(errorInUlps(run.rstd, expected.rstd, 1.0), kForwardUlps);
            }
        });
    }

    void largeMeansCancelNothing()
    {
        const RowsShape shape{5, 1000};
        const Input in = makeInput<float>(shape, 20.0);
        const Output expected = layerNorm(shape, in.x, in.gamma, in.beta);
        Run<float> run(in);
        run.forward();
        // The mean is off by an ulp or two of 20, which are 16 of 1 each, and rstd is 1.7.  mean(x^2) - mean(x)^2 would
        // be off by ulps of 400, which are 256 of 1, and rstd by even more.
        VERIFY_WITHIN(errorInUlps(run.y, expected.y, 1.0), 2.0 * 16.0 * 1.8);
        VERIFY_WITHIN(errorInUlps(run.rstd, expected.rstd, 1.0), kForwardUlps);
    }

    void derivativeIsThatOfTheDefinition()
    {
        for (const RowsShape shape : {RowsShape{1, 3}, {3, 33}, {20, 9}}) {
            const Input in = makeInput<float>(shape);
            const Gradients expected = derivative(in);
            const auto verify = [&](const Doubles& gradient, const Doubles& at, const auto& output) {
                const auto loss = [&](const Doubles& v) { return dot(in.dy, output(v).y); };
                for (const auto& [i, difference] : differences(at, loss))
                    VERIFY_WITHIN(std::abs(gradient[i] - difference), 1e-7);
            };
            verify(expected.dx, in.x, [&](const Doubles& v) { return layerNorm(shape, v, in.gamma, in.beta); });
            verify(expected.dgamma, in.gamma, [&](const Doubles& v) { return layerNorm(shape, in.x, v, in.beta); });
            verify(expected.dbeta, in.beta, [&](const Doubles& v) { return layerNorm(shape, in.x, in.gamma, v); });
        }
    }

    void backwardMatchesDerivative()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RowsShape& shape : kNormShapes) {
                const Input in = makeInput<T>(shape);
                const Gradients expected = derivative(in);
                Run<T> run(in);
                run.forward();
                run.backward(Store::Write, Store::Write);
                const double size = sizeOfSum(shape.rows);
                VERIFY_WITHIN(errorInUlps(run.dx, expected.dx, 1.0), roundedFrom<T>(kBackwardUlps));
                VERIFY_WITHIN(errorInUlps(run.dgamma, expected.dgamma, size), roundedFrom<T>(kSumUlps));
                VERIFY_WITHIN(errorInUlps(run.dbeta, expected.dbeta, size), roundedFrom<T>(kSumUlps));

                // Added to what is there.
                const Doubles dx = run.dx.doubles(), dgamma = run.dgamma.doubles(), dbeta = run.dbeta.doubles();
                run.backward(Store::Add, Store::Add);
                VERIFY_WITHIN(errorInUlps(run.dx, increased(dx, expected.dx), 1.0), roundedFrom<T>(kBackwardUlps));
                VERIFY_WITHIN(
                    errorInUlps(run.dgamma, increased(dgamma, expected.dgamma), size), roundedFrom<T>(kSumUlps));
                VERIFY_WITHIN(errorInUlps(run.dbeta, increased(dbeta, expected.dbeta), size), roundedFrom<T>(kSumUlps));
            }
        });
    }

    void outputsMayBeLeftOutAndTakeTheGradientsPlace()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RowsShape& shape : {RowsShape{9, 33}, RowsShape{31, 200}}) {
                const Input in = makeInput<T>(shape);
                Run<T> all(in);
                all.forward();
                all.backward(Store::Write, Store::Write);

                Run<T> inPlace(in);
                inPlace.forward();
                layerNormBackward<T>(shape, inPlace.dy, inPlace.x, inPlace.mean, inPlace.rstd, inPlace.gamma,
                    inPlace.dy, Store::Write, inPlace.dgamma, inPlace.dbeta, Store::Write, inPlace.workspace, nullptr);
                QVERIFY(inPlace.dy.sameBits(all.dx) && inPlace.dgamma.sameBits(all.dgamma));
                QVERIFY(inPlace.dbeta.sameBits(all.dbeta));

                Run<T> apart(in);
                apart.forward();
                layerNormBackward<T>(shape, apart.dy, apart.x, apart.mean, apart.rstd, apart.gamma, apart.dx,
                    Store::Write, nullptr, nullptr, Store::Write, nullptr, nullptr);
                layerNormBackward<T>(shape, apart.dy, apart.x, apart.mean, apart.rstd, apart.gamma, nullptr,
                    Store::Write, apart.dgamma, apart.dbeta, Store::Write, apart.workspace, nullptr);
                QVERIFY(apart.sameBits(all));
            }
        });
    }

    void bitsDoNotDependOnTheOrder()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RowsShape& shape : {RowsShape{300, 33}, RowsShape{9, 512}}) {
                const Input in = makeInput<T>(shape);
                QVERIFY(sameBitsInEveryOrder([&] {
                    Run<T> run(in);
                    run.forward();
                    run.backward(Store::Write, Store::Write);
                    return run;
                }));
            }
        });
    }

    void workspaceIsBounded()
    {
        for (const Index rows : {Index{1}, Index{257}, Index{4096}, Index{1} << 40})
            QVERIFY(normBackwardWorkspaceBytes({rows, 12288}) <= 256 * Index{12288});
    }
};

QTEST_APPLESS_MAIN(CudaLayerNormTest)
#include "cuda_layer_norm_test.moc"
