// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <thread>
#include <vector>

#include "core/base/files.h"

using namespace remat;

class FilesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void contentComesBack()
    {
        const std::string content("a\0b\n\xFF", 5);
        QVERIFY(writeFileAtomically(path("new"), content));
        QCOMPARE(readFile(path("new")).value(), content);
        QVERIFY(writeFileAtomically(path("new"), "shorter"));
        QCOMPARE(readFile(path("new")).value(), std::string("shorter"));
        QCOMPARE(firstLineOf(path("none")), std::string());
        QVERIFY(writeFileAtomically(path("lines"), "one\ntwo\n"));
        QCOMPARE(firstLineOf(path("lines")), std::string("one"));
    }

    /// The old file stays until the new one is whole: a reader never sees a part, and nothing is left beside it.
    void readersSeeOldOrNew()
    {
        const std::string a(1 << 20, 'a'), b(1 << 20, 'b');
        QVERIFY(writeFileAtomically(path("file"), a));
        std::thread writer([&] {
            for (int i = 0; i < 20; ++i)
                (void)writeFileAtomically(path("file"), i % 2 ? a : b);
        });
        bool isWhole = true;
        for (int i = 0; i < 50; ++i) {
            const std::string seen = readFile(path("file")).value();
            isWhole = isWhole && (seen == a || seen == b);
        }
        writer.join();
        QVERIFY(isWhole);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"file"});
    }

    void permissionsAreKept()
    {
        QVERIFY(writeFileAtomically(path("file"), "old"));
        QFile file(QString::fromStdString(path("file")));
        const auto wanted = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
        QVERIFY(file.setPermissions(wanted));
        QVERIFY(writeFileAtomically(path("file"), "new"));
        const auto relevant = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup
            | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFileInfo(file).permissions() & relevant, wanted);
    }

    /// A plain open() gives new files 0666 without the process's mask; so does this.
    void newFilesHaveTheUsualMode()
    {
        QFile usual(QString::fromStdString(path("usual")));
        QVERIFY(usual.open(QIODevice::WriteOnly));
        usual.close();
        QVERIFY(writeFileAtomically(path("ours"), ""));
        QCOMPARE(QFileInfo(QString::fromStdString(path("ours"))).permissions(), QFileInfo(usual).permissions());
    }

    void linksAreWrittenThrough()
    {
        QVERIFY(writeFileAtomically(path("target"), "old"));
        QVERIFY(QFile::link("target", QString::fromStdString(path("link"))));
        QVERIFY(writeFileAtomically(path("link"), "new"));
        QVERIFY(QFileInfo(QString::fromStdString(path("link"))).isSymLink());
        QCOMPARE(readFile(path("target")).value(), std::string("new"));
    }

    void whatCannotBeDoneIsSaid()
    {
        const auto code = [](const Error& error) { return QString::fromUtf8(error.code->name.data()); };
        QCOMPARE(code(readFile(path("none")).error()), QString("file-cannot-be-read"));
        QCOMPARE(code(readFile(m_folder->path().toStdString()).error()), QString("file-cannot-be-read"));
        QCOMPARE(code(writeFileAtomically(path("no/such"), "x").error()), QString("file-cannot-be-written"));
        QCOMPARE(
            code(writeFileAtomically(m_folder->path().toStdString(), "x").error()), QString("file-cannot-be-written"));
        QVERIFY(!checkWritable(path("no/such")));
        QVERIFY(checkWritable(path("fine")));
        QVERIFY(QDir(m_folder->path()).isEmpty());
        QFile large(QString::fromStdString(path("large")));
        QVERIFY(large.open(QIODevice::WriteOnly));
        QVERIFY(large.resize(kMaxFileBytes.value + 1));
        QCOMPARE(code(readFile(path("large")).error()), QString("file-too-large"));
    }

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(FilesTest)
#include "files_test.moc"
