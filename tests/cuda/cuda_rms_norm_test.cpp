// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: the definition of Zhang & Sennrich 2019 (Root Mean Square Layer Normalization) in double, and its
// derivative in double, which is checked against central differences of the definition.
#include "tests/cuda/rows_testing.h"

using namespace cuda_testing;

namespace {

constexpr double kEpsilon = 1e-5;

struct Input {
    RowsShape shape;
    Doubles x, gamma, dy;
};

template <class T> Input makeInput(const RowsShape& shape)
{
    return {shape, exactValues<T>(shape.rows * shape.width, 1), exactValues<T>(shape.width, 2),
        exactValues<T>(shape.rows * shape.width, 3)};
}

struct Output {
    Doubles y, rstd;
};

Output rmsNorm(const RowsShape& shape, const Doubles& x, const Doubles& gamma)
{
    Output out{x, Doubles(static_cast<std::size_t>(shape.rows))};
    const auto width = static_cast<std::size_t>(shape.width);
    for (std::size_t row = 0; row < out.rstd.size(); ++row) {
        double squares = 0.0;
        for (std::size_t i = row * width; i < (row + 1) * width; ++i)
            squares += x[i] * x[i] / static_cast<double>(width);
        out.rstd[row] = 1.0 / std::sqrt(squares + kEpsilon);
        for (std::size_t i = 0; i < width; ++i)
            out.y[row * width + i] = x[row * width + i] * out.rstd[row] * gamma[i];
    }
    return out;
}

struct Gradients {
    Doubles dx, dgamma;
};

Gradients derivative(const Input& in)
{
    const Output out = rmsNorm(in.shape, in.x, in.gamma);
    const auto width = static_cast<std::size_t>(in.shape.width);
    Gradients result{in.x, Doubles(width, 0.0)};
    for (std::size_t row = 0; row < out.rstd.size(); ++row) {
        const auto xhat = [&](std::size_t i) { return in.x[row * width + i] * out.rstd[row]; };
        const auto g = [&](std::size_t i) { return in.dy[row * width + i] * in.gamma[i]; };
        double meanProduct = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            meanProduct += g(i) * xhat(i) / static_cast<double>(width);
            result.dgamma[i] += in.dy[row * width + i] * xhat(i);
        }
        for (std::size_t i = 0; i < width; ++i)
            result.dx[row * width + i] = out.rstd[row] * (g(i) - xhat(i) * meanProduct);
    }
    return result;
}

/// The kernels' outputs, each in a buffer that begins poisoned.
template <class T> struct Run {
    Buffer<T> x, gamma, dy, y, dx, dgamma;
    Buffer<float> rstd, workspace;
    RowsShape shape;

    explicit Run(const Input& in)
        : x(in.x),
          gamma(in.gamma),
          dy(in.dy),
          y(x.size()),
          dx(x.size()),
          dgamma(gamma.size()),
          rstd(in.shape.rows),
          workspace(normBackwardWorkspaceBytes(in.shape) / static_cast<Index>(sizeof(float))),
          shape(in.shape)
    { }
    void forward() { rmsNormForward<T>(shape, static_cast<float>(kEpsilon), x, gamma, y, rstd, nullptr); }
    void backward(Store storeDx, Store storeWeights)
    {
        rmsNormBackward<T>(shape, dy, x, rstd, gamma, dx, storeDx, dgamma, storeWeights, workspace, nullptr);
    }
    bool sameBits(const Run& other) const
    {
        return y.sameBits(other.y) && rstd.sameBits(other.rstd) && dx.sameBits(other.dx)
            && dgamma.sameBits(other.dgamma);
    }
};

// Bounds in ulps of float at 1.  A value is made by about five roundings of numbers below 4, one of them of rstd, whose
// sum is a tree; dx is scaled by rstd besides, which stays below 16 in these shapes but for the single element.
constexpr double kForwardUlps = 8.0, kBackwardUlps = 16.0;

} // namespace

class CudaRmsNormTest : public QObject {
    Q_OBJECT
private slots:
    void forwardMatchesDefinition()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const RowsShape& shape : kNormShapes) {
                const Input in = makeInput<T>(shape);
                const Output expected = rmsNorm(shape, in.x, in.gamma);
                Run<T> run(in);
                run.forward();
                VERIFY_WITHIN(errorInUlps(run.y, expected.y, 1.0), roundedFrom<T>(kForwardUlps));
                VERIFY_WITHIN(errorInUlps(run.rstd, expected.rstd, 1.0), kForwardUlps);
            }
        });
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
            verify(expected.dx, in.x, [&](const Doubles& v) { return rmsNorm(shape, v, in.gamma); });
            verify(expected.dgamma, in.gamma, [&](const Doubles& v) { return rmsNorm(shape, in.x, v); });
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

                // Added to what is there.
                const Doubles dx = run.dx.doubles(), dgamma = run.dgamma.doubles();
                run.backward(Store::Add, Store::Add);
                VERIFY_WITHIN(errorInUlps(run.dx, increased(dx, expected.dx), 1.0), roundedFrom<T>(kBackwardUlps));
                VERIFY_WITHIN(
                    errorInUlps(run.dgamma, increased(dgamma, expected.dgamma), size), roundedFrom<T>(kSumUlps));
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
                rmsNormBackward<T>(shape, inPlace.dy, inPlace.x, inPlace.rstd, inPlace.gamma, inPlace.dy, Store::Write,
                    inPlace.dgamma, Store::Write, inPlace.workspace, nullptr);
                QVERIFY(inPlace.dy.sameBits(all.dx) && inPlace.dgamma.sameBits(all.dgamma));

                Run<T> apart(in);
                apart.forward();
                rmsNormBackward<T>(shape, apart.dy, apart.x, apart.rstd, apart.gamma, apart.dx, Store::Write, nullptr,
                    Store::Write, nullptr, nullptr);
                rmsNormBackward<T>(shape, apart.dy, apart.x, apart.rstd, apart.gamma, nullptr, Store::Write,
                    apart.dgamma, Store::Write, apart.workspace, nullptr);
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
};

QTEST_APPLESS_MAIN(CudaRmsNormTest)
#include "cuda_rms_norm_test.moc"
