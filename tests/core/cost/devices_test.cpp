// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/cost/device_json.h"
#include "core/cost/devices.h"

using namespace remat;

namespace {

std::string changed(const char* key, const std::string& value)
{
    nlohmann::json json = nlohmann::json::parse(deviceFileText(*devices().find("a100-80")));
    if (value.empty())
        json.erase(key);
    else
        json[key] = nlohmann::json::parse(value);
    return json.dump();
}

} // namespace

class DevicesTest : public QObject {
    Q_OBJECT
private slots:
    /// NVIDIA's data sheets (dense rates) and what PyTorch's out-of-memory texts print as the total.
    void builtInDevicesHavePublishedFigures_data()
    {
        QTest::addColumn<double>("fp32");
        QTest::addColumn<double>("half");
        QTest::addColumn<double>("gigabytesPerSecond");
        QTest::addColumn<double>("gibibytes");
        QTest::newRow("a100-80") << 19.5 << 312.0 << 2039.0 << 79.3;
        QTest::newRow("a100-40") << 19.5 << 312.0 << 1555.0 << 40e9 / 1073741824;
        QTest::newRow("h100-sxm") << 66.9 << 989.4 << 3350.0 << 79.3;
        QTest::newRow("h200") << 66.9 << 989.4 << 4800.0 << 141e9 / 1073741824;
        QTest::newRow("b200") << 75.0 << 2250.0 << 7700.0 << 179e9 / 1073741824;
        QTest::newRow("l40s") << 91.6 << 362.0 << 864.0 << 48e9 / 1073741824;
        QTest::newRow("rtx-4090") << 82.6 << 165.2 << 1008.0 << 23.65;
        QTest::newRow("rtx-3090") << 35.6 << 71.0 << 936.0 << 23.70;
        QTest::newRow("rtx-5090") << 104.8 << 209.5 << 1792.0 << 32e9 / 1073741824;
        QTest::newRow("v100-16") << 15.7 << 125.0 << 900.0 << 16160.0 / 1024;
        QTest::newRow("v100-32") << 15.7 << 125.0 << 900.0 << 31.74;
        QTest::newRow("t4") << 8.1 << 65.0 << 320.0 << 14.73;
        QTest::newRow("l4") << 30.3 << 121.0 << 300.0 << 24e9 / 1073741824;
        QTest::newRow("a10") << 31.2 << 125.0 << 600.0 << 24e9 / 1073741824;
    }
    void builtInDevicesHavePublishedFigures()
    {
        QFETCH(double, fp32);
        QFETCH(double, half);
        QFETCH(double, gigabytesPerSecond);
        QFETCH(double, gibibytes);
        const Result<Device> device = devices().find(QTest::currentDataTag());
        QVERIFY(device);
        QCOMPARE(device->peak.fp32, fp32 * 1e12);
        QCOMPARE(device->peak.fp16, half * 1e12);
        QCOMPARE(device->bytesPerSecond, gigabytesPerSecond * 1e9);
        QVERIFY(std::abs(double(device->memory.value) / 1073741824 - gibibytes) < 1e-6);
        QCOMPARE(device->granule, Bytes{512});
        QVERIFY(device->kind == DeviceKind::Cuda);
        QVERIFY(!device->source.empty());
        const bool hasBf16 = !device->name.starts_with("v100") && device->name != "t4";
        QCOMPARE(device->peak.bf16, hasBf16 ? half * 1e12 : 0.0);
    }

    void nothingElseIsBuiltIn()
    {
        QCOMPARE(devices().devices().size(), std::size_t{14});
        QVERIFY(devices().problems().empty());
    }

    void deviceSurvivesItsFile()
    {
        for (const Device& device : devices().devices()) {
            const Result<Device> read = parseDeviceFile(deviceFileText(device), "device.json");
            QVERIFY(read);
            QCOMPARE(*read, device);
        }
    }

    void unknownNameListsTheKnown()
    {
        const Result<Device> device = devices().find("h100");
        QVERIFY(!device);
        QCOMPARE(device.error().exitCode(), ExitCode::Usage);
        const std::string remedy = englishRemedy(device.error());
        QVERIFY2(remedy.find("Did you mean h100-sxm") != std::string::npos, remedy.c_str());
        QVERIFY(remedy.find("rtx-3090") != std::string::npos && remedy.find("t4") != std::string::npos);
    }

