// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <cstdlib>

#include "core/cost/devices.h"
#include "core/cost/roofline.h"

using namespace remat;

namespace {

/// Round numbers, so that every expected time below is worked out by hand.
Device simpleDevice()
{
    Device device;
    device.peak.fp32 = 2e12;
    device.bytesPerSecond = 1e11;
    device.efficiencyOf(OpClass::Gemm) = {0.5, 1.0};
    device.efficiencyOf(OpClass::Dropout) = {1.0, 0.25};
    device.efficiencyOf(OpClass::Embedding) = {1.0, 0.5, Nanoseconds{7}};
    device.launchOverhead = {100};
    return device;
}

} // namespace

class RooflineTest : public QObject {
    Q_OBJECT
private slots:
    /// By hand: Gemm computes at 1e12 FLOP/s = 1000 FLOP/ns, memory moves 100 B/ns, Dropout's 25 B/ns.
    void timesAreThoseComputedByHand_data()
    {
        QTest::addColumn<int>("opClass");
        QTest::addColumn<qint64>("flops");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("expected");
        const auto row = [](const char* name, OpClass opClass, qint64 flops, qint64 bytes, qint64 expected) {
            QTest::newRow(name) << int(opClass) << flops << bytes << expected;
        };
        row("compute bound", OpClass::Gemm, 5'000'000, 100'000, 5000 + 100);
        row("memory bound", OpClass::Gemm, 5'000'000, 1'000'000, 10'000 + 100);
        row("ridge", OpClass::Gemm, 1'000'000, 100'000, 1000 + 100);
        row("full efficiency", OpClass::Reduction, 5'000'000, 0, 2500 + 100);
        row("share of the bandwidth", OpClass::Dropout, 0, 1000, 40 + 100);
        row("rounds down", OpClass::Elementwise, 0, 149, 1 + 100);
        row("half rounds up", OpClass::Elementwise, 0, 150, 2 + 100);
        row("one byte", OpClass::Elementwise, 0, 1, 0 + 100);
        row("overhead of the class", OpClass::Embedding, 0, 1000, 20 + 7);
        row("nothing launches nothing", OpClass::Elementwise, 0, 0, 0);
        row("largest stays in bounds", OpClass::Dropout, 0, qint64(1) << 61, (qint64(1) << 61) / 25 + 100);
    }
    void timesAreThoseComputedByHand()
    {
        QFETCH(int, opClass);
        QFETCH(qint64, flops);
        QFETCH(qint64, bytes);
        QFETCH(qint64, expected);
        const Nanoseconds time = opTime(simpleDevice(), static_cast<OpClass>(opClass), {flops}, {bytes});
        // Beyond 2^53 a double holds no single nanoseconds.
        const qint64 tolerance = expected > (qint64(1) << 53) ? 64 : 0;
        QVERIFY2(std::abs(qint64(time.value) - expected) <= tolerance, std::to_string(time.value).c_str());
    }

    void slowestRatesSaturateInsteadOfOverflowing()
    {
        Device device = simpleDevice();
        device.bytesPerSecond = 1e8;
        QCOMPARE(opTime(device, OpClass::Gemm, {0}, {kMaxQuantity}).value, kMaxQuantity);
    }

    /// V100: the GEMM 8192^3 in fp32 is 2 * 8192^3 = 1.0995e12 FLOP; at 0.75 * 15.7e12 a second 93.376784 ms.
    void largeGemmOnAV100()
    {
        const Device v100 = *devices().find("v100-16");
        const Flops flops{2LL * 8192 * 8192 * 8192};
        QCOMPARE(opTime(v100, OpClass::Gemm, flops, {3LL * 8192 * 8192 * 4}).value, std::int64_t{93'376'784 + 4000});
    }

    /// Counted from the update rules: SGD reads w and g and writes w; AdamW (Loshchilov and Hutter 2019) reads w, g, m
    /// and v and writes w, m and v.
    void optimizersMoveTheirState()
    {
        QCOMPARE(optimizerTraffic(OptimizerKind::None, {100}, {0}), Bytes{0});
        QCOMPARE(optimizerTraffic(OptimizerKind::Sgd, {100}, {0}), Bytes{2 * 100 + 100});
        QCOMPARE(optimizerTraffic(OptimizerKind::AdamW, {100}, {200}), Bytes{4 * 100 + 3 * 100});
    }

    void everyOpHasItsClass()
    {
        QCOMPARE(classOf(OpKind::Linear), OpClass::Gemm);
        QCOMPARE(classOf(OpKind::ChunkedHead), OpClass::Gemm);
        QCOMPARE(classOf(OpKind::Attention), OpClass::Attention);
        QCOMPARE(classOf(OpKind::AttentionProbs), OpClass::StoredAttention);
        QCOMPARE(classOf(OpKind::AttentionContext), OpClass::StoredAttention);
        QCOMPARE(classOf(OpKind::LayerNorm), OpClass::Reduction);
        QCOMPARE(classOf(OpKind::Activation), OpClass::Activation);
        QCOMPARE(classOf(OpKind::Dropout), OpClass::Dropout);
        QCOMPARE(classOf(OpKind::Add), OpClass::Elementwise);
        QCOMPARE(classOf(OpKind::Embedding), OpClass::Embedding);
        QCOMPARE(classOf(OpKind::CrossEntropy), OpClass::CrossEntropy);
    }
};

QTEST_APPLESS_MAIN(RooflineTest)
#include "roofline_test.moc"
