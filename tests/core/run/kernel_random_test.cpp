// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected words: the known-answer vectors of Random123 (kat_vectors, philox4x32 10) and a plain Philox of the test's
// own.
#include "tests/core/run/kernel_testing.h"

using namespace kernel_testing;

class KernelRandomTest : public QObject {
    Q_OBJECT
private slots:
    void philoxGivesRandom123sKnownAnswers_data() { addInstructionSets(); }
    void philoxGivesRandom123sKnownAnswers()
    {
        QFETCH(const CpuKernels*, kernels);
        struct Vector {
            std::uint64_t counterLow, counterHigh, key;
            std::array<std::uint32_t, 4> answer;
        };
        // Words of counter and key in the order of kat_vectors, the first one low.
        const Vector vectors[] = {
            {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
            {~0ULL, ~0ULL, ~0ULL, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
            {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822,
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
        };
        for (const Vector& v : vectors) {
            std::array<std::uint32_t, 4> words{};
            kernels->randomWords({v.key, v.counterHigh}, v.counterLow, 1, words.data());
            QCOMPARE(words, v.answer);
            const auto half = [](std::uint64_t x, int shift) { return static_cast<std::uint32_t>(x >> shift); };
            QCOMPARE(referencePhilox({half(v.counterLow, 0), half(v.counterLow, 32), half(v.counterHigh, 0),
                                         half(v.counterHigh, 32)},
                         {half(v.key, 0), half(v.key, 32)}),
                v.answer);
        }
    }

    void wordsAreCountedAcrossTheLow32Bits_data() { addInstructionSets(); }
    void wordsAreCountedAcrossTheLow32Bits()
    {
        QFETCH(const CpuKernels*, kernels);
        const RandomStream random{0x123456789abcdefULL, 77};
        const std::uint64_t first = 0xfffffffdULL; // the fourth block carries into the counter's second word
        std::vector<std::uint32_t> words(4 * 13);
        kernels->randomWords(random, first, 13, words.data());
        for (std::size_t i = 0; i < words.size(); ++i)
            QCOMPARE(words[i], referenceWord(random, 4 * first + i));
    }

    void dropoutKeepsWhatTheStreamSays_data() { addInstructionSets(); }
    void dropoutKeepsWhatTheStreamSays()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        for (const Index count : {Index{1}, Index{31}, Index{33}, Index{16384 + 259}}) {
            const Dropout dropout{0.3F, {9, 4}};
            const Doubles in = randomValues(count, 1);
            Floats fin(in), out(count);
            kernels->dropout(team, dropout, count, fin, out);
            Doubles expected = in;
            for (std::size_t i = 0; i < in.size(); ++i)
                expected[i] *= referenceFactor(dropout, i);
            QVERIFY(relativeError(out, expected, 1e-3) < 1e-6);
            Floats place(in);
            kernels->dropout(team, dropout, count, place, place);
            QVERIFY(place.sameBits(out));
        }
    }

    void backwardDropsWhatForwardDropped_data() { addInstructionSets(); }
    void backwardDropsWhatForwardDropped()
    {
        QFETCH(const CpuKernels*, kernels);
        const Index count = 100003;
        const Doubles ones(static_cast<std::size_t>(count), 1.0);
        Floats x(ones), dy(randomValues(count, 2)), y(count), dx(count);
        Team forwardTeam(1), backwardTeam(3);
        const Dropout dropout{0.1F, {5, 6}};
        kernels->dropout(forwardTeam, dropout, count, x, y);
        kernels->dropout(backwardTeam, dropout, count, dy, dx);
        for (Index i = 0; i < count; ++i)
            QCOMPARE(dx.data()[i], dy.data()[i] * y.data()[i]);
    }

    void keepRateAndIndependenceOfStreams_data() { addInstructionSets(); }
    void keepRateAndIndependenceOfStreams()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        const Index count = 400000;
        Floats x(Doubles(static_cast<std::size_t>(count), 1.0));
        for (const float p : {0.1F, 0.5F, 0.9F}) {
            Floats a(count), b(count);
            kernels->dropout(team, {p, {1, 1}}, count, x, a);
            kernels->dropout(team, {p, {1, 2}}, count, x, b);
            double kept = 0.0, both = 0.0;
            for (Index i = 0; i < count; ++i) {
                kept += a.data()[i] != 0.0F;
                both += a.data()[i] != 0.0F && b.data()[i] != 0.0F;
            }
            // Binomial: five standard deviations.
            const double q = 1.0 - static_cast<double>(p), n = static_cast<double>(count);
            QVERIFY(std::abs(kept / n - q) < 5.0 * std::sqrt(q * (1.0 - q) / n));
            QVERIFY(std::abs(both / n - q * q) < 5.0 * std::sqrt(q * q * (1.0 - q * q) / n));
        }
        Floats none(count);
        kernels->dropout(team, {0.0F, {1, 1}}, count, x, none);
        QVERIFY(none.sameBits(x));
    }

    void normalValuesFollowTheDistribution_data() { addInstructionSets(); }
    void normalValuesFollowTheDistribution()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        const Index count = 200003;
        const RandomStream random{11, 12};
        Floats values(count);
        kernels->fillNormal(team, random, count, 0.02F, values);
        double sum = 0.0, squares = 0.0;
        for (Index i = 0; i < count; ++i) {
            const double x = static_cast<double>(values.data()[i]) / 0.02;
            sum += x;
            squares += x * x;
            // The distribution function at the value gives the word's uniform number back.
            const auto word = static_cast<std::int32_t>(referenceWord(random, static_cast<std::uint64_t>(i)));
            const double uniform = 0.5 * (1.0 + ((word >> 9) * 2 + 1) / 8388608.0);
            QVERIFY(std::abs(0.5 * std::erfc(-x / std::sqrt(2.0)) - uniform) < 1e-6);
        }
        const auto n = static_cast<double>(count);
        QVERIFY(std::abs(sum / n) < 5.0 / std::sqrt(n));
        QVERIFY(std::abs(squares / n - 1.0) < 5.0 * std::sqrt(2.0 / n));
        QVERIFY(sameBitsAtEveryThreadCount([&](const Workers& workers) {
            Floats again(count);
            kernels->fillNormal(workers, random, count, 0.02F, again);
            return again;
        }));
    }

