// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/run/gpu_answer.h"

using namespace remat;

/// Status numbers are those of cudaError_t in CUDA 13.0 (driver_types.h); no machine that runs these tests has them
/// all.
class GpuAnswerTest : public QObject {
    Q_OBJECT

private slots:
    void theFirstThatIsNewEnoughIsUsed()
    {
        GpuAnswer answer{true, 0, "x", 13000, 13000, {}};
        answer.gpus = {{"old", "7.5", {1}, {1}}, {"new", "8.6", {1}, {1}}, {"newer", "9.0", {1}, {1}}};
        QCOMPARE(usableGpu(answer)->name, std::string("new"));
    }

    void everyStateHasItsReason_data()
    {
        QTest::addColumn<bool>("isBuiltIn");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("driver");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("without toolkit") << false << 0 << 0 << 0 << QByteArray("cuda-not-built-in") << QByteArray();
        QTest::newRow("without driver") << true << 35 << 0 << 0 << QByteArray("cuda-no-driver") << QByteArray();
        QTest::newRow("too old a driver")
            << true << 35 << 12040 << 0 << QByteArray("cuda-driver-too-old") << QByteArray("up to 12.4");
        QTest::newRow("driver but no device")
            << true << 100 << 13000 << 0 << QByteArray("cuda-no-device") << QByteArray();
        QTest::newRow("all devices hidden") << true << 0 << 13000 << 0 << QByteArray("cuda-no-device") << QByteArray();
        QTest::newRow("driver half updated")
            << true << 803 << 13000 << 0 << QByteArray("cuda-driver-mismatch") << QByteArray();
        QTest::newRow("compatibility libraries")
            << true << 804 << 12040 << 0 << QByteArray("cuda-compatibility-not-for-card") << QByteArray();
        QTest::newRow("another error") << true << 3 << 13000 << 0 << QByteArray("cuda-no-start")
                                       << QByteArray("error 3 (x)");
        QTest::newRow("too old a GPU") << true << 0 << 13000 << 2 << QByteArray("cuda-gpu-too-old")
                                       << QByteArray("capability 8.0");
        QTest::newRow("a GPU") << true << 0 << 13000 << 1 << QByteArray() << QByteArray();
    }
    void everyStateHasItsReason()
    {
        QFETCH(bool, isBuiltIn);
        QFETCH(int, status);
        QFETCH(int, driver);
        QFETCH(int, gpus);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, part);
        GpuAnswer answer{isBuiltIn, status, "x", driver, 13000, {}};
        for (int i = 0; i < gpus; ++i)
            answer.gpus.push_back({"x", code == "cuda-gpu-too-old" ? "7.5" : "9.0", {1}, {1}});
        // A run meets the same state, as an error with exit code 11.
        const Result<GpuFound> used = usableGpu(answer);
        QCOMPARE(static_cast<bool>(used), code.isEmpty());
        if (!used) {
            QCOMPARE(QByteArray(used.error().code->name.data(), static_cast<qsizetype>(used.error().code->name.size())),
                code);
            QCOMPARE(static_cast<int>(used.error().exitCode()), 11);
        }
        const std::optional<Message> reason = whyCudaIsOff(answer);
        QCOMPARE(reason.has_value(), !code.isEmpty());
        if (reason) {
            QCOMPARE(QByteArray(reason->code->name.data(), static_cast<qsizetype>(reason->code->name.size())), code);
            QVERIFY(QByteArray(englishText(*reason).c_str()).contains(part));
            QVERIFY(std::string(reason->code->remedy).size() > 10);
        }
        QCOMPARE(toJson(answer)["available"].get<bool>(), code.isEmpty());
    }

    void comesBackFromJson()
    {
        const GpuAnswer answer{true, 0, "cudaSuccess", 13010, 13000,
            {{"NVIDIA H200", "9.0", {150'000'000'000}, {149'000'000'000}}, {"NVIDIA T4", "7.5", {16}, {8}}}};
        const nlohmann::json json = toJson(answer);
        const JsonCursor at(json, "probe");
        QVERIFY(toJson(readGpuAnswer(at)) == json);
        QVERIFY(!at.failed());
    }
};

QTEST_GUILESS_MAIN(GpuAnswerTest)
#include "gpu_answer_test.moc"
