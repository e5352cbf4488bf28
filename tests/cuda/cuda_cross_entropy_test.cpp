// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: cross-entropy from its definition in double, and its derivative softmax - onehot in double, which is
// checked against central differences of the definition.
#include "tests/cuda/rows_testing.h"

using namespace cuda_testing;

namespace {

constexpr double kScale = 0.25;

struct Case {
    LossShape shape;
    Doubles logits;
    std::vector<std::int32_t> targets;

    Buffer<std::int32_t> targetBuffer() const { return Buffer<std::int32_t>(Doubles(targets.begin(), targets.end())); }
};

template <class T> Case makeCase(const LossShape& shape)
{
    Case made{shape, exactValues<T>(shape.rows * shape.vocabulary, 1, 8.0), {}};
    kernel_testing::Tokens targets = kernel_testing::randomTokens(shape.rows, shape.vocabulary, 2);
    made.targets.assign(targets.data(), targets.data() + shape.rows);
    made.targets.back() = static_cast<std::int32_t>(shape.vocabulary - 1);
    return made;
}

struct Expected {
    Doubles lse;
    double loss = 0.0;
    Doubles gradient; // of kScale * loss
};

Expected crossEntropy(const Case& c, const Doubles& logits)
{
    Expected expected{{}, 0.0, logits};
    const auto width = static_cast<std::size_t>(c.shape.vocabulary);
    const auto rows = static_cast<double>(c.shape.rows);
    for (std::size_t row = 0; row < c.targets.size(); ++row) {
        const auto target = static_cast<std::size_t>(c.targets[row]);
        double sum = 0.0;
        for (std::size_t v = 0; v < width; ++v)
            sum += std::exp(logits[row * width + v]);
        expected.lse.push_back(std::log(sum));
        expected.loss += (std::log(sum) - logits[row * width + target]) / rows;
        for (std::size_t v = 0; v < width; ++v)
            expected.gradient[row * width + v]
                = (std::exp(logits[row * width + v]) / sum - (v == target ? 1.0 : 0.0)) * kScale / rows;
    }
    return expected;
}

template <class T> struct Run {
    Buffer<T> logits, dlogits;
    Buffer<float> lse, loss;

    explicit Run(const Case& c) : logits(c.logits), dlogits(logits.size()), lse(c.shape.rows), loss(1)
    {
        const Buffer<std::int32_t> targets = c.targetBuffer();
        crossEntropyForward<T>(c.shape, logits, targets, lse, loss, Store::Write, nullptr);
        crossEntropyBackward<T>(c.shape, logits, lse, targets, static_cast<float>(kScale), dlogits, nullptr);
    }
    bool sameBits(const Run& other) const
    {
        return lse.sameBits(other.lse) && loss.sameBits(other.loss) && dlogits.sameBits(other.dlogits);
    }
};

// Vocabularies around a warp, less and more than a quad for each thread of a block, GPT-2's, and one with a tail; one
// row and more rows than the threads that sum their losses.
constexpr LossShape kShapes[] = {{1, 1}, {31, 31}, {32, 32}, {33, 33}, {5, 1000}, {1000, 5}, {2, 50257}, {3, 70001}};

/// The sum of exponentials is right to an ulp or two of float; its logarithm and that plus the maximum round once each.
constexpr double kLseUlps = 2.0;

/// The exponent logit - lse is off by the rounding of lse and by its own, half an ulp of 16 each, and by lse's further
/// error; exp adds two ulps of float, and the difference with the target's 1, the factor and T round after that.
template <class T> double gradientBound(double expected, double size)
{
    const double p = expected < 0.0 ? 1.0 : expected / size; // the target's is at most 1
    const double arithmetic = size * (p * 4.0 * 0x1p-20 + 0x1p-23);
    return arithmetic + (std::is_same_v<T, bf16> ? 0.5 * ulp<bf16>(std::abs(expected) + arithmetic) : 0.0);
}

} // namespace

