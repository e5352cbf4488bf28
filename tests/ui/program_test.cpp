// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

/// The program rematscope as a script starts it: pictures without a screen, exit codes, one sentence for what is wrong.
class ProgramTest : public QObject {
    Q_OBJECT

    struct Ended {
        int exit = -1;
        QByteArray err;
    };

    Ended start(const QStringList& arguments, const QHash<QString, QString>& variables = {}) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            environment.insert(QLatin1String(name), m_folder.filePath("home"));
        for (auto it = variables.begin(); it != variables.end(); ++it)
            it.value().isNull() ? environment.remove(it.key()) : environment.insert(it.key(), it.value());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(REMAT_BIN "/rematscope"), arguments);
        if (!process.waitForFinished(120'000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardError()};
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;

private slots:
    void picturesAreOfTheKindTheirNamesSay_data()
    {
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("png") << QByteArray("\x89PNG");
        QTest::newRow("svg") << QByteArray("<?xml");
        QTest::newRow("pdf") << QByteArray("%PDF");
    }

    void picturesAreOfTheKindTheirNamesSay()
    {
        QFETCH(QByteArray, begin);
        const QString file = path(QStringLiteral("board.") + QLatin1String(QTest::currentDataTag()));
        // A display that nobody answers does not matter to a picture.
        const Ended ended = start({"--export", file}, {{"DISPLAY", ":77"}, {"QT_QPA_PLATFORM", QString()}});
        QVERIFY2(ended.exit == 0, ended.err);
        QCOMPARE(ended.err, QByteArray());
        QFile picture(file);
        QVERIFY(picture.open(QIODevice::ReadOnly));
        QVERIFY(picture.read(16).startsWith(begin));
        QVERIFY(picture.size() > 10'000);
    }

    void mistakesHaveTheirExitCodeAndSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QByteArray>("says");
        const QString mixture = QStringLiteral(REMAT_TEST_DATA "/configs/deepseek_v2-lite.config.json");
        QTest::newRow("unknown flag") << QStringList{"--foo"} << 2 << QByteArray("foo");
        QTest::newRow("no value") << QStringList{"--export"} << 2 << QByteArray("export");
        QTest::newRow("twice") << QStringList{"--export", "a.png", "--export", "b.png"} << 2 << QByteArray("once");
        QTest::newRow("two drawings") << QStringList{"--export", "a.png", "--screenshots", "b"} << 2
                                      << QByteArray("once");
        QTest::newRow("unknown picture") << QStringList{"--export", "board.jpg"} << 3
                                         << QByteArray(".png, .svg or .pdf");
        QTest::newRow("missing folder") << QStringList{"--export", "missing/board.png"} << 3
                                        << QByteArray("missing/board.png");
        QTest::newRow("other model") << QStringList{"--export", "a.png", mixture} << 3 << QByteArray("deepseek_v2");
        QTest::newRow("missing file") << QStringList{"--export", "a.png", "missing.json"} << 3
                                      << QByteArray("missing.json");
    }

    void mistakesHaveTheirExitCodeAndSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit);
        QFETCH(QByteArray, says);
        const Ended ended = start(arguments);
        QVERIFY2(ended.exit == exit, ended.err);
        QVERIFY2(ended.err.contains(says), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void noDisplayIsOneSentence_data()
    {
        QTest::addColumn<QString>("display");
        QTest::newRow("none") << QString();
        QTest::newRow("one that nobody answers") << ":77";
    }

    void noDisplayIsOneSentence()
    {
        QFETCH(QString, display);
        const Ended ended
            = start({}, {{"DISPLAY", display}, {"WAYLAND_DISPLAY", QString()}, {"QT_QPA_PLATFORM", QString()}});
        QVERIFY2(ended.exit == 11, ended.err);
        QVERIFY2(ended.err.contains("--export"), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void whatCannotBeWrittenLeavesTheOldPicture_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"png", "svg", "pdf"})
            QTest::newRow(suffix) << suffix;
    }

    void whatCannotBeWrittenLeavesTheOldPicture()
    {
        QFETCH(QString, suffix);
        const QString file = path("old." + suffix);
        QFile old(file);
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("precious") == 8);
        old.close();
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small{8192, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0); // the program inherits it
        const Ended ended = start({"--export", file});
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY2(ended.exit == 3, ended.err);
        QVERIFY2(ended.err.contains("old."), ended.err);
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("precious"));
    }
};

QTEST_GUILESS_MAIN(ProgramTest)
#include "program_test.moc"
