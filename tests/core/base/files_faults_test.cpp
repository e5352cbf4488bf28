// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/base/files.h"
#include "tests/support/counts.h"

using namespace remat;

namespace {

/// What goes wrong in the system calls of a save.  The linker puts the functions below in the place of libc's
/// (tests/core/base/CMakeLists.txt).
struct Faults {
    int failAt = -1; ///< the number of the call that fails, from 0; -1: none
    int error = 0;   ///< with this errno
    int calls = 0;
    std::size_t mostWritten = 0;        ///< bytes that one write() takes; 0: all
    int interruptEvery = 0;             ///< every so many write() calls end with EINTR; 0: none
    std::function<void()> beforeRename; ///< what others do meanwhile

    bool fails() { return calls++ == failAt; }
};

Faults& faults()
{
    static Faults state;
    return state;
}

int failed()
{
    errno = faults().error;
    return -1;
}

} // namespace

extern "C" {
int __real_mkstemp(char* path);
int __real_fchmod(int file, mode_t mode);
ssize_t __real_write(int file, const void* data, std::size_t size);
int __real_fsync(int file);
int __real_close(int file);
int __real_rename(const char* from, const char* to);

int __wrap_mkstemp(char* path)
{
    return faults().fails() ? failed() : __real_mkstemp(path);
}
int __wrap_fchmod(int file, mode_t mode)
{
    return faults().fails() ? failed() : __real_fchmod(file, mode);
}
ssize_t __wrap_write(int file, const void* data, std::size_t size)
{
    Faults& state = faults();
    if (state.fails())
        return failed();
    if (state.interruptEvery > 0 && state.calls % state.interruptEvery == 0) {
        errno = EINTR;
        return -1;
    }
    return __real_write(file, data, state.mostWritten > 0 ? std::min(size, state.mostWritten) : size);
}
int __wrap_fsync(int file)
{
    return faults().fails() ? failed() : __real_fsync(file);
}
int __wrap_close(int file)
{
    // A close() that fails has closed all the same.
    const bool fails = faults().fails();
    const int result = __real_close(file);
    return fails ? failed() : result;
}
int __wrap_rename(const char* from, const char* to)
{
    if (faults().beforeRename)
        faults().beforeRename();
    return faults().fails() ? failed() : __real_rename(from, to);
}
}

namespace {

/// A content that shows whether it is whole: its length and number, and then one character over and over.
std::string numbered(int number)
{
    const std::size_t length = 1000 + static_cast<std::size_t>(number) * 7919 % 300'000;
    return std::to_string(length) + " " + std::to_string(number) + "\n"
        + std::string(length, static_cast<char>('a' + number % 26));
}

bool isNumbered(const std::string& content)
{
    const std::size_t space = content.find(' '), end = content.find('\n');
    if (space == std::string::npos || end == std::string::npos)
        return false;
    return content == numbered(std::atoi(content.substr(space + 1, end - space - 1).c_str()));
}

} // namespace