    void tokensCoverTheVocabularyEvenly_data() { addInstructionSets(); }
    void tokensCoverTheVocabularyEvenly()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(2);
        const Index count = 70000, vocabulary = 7;
        Floats room(count);
        auto* tokens = reinterpret_cast<std::int32_t*>(room.data());
        kernels->fillTokens(team, {3, 4}, count, vocabulary, tokens);
        std::array<int, 7> seen{};
        for (Index i = 0; i < count; ++i) {
            QVERIFY(tokens[i] >= 0 && tokens[i] < vocabulary);
            ++seen[static_cast<std::size_t>(tokens[i])];
        }
        for (const int times : seen)
            QVERIFY(std::abs(times - 10000) < 5 * 93); // standard deviation sqrt(n p (1-p)) = 93
        kernels->fillTokens(team, {3, 4}, 33, 1, tokens);
        for (Index i = 0; i < 33; ++i)
            QCOMPARE(tokens[i], 0);
    }

    void everyInstructionSetDrawsTheSame_data() { addInstructionSets(); }
    void everyInstructionSetDrawsTheSame()
    {
        QFETCH(const CpuKernels*, kernels);
        Team team(1);
        Floats x(randomValues(1000, 1)), a(1000), b(1000);
        cpuKernels(InstructionSet::Baseline)->dropout(team, {0.5F, {1, 2}}, 1000, x, a);
        kernels->dropout(team, {0.5F, {1, 2}}, 1000, x, b);
        QVERIFY(a.sameBits(b));
    }
};

QTEST_APPLESS_MAIN(KernelRandomTest)
#include "kernel_random_test.moc"
