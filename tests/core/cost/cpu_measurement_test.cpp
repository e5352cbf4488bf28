// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/cost/cpu_measurement.h"
#include "core/cost/device_json.h"
#include "core/cost/devices.h"
#include "core/cost/roofline.h"

using namespace remat;
using namespace remat::literals;

namespace {

/// What `remat profile` adds to a measurement.
CpuMeasurement profiled(CpuMeasurement measurement)
{
    measurement.rateOf(OpClass::Gemm).overhead = Nanoseconds{1500};
    measurement.step = "gpt2, 1 x 256 tokens";
    measurement.ops = {{OpKind::Linear, {.rows = 256, .in = 768, .out = 3072}, ElementType::Fp32, {7000}, {15'000}}};
    return measurement;
}

CpuMeasurement twoThreads()
{
    CpuMeasurement measurement;
    measurement.processor = "Example CPU 2.5 GHz";
    measurement.threads = 2;
    measurement.kernels = "x86-64-v4";
    measurement.rateOf(OpClass::Gemm) = {2e11, 0};
    measurement.rateOf(OpClass::Attention) = {5e10, 0};
    measurement.rateOf(OpClass::Elementwise) = {0, 2e10};
    measurement.rateOf(OpClass::Activation) = {0, 2e9};
    measurement.launchOverhead = {300};
    return measurement;
}

} // namespace

class CpuMeasurementTest : public QObject {
    Q_OBJECT
private slots:
    /// By hand from the rates of twoThreads(): an op takes work / measured rate, plus 300 ns.
    void measuredRatesComeBackAsTimes()
    {
        const Device cpu = cpuDevice(twoThreads(), 8_GiB);
        QCOMPARE(opTime(cpu, OpClass::Gemm, {2'000'000}, {0}), Nanoseconds{10'000 + 300});
        QCOMPARE(opTime(cpu, OpClass::Attention, {2'000'000}, {0}), Nanoseconds{40'000 + 300});
        QCOMPARE(opTime(cpu, OpClass::Elementwise, {0}, {2'000'000}), Nanoseconds{100'000 + 300});
        QCOMPARE(opTime(cpu, OpClass::Activation, {0}, {2'000'000}), Nanoseconds{1'000'000 + 300});
        QCOMPARE(opTime(cpu, OpClass::Reduction, {0}, {2'000'000}), Nanoseconds{100'000 + 300}); // not measured
    }

    /// By hand: 10 us of work at 2e11 FLOP/s and 1500 ns of the class's own overhead; the others launch in 300 ns.
    void aProfileBringsOverheadsAndOps()
    {
        const Device cpu = cpuDevice(profiled(twoThreads()), 8_GiB);
        QCOMPARE(opTime(cpu, OpClass::Gemm, {2'000'000}, {0}), Nanoseconds{10'000 + 1500});
        QCOMPARE(opTime(cpu, OpClass::Attention, {2'000'000}, {0}), Nanoseconds{40'000 + 300});
        QCOMPARE(cpu.measuredOps, profiled(twoThreads()).ops);
        QVERIFY2(cpu.source.find("gpt2, 1 x 256 tokens") != std::string::npos, cpu.source.c_str());
        QCOMPARE(cpu.title, cpuDevice(twoThreads(), 8_GiB).title);
        const Result<Device> read = parseDeviceFile(deviceFileText(cpu), "plan.json");
        QVERIFY(read);
        QCOMPARE(*read, cpu);
    }

    void deviceIsThisCpu()
    {
        const Device cpu = cpuDevice(twoThreads(), 8_GiB);
        QCOMPARE(cpu.name, std::string("cpu"));
        QVERIFY(cpu.kind == DeviceKind::Cpu);
        QCOMPARE(cpu.memory, 8_GiB);
        QCOMPARE(cpu.granule, 64_B);
        QCOMPARE(cpu.context, 0_B);
        QCOMPARE(cpu.threads, std::int64_t{2});
        QCOMPARE(*parseDeviceFile(deviceFileText(cpu), "plan.json"), cpu);
        DeviceCatalog catalog = devices();
        QVERIFY(!catalog.find("cpu"));
        catalog.add(cpu);
        QCOMPARE(*catalog.find("cpu"), cpu);
    }

    /// An instrumented build can be slower than anything that is described; its device file must still be readable.
    void slowMeasurementsStayWithinBounds()
    {
        CpuMeasurement slow = twoThreads();
        slow.rateOf(OpClass::CrossEntropy) = {10, 10};
        const Device cpu = cpuDevice(slow, 8_GiB);
        QVERIFY(parseDeviceFile(deviceFileText(cpu), "plan.json"));
        const Device unmeasured = cpuDevice({}, 8_GiB);
        QVERIFY(parseDeviceFile(deviceFileText(unmeasured), "plan.json"));
    }

    /// (1e8 / peak) * peak is not 1e8 at every peak: the share is then the next one above.
    void slowestRatesRoundUp()
    {
        int rounded = 0;
        for (int i = 1; i <= 200; ++i) {
            const double peak = 1e11 + 7e8 * i;
            rounded += (1e8 / peak) * peak < 1e8;
            CpuMeasurement slow = twoThreads();
            slow.rateOf(OpClass::Gemm) = {peak, 0};
            slow.rateOf(OpClass::Elementwise) = {0, peak};
            slow.rateOf(OpClass::Attention) = {10, 0};
            slow.rateOf(OpClass::CrossEntropy) = {0, 10};
            const Device cpu = cpuDevice(slow, 8_GiB);
            const Result<Device> read = parseDeviceFile(deviceFileText(cpu), "plan.json");
            QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
            QCOMPARE(*read, cpu);
            // 1e8 FLOPs at 1e8 a second, and the launch: a second and 300 ns.
            QVERIFY(std::abs(opTime(cpu, OpClass::Attention, {100'000'000}, {0}).value - 1'000'000'300) <= 1);
        }
        QVERIFY(rounded > 0);
    }

    void costsSurviveTheirFile()
    {
        QTemporaryDir folder;
        const std::string path = thisCpuCostsPath((folder.path() + "/not/yet/there").toStdString());
        QVERIFY(!readCosts(path));
        QVERIFY(writeCosts(path, twoThreads()));
        const Result<CpuMeasurement> read = readCosts(path);
        QVERIFY(read);
        QCOMPARE(*read, twoThreads());
        QVERIFY(writeCosts(path, profiled(twoThreads())));
        QCOMPARE(readCosts(path).value(), profiled(twoThreads()));
    }

    void badCostsNameTheKey_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("where");
        QTest::newRow("threads") << "\"threads\": 2"
                                 << "\"threads\": 0"
                                 << "threads";
        QTest::newRow("rate") << "\"flops_per_second\": 200000000000.0"
                              << "\"flops_per_second\": -1"
                              << "rates.gemm.flops_per_second";
        QTest::newRow("device") << "\"device\": \"cpu\""
                                << "\"device\": \"t4\""
                                << "device";
        QTest::newRow("overhead") << "\"launch_overhead_ns\": 300"
                                  << "\"launch_overhead_ns\": -1"
                                  << "launch_overhead_ns";
        QTest::newRow("overhead of a class") << "\"overhead_ns\": 1500"
                                             << "\"overhead_ns\": 1000001"
                                             << "rates.gemm.overhead_ns";
        QTest::newRow("op") << "\"kind\": \"linear\""
                            << "\"kind\": \"matmul\""
                            << "ops[0].kind";
        QTest::newRow("class") << "\"gemm\""
                               << "\"gem\""
                               << "rates";
        QTest::newRow("key of an op") << "\"rows\""
                                      << "\"row\""
                                      << "ops[0]";
        QTest::newRow("control character of a processor") << "Example CPU"
                                                          << "Example\\u001bCPU"
                                                          << "processor";
        QTest::newRow("control character of the kernels") << "x86-64-v4"
                                                          << "x86\\u001bv4"
                                                          << "kernels";
        QTest::newRow("control character of a step") << "gpt2, 1"
                                                     << "gpt2,\\n1"
                                                     << "step";
        QTest::newRow("step") << "gpt2, 1 x 256 tokens" << QString(401, 'x') << "step";
        QTest::newRow("no step") << "\"step\""
                                 << "\"stop\""
                                 << "step";
    }
    void badCostsNameTheKey()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, where);
        QString text = QString::fromStdString(costsFileText(profiled(twoThreads())));
        QVERIFY(text.contains(from));
        const Result<CpuMeasurement> read = parseCostsFile(text.replace(from, to).toStdString(), "costs.json");
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().where), "costs.json: " + where);
    }
};

QTEST_APPLESS_MAIN(CpuMeasurementTest)
#include "cpu_measurement_test.moc"
