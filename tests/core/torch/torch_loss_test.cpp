// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <cmath>

#include "core/torch/torch_step.h"

using namespace remat;
using namespace remat::torch;

/// Bytes per logit of the language model loss, where the head is nearly all there is.  Expected: measured with PyTorch
/// and noted with the published GPU figures (bf16 and fp32 models, the current loss and the older one that copies
/// shifted logits).
class TorchLossTest : public QObject {
    Q_OBJECT

private slots:
    void bytesPerLogit_data();
    void bytesPerLogit();
};

void TorchLossTest::bytesPerLogit_data()
{
    QTest::addColumn<bool>("isHalf");
    QTest::addColumn<bool>("hasOldShift");
    QTest::addColumn<bool>("keepsOutputs");
    QTest::addColumn<double>("forward");
    QTest::addColumn<double>("peak");
    QTest::newRow("bf16, kept") << true << false << true << 10.0 << 14.0;
    QTest::newRow("bf16, dropped") << true << false << false << 10.0 << 12.0;
    QTest::newRow("bf16, older") << true << true << true << 12.0 << 16.0;
    QTest::newRow("fp32, kept") << false << false << true << 8.0 << 16.0;
    QTest::newRow("fp32, older") << false << true << true << 12.0 << 16.0;
}

void TorchLossTest::bytesPerLogit()
{
    QFETCH(bool, isHalf);
    QFETCH(bool, hasOldShift);
    QFETCH(bool, keepsOutputs);
    QFETCH(double, forward);
    QFETCH(double, peak);
    ModelShape shape;
    shape.modelType = "gpt2";
    shape.layers = 1;
    shape.hidden = shape.ffn = 64;
    shape.heads = 4;
    shape.vocabulary = 100000;
    shape.maxPositions = 1024;
    shape.hasFusedQkv = true;
    shape.hasInOutWeights = true;
    TorchSetup setup;
    setup.batch = 8;
    setup.sequence = 1024;
    setup.precision = isHalf ? TorchPrecision::Half : TorchPrecision::Fp32;
    setup.hasOldLossShift = hasOldShift;
    setup.keepsOutputs = keepsOutputs;
    const TorchStep step = simulateTorchStep(shape, setup);
    const double logits = 8.0 * 1024 * 100000;
    const auto perLogit = [&](Bytes bytes) { return static_cast<double>((bytes - step.base).value) / logits; };
    QVERIFY2(
        std::abs(perLogit(step.forwardPeak) - forward) < 0.05, qPrintable(QString::number(perLogit(step.forwardPeak))));
    QVERIFY2(std::abs(perLogit(step.peak.bytes) - peak) < 0.05, qPrintable(QString::number(perLogit(step.peak.bytes))));
}

QTEST_APPLESS_MAIN(TorchLossTest)
#include "torch_loss_test.moc"
