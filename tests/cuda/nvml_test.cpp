// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "cuda/machine/nvml.h"

using namespace remat;
using remat::cuda::Nvml;

/// The driver's figures, read from a library that stands in for the driver's (fake_nvml.cpp).
class NvmlTest : public QObject {
    Q_OBJECT

private slots:
    void ourProcessIsFoundAmongOthers()
    {
        const Nvml nvml(REMAT_FAKE_NVML);
        QCOMPARE(nvml.memoryOfThisProcess("0000:01:00.0"), std::optional(Bytes{333}));
    }
    void aSingleProcessIsTakenForOurs()
    {
        const Nvml nvml(REMAT_FAKE_NVML);
        QCOMPARE(nvml.memoryOfThisProcess("0000:02:00.0"), std::optional(Bytes{222}));
    }
    void anotherDeviceTellsNothing()
    {
        const Nvml nvml(REMAT_FAKE_NVML);
        QVERIFY(!nvml.memoryOfThisProcess("0000:03:00.0"));
    }
    void withoutTheLibraryNothingIsTold()
    {
        const Nvml nvml("libnvidia-ml-of-no-machine.so.1");
        QVERIFY(!nvml.memoryOfThisProcess("0000:01:00.0"));
    }
    /// A library that has none of the functions, as one of another vendor under that name.
    void withoutItsFunctionsNothingIsTold()
    {
        const Nvml nvml("libm.so.6");
        QVERIFY(!nvml.memoryOfThisProcess("0000:01:00.0"));
    }
};

QTEST_APPLESS_MAIN(NvmlTest)
#include "nvml_test.moc"