/// A save that goes wrong at any system call, or is killed at any moment: the file is the old or the new one, whole.
class FilesFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        faults() = {};
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup() { faults() = {}; }

    void everyCallMayFail_data()
    {
        QTest::addColumn<int>("error");
        for (const int error : {ENOSPC, EDQUOT, EIO, EROFS, EACCES, ENOMEM})
            QTest::addRow("%s", std::strerror(error)) << error;
    }

    /// Calls of a save: mkstemp, fchmod, write, fsync, close, rename, and of the folder fsync and close, whose failure
    /// takes nothing from the file.
    void everyCallMayFail()
    {
        QFETCH(int, error);
        QVERIFY(writeFileAtomically(path("file"), "old"));
        int failures = 0;
        for (int call = 0;; ++call) {
            QVERIFY(writeFileAtomically(path("file"), "old"));
            faults() = {};
            faults().failAt = call;
            faults().error = error;
            const Result<void> saved = writeFileAtomically(path("file"), "the new content");
            const bool wasHit = faults().calls > call;
            faults() = {};
            QCOMPARE(readFile(path("file")).value(), std::string(saved ? "the new content" : "old"));
            QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"file"});
            if (!saved) {
                ++failures;
                QCOMPARE(QString::fromUtf8(saved.error().code->name.data()), QString("file-cannot-be-written"));
                QCOMPARE(saved.error().where, path("file"));
                QVERIFY(QString::fromStdString(englishSentence(saved.error())).contains(std::strerror(error)));
            }
            if (!wasHit)
                break;
        }
        QCOMPARE(failures, 6);
    }

    /// A disk may take a part of what it is given, and signals may come in between.
    void shortWritesAndSignalsChangeNothing()
    {
        const std::string content = numbered(17);
        for (const std::size_t most : {1u, 7u, 4096u}) {
            faults() = {};
            faults().mostWritten = most;
            faults().interruptEvery = 3;
            const std::string text = content.substr(0, 5000);
            QVERIFY(writeFileAtomically(path("file"), text));
            QCOMPARE(readFile(path("file")).value(), text);
        }
    }

    /// A limit that the kernel keeps: part of the content is written before it bites.
    void fullDiskKeepsTheOldFile()
    {
        QVERIFY(writeFileAtomically(path("file"), "old"));
        const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit narrow = before;
        narrow.rlim_cur = 10'000;
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &narrow), 0);
        const Result<void> saved = writeFileAtomically(path("file"), std::string(50'000, 'x'));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, oldHandler);
        QVERIFY(!saved);
        QCOMPARE(readFile(path("file")).value(), std::string("old"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"file"});
        // The kernel's own device for this.
        const Result<void> full = writeFileAtomically("/dev/full", "x");
        QVERIFY(!full && QString::fromStdString(englishText(full.error())).contains(std::strerror(ENOSPC)));
    }

    void readOnlyFolderIsSaid()
    {
        // Root may write anywhere but there.
        const std::string folder = ::geteuid() == 0 ? "/proc/self" : m_folder->path().toStdString();
        if (::geteuid() != 0)
            QCOMPARE(::chmod(folder.c_str(), 0555), 0);
        const Result<void> saved = writeFileAtomically(folder + "/file", "x");
        const Result<void> checked = checkWritable(folder + "/file");
        if (::geteuid() != 0)
            QCOMPARE(::chmod(folder.c_str(), 0755), 0);
        QVERIFY(!saved && !checked);
    }

    /// Others remove the file, or its whole folder, while it is being saved.
    void whatVanishesMeanwhile()
    {
        QVERIFY(writeFileAtomically(path("file"), "old"));
        faults().beforeRename = [this] { QFile::remove(m_folder->filePath("file")); };
        QVERIFY(writeFileAtomically(path("file"), "new"));
        QCOMPARE(readFile(path("file")).value(), std::string("new"));
        QVERIFY(QDir(m_folder->path()).mkdir("inner"));
        faults().beforeRename = [this] { QDir(m_folder->filePath("inner")).removeRecursively(); };
        const Result<void> saved = writeFileAtomically(path("inner/file"), "new");
        QVERIFY(!saved);
        QVERIFY(!QFile::exists(m_folder->filePath("inner")));
    }

    /// kill -9 at random moments of a process that does nothing but save.
    void killedSavesAreWhole()
    {
        const int wanted = testing::isLongForm() ? 1000 : 60;
        std::mt19937 random(61);
        int last = 0;
        QVERIFY(writeFileAtomically(path("file"), numbered(0)));
        for (int kill = 0; kill < wanted; ++kill) {
            std::array<int, 2> done{-1, -1};
            QCOMPARE(::pipe(done.data()), 0);
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0)
                for (int number = last + 1;; ++number)
                    if (!writeFileAtomically(path("file"), numbered(number)) || ::write(done[1], "", 1) != 1)
                        ::_exit(1);
            ::close(done[1]);
            // From the end of its first save on, so that however slow the machine, the kill falls into a later one.
            char byte = 0;
            QCOMPARE(::read(done[0], &byte, 1), ssize_t{1});
            std::this_thread::sleep_for(std::chrono::microseconds{random() % 4'000});
            ::kill(child, SIGKILL);
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            ::close(done[0]);
            QVERIFY(WIFSIGNALED(status));
            const std::string content = readFile(path("file")).value();
            QVERIFY2(isNumbered(content), qPrintable(QString::fromStdString(content.substr(0, 60))));
            const int now = std::atoi(content.c_str() + content.find(' '));
            QVERIFY(now > last);
            last = now;
        }
    }

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(FilesFaultsTest)
#include "files_faults_test.moc"