class CudaCrossEntropyTest : public QObject {
    Q_OBJECT
private slots:
    void matchesDefinition()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const LossShape& shape : kShapes) {
                const Case c = makeCase<T>(shape);
                const Expected expected = crossEntropy(c, c.logits);
                const Run<T> run(c);
                VERIFY_WITHIN(errorInUlps(run.lse, expected.lse, 1.0), kLseUlps);
                VERIFY_WITHIN(errorInUlps(run.loss, {expected.loss}, 1.0), kLseUlps);
                const Doubles gradient = run.dlogits.doubles();
                for (std::size_t i = 0; i < gradient.size(); ++i)
                    VERIFY_WITHIN(std::abs(gradient[i] - expected.gradient[i]),
                        gradientBound<T>(expected.gradient[i], kScale / static_cast<double>(shape.rows)));
            }
        });
    }

    void derivativeIsThatOfTheDefinition()
    {
        for (const LossShape shape : {LossShape{1, 5}, {3, 33}, {20, 9}}) {
            const Case c = makeCase<float>(shape);
            const Expected expected = crossEntropy(c, c.logits);
            const auto loss = [&](const Doubles& logits) { return kScale * crossEntropy(c, logits).loss; };
            for (const auto& [i, difference] : differences(c.logits, loss, c.logits.size()))
                VERIFY_WITHIN(std::abs(expected.gradient[i] - difference), 1e-9);
        }
    }

    /// Two parts of the rows, one after the other, give the loss and the gradient of all.
    void partsAddUpToTheWhole()
    {
        const Case c = makeCase<float>({50, 33});
        const Expected expected = crossEntropy(c, c.logits);
        Buffer<float> loss(1);
        for (const auto& [first, rows] : {std::pair<Index, Index>{0, 31}, {31, 19}}) {
            const LossShape part{rows, 33, 50};
            const Buffer<float> logits(Doubles(c.logits.begin() + first * 33, c.logits.begin() + (first + rows) * 33));
            const Buffer<std::int32_t> targets(Doubles(c.targets.begin() + first, c.targets.begin() + first + rows));
            Buffer<float> lse(rows), dlogits(logits.size());
            crossEntropyForward<float>(
                part, logits, targets, lse, loss, first == 0 ? Store::Write : Store::Add, nullptr);
            crossEntropyBackward<float>(part, logits, lse, targets, static_cast<float>(kScale), dlogits, nullptr);
            const Doubles gradient = dlogits.doubles();
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                const double whole = expected.gradient[static_cast<std::size_t>(first) * 33 + i];
                VERIFY_WITHIN(std::abs(gradient[i] - whole), gradientBound<float>(whole, kScale / 50));
            }
        }
        VERIFY_WITHIN(errorInUlps(loss, {expected.loss}, 1.0), kLseUlps);
    }

    void gradientMayTakeTheLogitsPlace()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const LossShape& shape : {LossShape{31, 33}, LossShape{2, 5001}}) {
                const Case c = makeCase<T>(shape);
                const Run<T> run(c);
                Buffer<T> place(c.logits);
                crossEntropyBackward<T>(
                    shape, place, run.lse, c.targetBuffer(), static_cast<float>(kScale), place, nullptr);
                QVERIFY(place.sameBits(run.dlogits));
            }
        });
    }

    void extremeLogitsDoNotOverflow()
    {
        // log(e^1000 + e^998 + e^-1000) - 998; a logit of -infinity is a token that cannot come.
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double least : {-1000.0, -infinity}) {
            const Case c{{1, 3}, {1000.0, 998.0, least}, {1}};
            const Run<float> run(c);
            VERIFY_WITHIN(
                std::abs(run.loss.doubles()[0] - (2.0 + std::log1p(std::exp(-2.0)))), 0.5 * ulp<float>(1000.0));
            QCOMPARE(run.dlogits.doubles()[2], 0.0);
        }
        // No thread's first quad holds a number.
        Case c{{1, 2000}, Doubles(2000, -infinity), {1999}};
        c.logits[1999] = -7.0;
        const Run<float> run(c);
        QCOMPARE(run.lse.doubles()[0], -7.0);
        QCOMPARE(run.loss.doubles()[0], 0.0);
        QCOMPARE(run.dlogits.doubles(), Doubles(2000, 0.0));
    }

    void poisonShows()
    {
        for (const std::size_t poisoned : {std::size_t{0}, std::size_t{1500}, std::size_t{1999}}) {
            Case c{{1, 2000}, Doubles(2000, 1.0), {7}};
            c.logits[poisoned] = std::numeric_limits<double>::quiet_NaN();
            QVERIFY(std::isnan(Run<float>(c).loss.doubles()[0]));
        }
    }

    void bitsDoNotDependOnTheOrder()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const LossShape& shape : {LossShape{300, 33}, LossShape{3, 3001}}) {
                const Case c = makeCase<T>(shape);
                QVERIFY(sameBitsInEveryOrder([&] { return Run<T>(c); }));
            }
        });
    }
};

QTEST_APPLESS_MAIN(CudaCrossEntropyTest)
#include "cuda_cross_entropy_test.moc"
