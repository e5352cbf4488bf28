// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <chrono>

#include "core/run/cpu_calibration.h"
#include "core/run/kernels/kernels.h"
#include "core/run/op_clock.h"
#include "core/run/this_machine.h"

using namespace remat;

class CpuCalibrationTest : public QObject {
    Q_OBJECT

private slots:
    /// Bounds of any computer that runs this: 0.1 GFLOP/s (an emulated core) to 100 TFLOP/s, 10 MB/s to 10 TB/s.
    void everyClassIsMeasured()
    {
        const CpuMeasurement measured = measureCpu(1);
        QCOMPARE(measured.threads, std::int64_t{1});
        QCOMPARE(measured.processor, processorName());
        QCOMPARE(measured.kernels, std::string(kernels::bestCpuKernels().name()));
        QVERIFY(measured.launchOverhead > Nanoseconds{0});
        for (std::size_t i = 0; i < kOpClassCount; ++i) {
            const MeasuredRate& rate = measured.rates[i];
            const std::string name(toName(static_cast<OpClass>(i)));
            QVERIFY2(rate.flopsPerSecond > 0 || rate.bytesPerSecond > 0, name.c_str());
            QVERIFY2(
                rate.flopsPerSecond == 0 || (rate.flopsPerSecond > 1e8 && rate.flopsPerSecond < 1e14), name.c_str());
            QVERIFY2(
                rate.bytesPerSecond == 0 || (rate.bytesPerSecond > 1e7 && rate.bytesPerSecond < 1e13), name.c_str());
        }
    }

    void measuredOnceForAProcessorAndThreads()
    {
        const QTemporaryDir folder;
        const std::string cache = folder.filePath("cache").toStdString();
        int measured = 0;
        const auto measure = [&](int threads) {
            CpuMeasurement result;
            result.processor = processorName();
            result.threads = threads;
            result.kernels = kernels::bestCpuKernels().name();
            result.launchOverhead = Nanoseconds{++measured};
            return result;
        };
        const CpuMeasurement first = thisCpu(cache, 1, measure);
        QCOMPARE(thisCpu(cache, 1, measure), first);
        QCOMPARE(measured, 1);
        QCOMPARE(thisCpu(cache, 2, measure).threads, std::int64_t{2});
        QCOMPARE(measured, 2);
        QCOMPARE(thisCpu(cache, 1, measure), first); // two threads have a file of their own
        QCOMPARE(measured, 2);
        CpuMeasurement other = first;
        other.processor = "Another CPU";
        for (const int named : {0, 1}) // whether one thread is all that this machine has or not
            QVERIFY(writeCosts(thisCpuCostsPath(cache, named), other));
        QCOMPARE(thisCpu(cache, 1, measure).processor, processorName());
        QCOMPARE(measured, 3);
        // What kernels of another instruction set took says nothing here; nor does a file that names none.
        for (const char* kernels : {"x86-64-v0", ""}) {
            other = first;
            other.kernels = kernels;
            for (const int named : {0, 1})
                QVERIFY(writeCosts(thisCpuCostsPath(cache, named), other));
            QCOMPARE(thisCpu(cache, 1, measure).kernels, first.kernels);
        }
        QCOMPARE(measured, 5);
    }

    /// The window writes the file that names no number, for all threads; another number leaves it alone.
    void allThreadsHaveTheFileWithoutANumber()
    {
        const QTemporaryDir folder;
        const std::string cache = folder.path().toStdString();
        const auto measure = [](int threads) {
            CpuMeasurement result;
            result.processor = processorName();
            result.threads = threads;
            result.kernels = kernels::bestCpuKernels().name();
            return result;
        };
        const int all = usableThreads();
        thisCpu(cache, all + 1, measure);
        thisCpu(cache, 0, measure);
        QCOMPARE(readCosts(cache + "/this-cpu.costs.json").value().threads, std::int64_t{all});
        const std::string own = cache + "/this-cpu-" + std::to_string(all + 1) + "-threads.costs.json";
        QCOMPARE(readCosts(own).value().threads, std::int64_t{all + 1});
    }

    void quotaInWholeCores_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("cores");
        // docs.kernel.org, cgroup-v2: "$MAX $PERIOD", max for no limit.
        QTest::newRow("none") << "max 100000" << 0;
        QTest::newRow("one and a half") << "150000 100000" << 2;
        QTest::newRow("four") << "400000 100000" << 4;
        QTest::newRow("a tenth") << "10000 100000" << 1;
        QTest::newRow("absurd") << "9000000000000 1" << 64;
        QTest::newRow("empty") << "" << 0;
        QTest::newRow("broken") << "100000" << 0;
        QTest::newRow("no period") << "100000 0" << 0;
    }

    void quotaInWholeCores()
    {
        QFETCH(QString, text);
        QFETCH(int, cores);
        QCOMPARE(coresOfQuota(text.toStdString()), cores);
    }

    void threadsAreWithinReason() { QVERIFY(usableThreads() >= 1 && usableThreads() <= 64); }
};

QTEST_APPLESS_MAIN(CpuCalibrationTest)
#include "cpu_calibration_test.moc"
