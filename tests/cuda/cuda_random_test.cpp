// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected words: the CPU kernels' own (CpuKernels::randomWords), whose test holds them to Random123's known answers.
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;

namespace {

/// Words of elements [0, count) of a stream, from the CPU.
std::vector<std::uint32_t> cpuWords(const RandomStream& random, Index count)
{
    std::vector<std::uint32_t> words(static_cast<std::size_t>(dividedUp(count, 4) * 4));
    remat::kernels::bestCpuKernels().randomWords(random, 0, dividedUp(count, 4), words.data());
    words.resize(static_cast<std::size_t>(count));
    return words;
}

constexpr RandomStream kStream{0x123456789abcdefULL, 0xfedcba987ULL};

} // namespace

class CudaRandomTest : public QObject {
    Q_OBJECT
private slots:
    void dropoutKeepsWhatTheCpuKeeps()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes)
                for (const float p : {0.1F, 0.5F, 0.999F}) {
                    const Dropout rule{p, kStream};
                    const Doubles values = exactValues<T>(count, 1);
                    const std::vector<std::uint32_t> words = cpuWords(kStream, count);
                    Doubles expected = values;
                    for (std::size_t i = 0; i < values.size(); ++i)
                        expected[i] *= words[i] < static_cast<double>(p) * 0x1p32 ? 0.0 : 1.0 / (1.0 - double{p});
                    const Buffer<T> in(values);
                    Buffer<T> out(count), place(values);
                    dropout<T>(rule, count, in, out, nullptr);
                    // The scale and the product round: 1 - p as a float is off by 2^-25 / (1-p), relatively.
                    const double arithmetic = 1.0 + 0.5 / (1.0 - double{p});
                    VERIFY_WITHIN(errorInUlps(out, expected, 1e-3),
                        0.5 + (std::is_same_v<T, bf16> ? arithmetic / 0x1p16 : arithmetic));
                    dropout<T>(rule, count, place, place, nullptr);
                    QVERIFY(place.sameBits(out));
                }
        });
    }

    void floatsAreDroppedToTheCpusBits()
    {
        const Index count = 70001;
        const Dropout rule{0.3F, kStream};
        kernel_testing::Floats in(randomValues(count, 1)), expected(count);
        kernel_testing::Team team(1);
        remat::kernels::bestCpuKernels().dropout(team, rule, count, in, expected);
        Buffer<float> out(count);
        dropout<float>(rule, count, in, out, nullptr);
        QCOMPARE(out.doubles(), expected.doubles());
    }

    void nothingIsDroppedAtProbabilityZero()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            const Buffer<T> in(randomValues(1000, 1));
            Buffer<T> out(1000);
            dropout<T>({0.0F, kStream}, 1000, in, out, nullptr);
            QVERIFY(out.sameBits(in));
        });
    }

    void fillWritesEveryElementAndNoneBeyond()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes) {
                Buffer<T> out(count + 3);
                fill<T>(count, -2.5F, out, nullptr);
                const Doubles values = out.doubles();
                QCOMPARE(Doubles(values.begin(), values.end() - 3), Doubles(values.size() - 3, -2.5));
                for (std::size_t i = values.size() - 3; i < values.size(); ++i)
                    QVERIFY(std::isnan(values[i]));
            }
        });
    }

    void normalValuesFollowTheWords()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const Index count : kSizes) {
                const std::vector<std::uint32_t> words = cpuWords(kStream, count);
                // The slope of the normal distribution function times the value is at most 0.242, which the relative
                // rounding 2^-8 of bf16 moves it by.
                const double bound = std::is_same_v<T, bf16> ? 0.242 * 0x1p-8 + 1e-6 : 1e-6;
                Buffer<T> out(count);
                fillNormal<T>(kStream, count, 1.0F, out, nullptr);
                const Doubles values = out.doubles();
                for (std::size_t i = 0; i < values.size(); ++i) {
                    // The distribution function at the value gives the word's uniform number back.
                    const auto word = static_cast<std::int32_t>(words[i]);
                    const double uniform = 0.5 * (1.0 + ((word >> 9) * 2 + 1) * 0x1p-23);
                    VERIFY_WITHIN(std::abs(0.5 * std::erfc(-values[i] / std::sqrt(2.0)) - uniform), bound);
                }
                Buffer<T> half(count);
                fillNormal<T>(kStream, count, 0.5F, half, nullptr);
                Doubles halved = values;
                for (double& value : halved)
                    value *= 0.5;
                QCOMPARE(half.doubles(), halved);
            }
        });
    }

    void tokensAreTheCpus()
    {
        for (const Index count : kSizes)
            for (const Index vocabulary : {Index{1}, Index{7}, Index{50257}}) {
                const std::vector<std::uint32_t> words = cpuWords(kStream, count);
                Buffer<std::int32_t> out(count);
                fillTokens(kStream, count, vocabulary, out, nullptr);
                for (std::size_t i = 0; i < words.size(); ++i)
                    QCOMPARE(
                        Index{out[i]}, static_cast<Index>(words[i] * static_cast<std::uint64_t>(vocabulary) >> 32));
            }
    }

    void bitsDoNotDependOnTheOrder()
    {
        const Index count = 5003;
        QVERIFY(sameBitsInEveryOrder([&] {
            Buffer<bf16> out(count);
            fillNormal<bf16>(kStream, count, 0.02F, out, nullptr);
            dropout<bf16>({0.5F, kStream}, count, out, out, nullptr);
            return out;
        }));
    }
};

QTEST_APPLESS_MAIN(CudaRandomTest)
#include "cuda_random_test.moc"
