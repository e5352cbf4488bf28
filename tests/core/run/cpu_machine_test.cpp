// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/run/cpu_machine.h"

using namespace remat;
using namespace remat::literals;

class CpuMachineTest : public QObject {
    Q_OBJECT

private slots:
    void releasedBlocksAreReused()
    {
        CpuMachine machine({.threads = 1, .reusesBlocks = true});
        std::byte* first = machine.allocate(1_MiB).value();
        machine.release(first, 1_MiB);
        QCOMPARE(machine.held(), 1_MiB);
        QCOMPARE(machine.allocate(1_MiB).value(), first);
        QCOMPARE(machine.held(), 1_MiB);
        machine.release(first, 1_MiB);
        std::byte* larger = machine.allocate(2_MiB).value();
        QCOMPARE(machine.held(), 3_MiB);
        machine.release(larger, 2_MiB);
    }

    void releasedBlocksGoBackAtOnceOtherwise()
    {
        CpuMachine machine({.threads = 1});
        std::byte* data = machine.allocate(1_MiB).value();
        QCOMPARE(machine.held(), 1_MiB);
        machine.release(data, 1_MiB);
        QCOMPARE(machine.held(), 0_B);
    }

    /// By hand, with a limit of 12: 6 and 2 are kept, 4 more fit beside them, and 8 more make first the 6 and then the
    /// 2 go back.
    void keptBlocksGiveWayToLiveOnes()
    {
        CpuMachine machine({.threads = 1, .reusesBlocks = true, .mostHeld = 12_MiB});
        std::byte* six = machine.allocate(6_MiB).value();
        std::byte* two = machine.allocate(2_MiB).value();
        machine.release(six, 6_MiB);
        machine.release(two, 2_MiB);
        std::byte* four = machine.allocate(4_MiB).value();
        QCOMPARE(machine.held(), 12_MiB);
        std::byte* eight = machine.allocate(8_MiB).value();
        QCOMPARE(machine.held(), 12_MiB);
        // What is live may pass the limit; it only bounds what is kept beside it.
        std::byte* one = machine.allocate(1_MiB).value();
        QCOMPARE(machine.held(), 13_MiB);
        machine.release(four, 4_MiB);
        machine.release(eight, 8_MiB);
        machine.release(one, 1_MiB);
    }

    void poisonSpoilsWhatIsNew()
    {
        CpuMachine machine({.threads = 1, .poisonsBlocks = true});
        std::byte* data = machine.allocate(4_KiB).value();
        const auto* floats = reinterpret_cast<const float*>(data);
        for (int i = 0; i < 1024; ++i)
            QVERIFY(std::isnan(floats[i]));
        machine.release(data, 4_KiB);
    }

    void addressesAreAligned()
    {
        CpuMachine machine({.threads = 1});
        for (const Bytes size : {64_B, 128_B, 100_KiB, 3_MiB}) {
            std::byte* data = machine.allocate(size).value();
            QCOMPARE(reinterpret_cast<std::uintptr_t>(data) % 64, std::uintptr_t{0});
            machine.release(data, size);
        }
    }
};

QTEST_APPLESS_MAIN(CpuMachineTest)
#include "cpu_machine_test.moc"
