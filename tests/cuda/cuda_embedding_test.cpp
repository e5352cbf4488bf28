// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: table lookups and scattered sums, in double; for the order of additions also in float, one token
// after another.
#include <map>

#include "tests/cuda/rows_testing.h"

using namespace cuda_testing;

namespace {

struct Case {
    EmbeddingShape shape;
    std::vector<std::int32_t> tokens;
    Doubles wte, wpe, wtt, dout;

    Index rows() const { return shape.batch * shape.sequence; }
    Buffer<std::int32_t> ids() const { return Buffer<std::int32_t>(Doubles(tokens.begin(), tokens.end())); }
};

template <class T> Case makeCase(const EmbeddingShape& s)
{
    const Index rows = s.batch * s.sequence;
    kernel_testing::Tokens tokens = kernel_testing::randomTokens(rows, s.vocabulary, 6);
    return {s, {tokens.data(), tokens.data() + rows}, exactValues<T>(s.vocabulary * s.width, 1),
        exactValues<T>(s.positions * s.width, 2), exactValues<T>(s.tokenTypes * s.width, 3),
        exactValues<T>(rows * s.width, 4)};
}

struct Tables {
    Doubles wte, wpe, wtt;
};

/// How often the commonest token stands in the batch.
Index mostOfOneToken(const Case& c)
{
    std::map<std::int32_t, Index> counts;
    Index most = 1;
    for (const std::int32_t token : c.tokens)
        most = std::max(most, ++counts[token]);
    return most;
}

/// Sum is the type that adds: with float the sums have the bits that the rows' order gives.
template <class Sum> Tables scattered(const Case& c)
{
    const EmbeddingShape& s = c.shape;
    const auto width = static_cast<std::size_t>(s.width), sequence = static_cast<std::size_t>(s.sequence);
    std::vector<Sum> tokens(c.wte.size()), positions(c.wpe.size()), types(c.wtt.size());
    for (std::size_t i = 0; i < c.dout.size(); ++i) {
        const auto value = static_cast<Sum>(c.dout[i]);
        const std::size_t row = i / width, column = i % width;
        tokens[static_cast<std::size_t>(c.tokens[row]) * width + column] += value;
        if (!positions.empty())
            positions[row % sequence * width + column] += value;
        if (!types.empty())
            types[column] += value;
    }
    const auto doubles = [](const std::vector<Sum>& sums) { return Doubles(sums.begin(), sums.end()); };
    return {doubles(tokens), doubles(positions), doubles(types)};
}

/// A table's gradient as the kernels want it: null when the model has no such table.
template <class T> T* orNull(Buffer<T>& table)
{
    return table.size() == 0 ? nullptr : static_cast<T*>(table);
}

template <class T> struct Backward {
    Buffer<T> dwte, dwpe, dwtt;

    explicit Backward(const Case& c)
        : dwte(static_cast<Index>(c.wte.size())),
          dwpe(static_cast<Index>(c.wpe.size())),
          dwtt(static_cast<Index>(c.wtt.size()))
    { }
    Backward(const Case& c, Store storeTokens, Store storeOthers) : Backward(c) { run(c, storeTokens, storeOthers); }
    void run(const Case& c, Store storeTokens, Store storeOthers)
    {
        Buffer<std::byte> workspace(embeddingBackwardWorkspaceBytes(c.shape));
        embeddingBackward<T>(c.shape, c.ids(), Buffer<T>(c.dout), dwte, storeTokens, orNull(dwpe), orNull(dwtt),
            storeOthers, workspace, nullptr);
    }
    bool sameBits(const Backward& other) const
    {
        return dwte.sameBits(other.dwte) && dwpe.sameBits(other.dwpe) && dwtt.sameBits(other.dwtt);
    }
};

// One of everything; widths around a warp's and odd; more positions than the sequence has; vocabularies of one, two and
// three digits; runs of equal tokens that cross the groups in which rows are sorted; many rows with a tail.
constexpr EmbeddingShape kShapes[]
    = {{1, 1, 1, 1, 1, 0}, {1, 31, 32, 5, 31, 1}, {3, 7, 33, 300, 9, 2}, {2, 33, 130, 11, 40, 0}, {5, 3, 31, 40, 0, 0},
        {2, 32, 3, 70001, 32, 1}, {4, 300, 5, 3, 300, 1}, {1, 70001, 1, 50257, 70001, 0}};

} // namespace

