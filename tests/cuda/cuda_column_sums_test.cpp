// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Expected values: sums in double.
#include "tests/cuda/cuda_testing.h"

using namespace cuda_testing;

namespace {

struct Case {
    RowsShape shape;
    Doubles matrix, sums;
};

template <class T> Case makeCase(Index rows, Index width)
{
    Case made{{rows, width}, exactValues<T>(rows * width, 1), Doubles(static_cast<std::size_t>(width), 0.0)};
    for (std::size_t i = 0; i < made.matrix.size(); ++i)
        made.sums[i % made.sums.size()] += made.matrix[i];
    return made;
}

/// Exactly as large as the function says, so that the address sanitizer sees a kernel that wants more.
Buffer<float> workspaceFor(const RowsShape& shape)
{
    return Buffer<float>(columnSumsWorkspaceBytes(shape) / static_cast<Index>(sizeof(float)));
}

/// Sums of N numbers below 1 in float: a thread adds at most N/256 + 1 of them, then 8 and then 32 such sums follow;
/// every addition rounds by at most 2^-24 of a partial sum, and these stay below 4 sqrt(N) here.
double sumError(Index rows)
{
    const auto n = static_cast<double>(rows);
    return (n / 256.0 + 1.0 + 8.0 + 32.0) * 4.0 * std::sqrt(n) * 0x1p-24;
}

template <class T> double bound(double sum, Index rows)
{
    return sumError(rows) + (std::is_same_v<T, bf16> ? 0.5 * ulp<bf16>(std::abs(sum) + sumError(rows)) : 0.0);
}

} // namespace

class CudaColumnSumsTest : public QObject {
    Q_OBJECT
private slots:
    void sumsMatchDouble()
    {
        const std::pair<Index, Index> shapes[]
            = {{1, 1}, {1, 33}, {7, 31}, {8, 32}, {9, 1000}, {31, 64}, {257, 5}, {1000, 40}, {3001, 31}, {2, 70001}};
        forStorageTypes([&](auto type) {
            using T = decltype(type);
            for (const auto& [rows, width] : shapes) {
                const Case given = makeCase<T>(rows, width);
                const Buffer<T> matrix(given.matrix);
                const Doubles before = exactValues<T>(width, 2);
                Buffer<T> sums(width), added(before);
                Buffer<float> workspace = workspaceFor(given.shape);
                columnSums<T>(given.shape, matrix, sums, Store::Write, workspace, nullptr);
                workspace = workspaceFor(given.shape);
                columnSums<T>(given.shape, matrix, added, Store::Add, workspace, nullptr);
                const Doubles written = sums.doubles(), increased = added.doubles();
                for (std::size_t i = 0; i < before.size(); ++i) {
                    const double sum = given.sums[i], total = sum + before[i];
                    VERIFY_WITHIN(std::abs(written[i] - sum), bound<T>(sum, rows));
                    VERIFY_WITHIN(std::abs(increased[i] - total), bound<T>(total, rows) + 0x1p-24 * std::abs(total));
                }
            }
        });
    }

    void workspaceIsBounded()
    {
        for (const Index rows : {Index{1}, Index{255}, Index{257}, Index{4096}, Index{1} << 40})
            QVERIFY(columnSumsWorkspaceBytes({rows, 12288}) <= 128 * Index{12288});
        // A model of 13 billion parameters: more elements than 32 bits count.
        QCOMPARE(columnSumsWorkspaceBytes({Index{1} << 20, 20480}), 32 * Index{20480} * 4);
    }

    void bitsDoNotDependOnTheOrder()
    {
        const Case given = makeCase<float>(1003, 45);
        const Buffer<float> matrix(given.matrix);
        QVERIFY(sameBitsInEveryOrder([&] {
            Buffer<float> sums(given.shape.width), workspace = workspaceFor(given.shape);
            columnSums<float>(given.shape, matrix, sums, Store::Write, workspace, nullptr);
            return sums;
        }));
    }
};

QTEST_APPLESS_MAIN(CudaColumnSumsTest)
#include "cuda_column_sums_test.moc"
