// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/cost/device_memory.h"

using namespace remat;
using namespace remat::literals;

/// A device of 8 GiB with a context of 512 MiB gives a step 7.5 GiB, to the byte.
class DeviceMemoryTest : public QObject {
    Q_OBJECT

    static Device device(Bytes memory, Bytes context)
    {
        Device device;
        device.kind = DeviceKind::Cuda;
        device.memory = memory;
        device.context = context;
        return device;
    }

private slots:
    void contextComesOff()
    {
        const Device card = device(8_GiB, 512_MiB);
        QCOMPARE(deviceBudget(card).value(), 7680_MiB);
        QVERIFY(fitsDevice(7680_MiB, card));
        QVERIFY(!fitsDevice(7680_MiB + 1_B, card));
        QCOMPARE(std::string(deviceNoun(card)), std::string("card"));
        QCOMPARE(std::string(deviceNoun({})), std::string("machine"));
    }

    void contextLargerThanMemoryLeavesNothing()
    {
        QCOMPARE(deviceBudget(device(1_MiB, 2_MiB)).value(), 0_B);
        QVERIFY(!fitsDevice(1_B, device(1_MiB, 2_MiB)));
    }

    /// Where the system tells no size of its memory, nothing can be held against it.
    void unknownMemoryRefusesNothing()
    {
        QVERIFY(!deviceBudget(device(0_B, 0_B)));
        QVERIFY(fitsDevice(1_GiB, device(0_B, 0_B)));
    }
};

QTEST_APPLESS_MAIN(DeviceMemoryTest)
#include "device_memory_test.moc"