class CudaEmbeddingTest : public QObject {
    Q_OBJECT
private slots:
    void forwardMatchesLookup()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const EmbeddingShape& s : kShapes) {
                const Case c = makeCase<T>(s);
                Buffer<T> wpe(c.wpe), wtt(c.wtt), out(c.rows() * s.width);
                embeddingForward<T>(s, c.ids(), Buffer<T>(c.wte), orNull(wpe), orNull(wtt), out, nullptr);
                Doubles expected(c.dout.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const auto row = static_cast<Index>(i) / s.width, column = static_cast<Index>(i) % s.width;
                    const auto at = [&](const Doubles& table, Index tableRow) {
                        return table.empty() ? 0.0 : table[static_cast<std::size_t>(tableRow * s.width + column)];
                    };
                    expected[i] = at(c.wte, c.tokens[static_cast<std::size_t>(row)]) + at(c.wpe, row % s.sequence)
                        + at(c.wtt, 0);
                }
                // Two additions of numbers below 1 round by half an ulp of 2 each.
                VERIFY_WITHIN(errorInUlps(out, expected, 1.0), roundedFrom<T>(2.0));
            }
        });
    }

    void backwardMatchesScatteredSums()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const EmbeddingShape& s : kShapes) {
                const Case c = makeCase<T>(s);
                const Tables expected = scattered<double>(c);
                Backward<T> got(c, Store::Write, Store::Write);
                // A sum of n terms of random sign is of size sqrt(n), and right to a few ulps of that.
                const auto sizeOf = [](Index terms) { return std::sqrt(static_cast<double>(terms)); };
                const double ofTokens = sizeOf(mostOfOneToken(c)), ofPositions = sizeOf(s.batch),
                             ofTypes = sizeOf(c.rows());
                const double bound = roundedFrom<T>(8.0);
                VERIFY_WITHIN(errorInUlps(got.dwte, expected.wte, ofTokens), bound);
                VERIFY_WITHIN(errorInUlps(got.dwpe, expected.wpe, ofPositions), bound);
                VERIFY_WITHIN(errorInUlps(got.dwtt, expected.wtt, ofTypes), bound);

                // A tied head has put its gradient into the token table before; the others are added a second time.
                const Tables before{exactValues<T>(s.vocabulary * s.width, 5), got.dwpe.doubles(), got.dwtt.doubles()};
                got.dwte = Buffer<T>(before.wte);
                got.run(c, Store::Add, Store::Add);
                VERIFY_WITHIN(errorInUlps(got.dwte, increased(before.wte, expected.wte), ofTokens), bound);
                VERIFY_WITHIN(errorInUlps(got.dwpe, increased(before.wpe, expected.wpe), ofPositions), bound);
                VERIFY_WITHIN(errorInUlps(got.dwtt, increased(before.wtt, expected.wtt), ofTypes), bound);
            }
        });
    }

    void sumsFollowTheOrderOfTheTokens()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            for (const EmbeddingShape& s : {EmbeddingShape{4, 700, 5, 3, 700, 0}, {7, 300, 3, 301, 300, 0}}) {
                const Case c = makeCase<T>(s);
                const Tables expected = scattered<float>(c);
                const Backward<T> got(c, Store::Write, Store::Write);
                QVERIFY(got.dwte.sameBits(Buffer<T>(expected.wte)));
                QVERIFY(got.dwpe.sameBits(Buffer<T>(expected.wpe)));
            }
        });
    }

    void bitsDoNotDependOnTheOrder()
    {
        forStorageTypes([](auto type) {
            using T = decltype(type);
            const Case c = makeCase<T>({3, 400, 7, 300, 400, 2});
            QVERIFY(sameBitsInEveryOrder([&] { return Backward<T>(c, Store::Write, Store::Write); }));
        });
    }

    void workspaceIsBounded()
    {
        for (const Index sequence : {Index{1}, Index{1023}, Index{1025}, Index{1} << 30}) {
            EmbeddingShape s{1, sequence, 12288, 128256, sequence, 0};
            QVERIFY(embeddingBackwardWorkspaceBytes(s) <= 9 * sequence + 1024);
            s.tokenTypes = 2;
            QVERIFY(embeddingBackwardWorkspaceBytes(s) <= std::max(9 * sequence + 1024, 128 * s.width));
        }
    }
};

QTEST_APPLESS_MAIN(CudaEmbeddingTest)
#include "cuda_embedding_test.moc"
