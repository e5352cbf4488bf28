// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <set>

#include "core/base/thread_pool.h"

using remat::ThreadPool;

class ThreadPoolTest : public QObject {
    Q_OBJECT
private slots:
    void runsEveryIndexOnce_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("count");
        for (int threads : {1, 2, 3, 5})
            for (int count : {0, 1, 2, 7, 1000})
                QTest::addRow("%d threads, %d pieces", threads, count) << threads << count;
    }
    void runsEveryIndexOnce()
    {
        QFETCH(int, threads);
        QFETCH(int, count);
        ThreadPool pool(threads);
        QCOMPARE(pool.threads(), threads);
        std::vector<int> runs(static_cast<std::size_t>(count), 0);
        std::atomic<bool> workersAreInRange = true;
        pool.parallelFor(count, [&](std::int64_t index, int worker) {
            ++runs[static_cast<std::size_t>(index)];
            if (worker < 0 || worker >= threads)
                workersAreInRange = false;
        });
        QCOMPARE(runs, std::vector<int>(static_cast<std::size_t>(count), 1));
        QVERIFY(workersAreInRange);
    }

    void oneWorkerIsOneThread()
    {
        // Scratch is addressed by worker, so two threads must never carry one number at a time.
        ThreadPool pool(3);
        std::array<std::atomic<int>, 3> inside{};
        std::atomic<bool> shared = false;
        for (int job = 0; job < 200; ++job)
            pool.parallelFor(16, [&](std::int64_t, int worker) {
                auto& count = inside[static_cast<std::size_t>(worker)];
                if (++count != 1)
                    shared = true;
                --count;
            });
        QVERIFY(!shared);
    }

    void callerIsWorkerZeroAndTakesPart()
    {
        ThreadPool pool(2);
        const auto caller = std::this_thread::get_id();
        std::atomic<bool> zeroIsCaller = true;
        for (int job = 0; job < 100; ++job)
            pool.parallelFor(8, [&](std::int64_t, int worker) {
                if ((worker == 0) != (std::this_thread::get_id() == caller))
                    zeroIsCaller = false;
            });
        QVERIFY(zeroIsCaller);
    }

    void otherThreadsHelp()
    {
        // The first piece waits until another has begun, which only a second thread can do.
        ThreadPool pool(2);
        std::atomic<int> begun = 0;
        pool.parallelFor(2, [&](std::int64_t, int) {
            ++begun;
            for (int i = 0; i < 10000 && begun < 2; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        QCOMPARE(begun.load(), 2);
    }

    void manyShortJobsInARowLoseNothing()
    {
        ThreadPool pool(3);
        std::int64_t sum = 0;
        for (int job = 0; job < 20000; ++job) {
            std::atomic<std::int64_t> part = 0;
            pool.parallelFor(3, [&](std::int64_t index, int) { part += index + 1; });
            sum += part;
        }
        QCOMPARE(sum, std::int64_t{20000 * 6});
    }

    /// A piece that finds no memory ends nothing but its job; all others run, and the pool goes on.
    void whatAPieceThrowsIsThrownAgain()
    {
        for (const int threads : {1, 2, 3}) {
            ThreadPool pool(threads);
            for (int job = 0; job < 200; ++job) {
                std::atomic<int> pieces = 0;
                std::int64_t thrown = -1;
                try {
                    pool.parallelFor(50, [&](std::int64_t index, int) {
                        ++pieces;
                        if (index % 20 == 7)
                            throw index;
                    });
                } catch (const std::int64_t index) {
                    thrown = index;
                }
                QCOMPARE(thrown, std::int64_t{7});
                // One thread alone has nobody to wait for.
                QCOMPARE(pieces.load(), threads > 1 ? 50 : 8);
            }
            std::atomic<int> pieces = 0;
            pool.parallelFor(50, [&](std::int64_t, int) { ++pieces; });
            QCOMPARE(pieces.load(), 50);
        }
    }

    void sleepingThreadsWakeForALaterJob()
    {
        ThreadPool pool(2);
        for (int job = 0; job < 5; ++job) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            std::atomic<int> pieces = 0;
            pool.parallelFor(50, [&](std::int64_t, int) { ++pieces; });
            QCOMPARE(pieces.load(), 50);
        }
    }
};

QTEST_APPLESS_MAIN(ThreadPoolTest)
#include "thread_pool_test.moc"