    void filesOfThePersonOverrideAndBreakNothing()
    {
        QTemporaryDir folder;
        QVERIFY(QDir().mkpath(folder.path() + "/devices"));
        const auto write = [&](const char* name, const std::string& text) {
            std::ofstream((folder.path() + "/devices/" + name).toStdString()) << text;
        };
        write("t4.json", changed("name", "\"t4\""));
        write("l4.json", "{");
        const DeviceCatalog catalog = devices(folder.path().toStdString());
        QCOMPARE(catalog.find("t4")->title, std::string("NVIDIA A100 80 GB (SXM)"));
        QCOMPARE(catalog.devices().size(), devices().devices().size());
        QCOMPARE(catalog.problems().size(), std::size_t{1});
        QCOMPARE(catalog.find("l4").error().exitCode(), ExitCode::BadInput);
        QVERIFY(catalog.find("a10"));
    }

    void badDeviceFilesNameTheKey_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        QTest::newRow("kind") << "kind"
                              << "\"tpu\""
                              << "kind";
        QTest::newRow("memory 0") << "memory_bytes"
                                  << "0"
                                  << "memory_bytes";
        QTest::newRow("memory missing") << "memory_bytes"
                                        << ""
                                        << "memory_bytes";
        QTest::newRow("no fp32") << "peak_flops_per_second"
                                 << "{\"bf16\": 1e14}"
                                 << "peak_flops_per_second.fp32";
        QTest::newRow("slow") << "peak_flops_per_second"
                              << "{\"fp32\": 19.5}"
                              << "peak_flops_per_second.fp32";
        QTest::newRow("bandwidth") << "bytes_per_second"
                                   << "-1"
                                   << "bytes_per_second";
        QTest::newRow("share") << "efficiency"
                               << "{\"gemm\": {\"compute\": 75}}"
                               << "efficiency.gemm.compute";
        QTest::newRow("share 0") << "efficiency"
                                 << "{\"gemm\": {\"compute\": 0}}"
                                 << "efficiency.gemm.compute";
        QTest::newRow("tiny share") << "efficiency"
                                    << "{\"gemm\": {\"bandwidth\": 1e-9}}"
                                    << "efficiency.gemm";
        QTest::newRow("op class") << "efficiency"
                                  << "{\"matmul\": {}}"
                                  << "efficiency";
        QTest::newRow("overhead") << "efficiency"
                                  << "{\"gemm\": {\"overhead_ns\": -1}}"
                                  << "efficiency.gemm.overhead_ns";
        QTest::newRow("measured op") << "measured_ops"
                                     << "[{\"kind\": \"linear\"}]"
                                     << "measured_ops[0].storage";
        QTest::newRow("granule") << "granule_bytes"
                                 << "500"
                                 << "granule_bytes";
        QTest::newRow("launch") << "launch_overhead_ns"
                                << "1000001"
                                << "launch_overhead_ns";
        QTest::newRow("line break in a name") << "name"
                                              << "\"a100\\n80\""
                                              << "name";
        QTest::newRow("escape in a title") << "title"
                                           << "\"\\u001b[31mA100\""
                                           << "title";
        QTest::newRow("C1 in a source") << "source"
                                        << "\"data \\u0085 sheet\""
                                        << "source";
        QTest::newRow("title") << "title" << QString("\"%1\"").arg(QString(10'000'000, 'x')) << "title";
    }
    void badDeviceFilesNameTheKey()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, where);
        const Result<Device> device
            = parseDeviceFile(changed(key.toStdString().c_str(), value.toStdString()), "device.json");
        QVERIFY(!device);
        QCOMPARE(QString::fromStdString(device.error().where), "device.json: " + where);
        QCOMPARE(device.error().exitCode(), ExitCode::BadInput);
        QVERIFY(englishSentence(device.error()).size() < 500);
    }
};

QTEST_APPLESS_MAIN(DevicesTest)
#include "devices_test.moc"
