// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <QTemporaryDir>

#include <cstring>
#include <sys/mman.h>

#include "core/run/process_memory.h"

using namespace remat;
using namespace remat::literals;

namespace {

// Expected figures are the sizes that the test itself maps; the kernel may count 64 pages per thread late.
constexpr std::int64_t kSlack = 1 << 20;

void write(const QTemporaryDir& folder, const char* path, const char* text)
{
    QFile file(folder.filePath(path));
    QVERIFY(QDir().mkpath(QFileInfo(file).path()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class ProcessMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void readsTheFieldsOfAStatusText()
    {
        const char* text = "Name:\tremat\nVmHWM:\t    1234 kB\nVmRSS:\t     567 kB\nVmRSSx:\t 9 kB\n";
        QCOMPARE(kilobyteField(text, "VmHWM")->value, std::int64_t{1234 * 1024});
        QCOMPARE(kilobyteField(text, "VmRSS")->value, std::int64_t{567 * 1024});
        QVERIFY(!kilobyteField(text, "VmSwap"));
        QVERIFY(!kilobyteField("VmHWM:\n", "VmHWM"));
    }

    void residentMemoryFollowsWrittenPages()
    {
        constexpr std::size_t size = 64 << 20;
        const auto before = readProcessMemory();
        QVERIFY(before);
        void* block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(block != MAP_FAILED);
        const auto mapped = readProcessMemory();
        std::memset(block, 1, size);
        const auto written = readProcessMemory();
        ::munmap(block, size);
        const auto after = readProcessMemory();
        QVERIFY(std::abs(mapped->resident.value - before->resident.value) < kSlack);
        QVERIFY(std::abs(written->resident.value - before->resident.value - std::int64_t{size}) < kSlack);
        QVERIFY(std::abs(after->resident.value - before->resident.value) < kSlack);
        QVERIFY(after->peakResident.value >= written->resident.value - kSlack);
    }

    void peakCanBeReset()
    {
        constexpr std::size_t size = 64 << 20;
        void* block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(block != MAP_FAILED);
        std::memset(block, 1, size);
        ::munmap(block, size);
        if (!resetPeakResident())
            QSKIP("this system does not let a process write /proc/self/clear_refs");
        const auto now = readProcessMemory();
        QVERIFY(now->peakResident.value - now->resident.value < kSlack);
    }

    void freedBlocksReturnToTheSystem()
    {
        if (!configureAllocator(1))
            QSKIP("this C library has no mallopt");
        const auto before = readProcessMemory();
        std::vector<std::unique_ptr<char[]>> blocks;
        constexpr std::size_t size = 192 * 1024; // glibc would raise its threshold past this after the first free
        for (int round = 0; round < 2; ++round) {
            for (int i = 0; i < 100; ++i) {
                blocks.push_back(std::make_unique<char[]>(size));
                std::memset(blocks.back().get(), 1, size);
            }
            // Freeing all but the last would leave a heap high, but not mappings.
            blocks.erase(blocks.begin(), blocks.end() - 1);
            QVERIFY(readProcessMemory()->resident.value - before->resident.value < kSlack + 2 * std::int64_t{size});
        }
    }

    void availableMemoryIsPositive()
    {
        QVERIFY(availableMemory());
        QVERIFY(availableMemory()->value > 0);
        QVERIFY(usableMemory()->value <= availableMemory()->value);
    }

    void version2TakesTheTightestAncestorAndForgivesFileCache()
    {
        QTemporaryDir root;
        write(root, "a/b/memory.max", "max\n");
        write(root, "a/b/memory.current", "4096\n");
        write(root, "a/memory.max", "1000000\n");
        write(root, "a/memory.current", "700000\n");
        write(root, "a/memory.stat", "anon 5\ninactive_file 200000\nactive_file 7\n");
        QCOMPARE(controlGroupRoom(root.path().toStdString(), "0::/a/b\n")->value, std::int64_t{500000});
        QCOMPARE(controlGroupRoom(root.path().toStdString(), "0::/a/b\n", FileCache::All)->value, std::int64_t{500007});
        QVERIFY(!controlGroupRoom(root.path().toStdString(), "0::/c\n"));
    }

    void version1ReadsTheMemoryController()
    {
        QTemporaryDir root;
        write(root, "memory/job/memory.limit_in_bytes", "3000000\n");
        write(root, "memory/job/memory.usage_in_bytes", "1000000\n");
        write(root, "memory/memory.limit_in_bytes", "9223372036854771712\n");
        write(root, "memory/memory.usage_in_bytes", "5\n");
        QCOMPARE(
            controlGroupRoom(root.path().toStdString(), "5:cpu,memory:/job\n3:pids:/\n")->value, std::int64_t{2000000});
        // Inside a container the mount's root is the group itself, whatever path the file names.
        QVERIFY(!controlGroupRoom(root.path().toStdString(), "5:memory:/docker/abc\n"));
        write(root, "memory/memory.limit_in_bytes", "2000\n");
        QCOMPARE(controlGroupRoom(root.path().toStdString(), "5:memory:/docker/abc\n")->value, std::int64_t{1995});
    }

    /// The files' forms are those of the kernel's own documentation (cgroup-v2.rst, cgroup-v1/memory.rst).
    void killsOfTheOwnGroupAreCounted()
    {
        QTemporaryDir root;
        const std::string path = root.path().toStdString();
        write(root, "a/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 3\noom_group_kill 0\n");
        write(root, "memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
        QCOMPARE(controlGroupKills(path, "0::/a\n"), std::int64_t{3});
        QCOMPARE(controlGroupKills(path, "5:memory:/job\n"), std::int64_t{4});
        QCOMPARE(controlGroupKills(path, "5:memory:/job\n0::/a\n"), std::int64_t{7});
        QCOMPARE(controlGroupKills(path, "0::/elsewhere\n3:pids:/\n"), std::int64_t{0});
    }
};

QTEST_APPLESS_MAIN(ProcessMemoryTest)
#include "process_memory_test.moc"
