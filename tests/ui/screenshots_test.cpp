// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

/// Every designed state of the window as ./dev screenshots draws it: nothing in it is cut off, elided, overlapping,
/// pale or of one colour (ui/looks).  Always the states that are there at once; with REMAT_LONG all of them, in both
/// languages and at both scales.
class ScreenshotsTest : public QObject {
    Q_OBJECT

    struct Ended {
        int exit = -1;
        QByteArray out, err;
    };

    static Ended draw(const QString& folder, const QString& language, int scale, const QStringList& states = {})
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            environment.insert(QLatin1String(name), folder + QStringLiteral("/home"));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(scale));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(REMAT_BIN "/rematscope"),
            QStringList{"--language", language, "--screenshots", folder + QStringLiteral("/pictures")} + states);
        if (!process.waitForFinished(1'200'000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
    }

private slots:
    void nothingLooksWrong_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("scale");
        QTest::addColumn<QStringList>("states");
        const QStringList quick{"empty", "first-start", "bad-shape", "one-layer", "compared-narrow", "dialog-fit",
            "dialog-keys", "no-gpu-driver", "out-of-memory"};
        if (!qEnvironmentVariableIsSet("REMAT_LONG")) {
            QTest::newRow("en 1x, quick") << QStringLiteral("en") << 1 << quick;
            return;
        }
        for (const char* language : {"en", "zh_CN"})
            for (const int scale : {1, 2})
                QTest::addRow("%s %dx", language, scale) << QString::fromLatin1(language) << scale << QStringList();
    }

    void nothingLooksWrong()
    {
        QFETCH(QString, language);
        QFETCH(int, scale);
        QFETCH(QStringList, states);
        const QTemporaryDir folder;
        const Ended ended = draw(folder.path(), language, scale, states);
        QVERIFY2(ended.exit == 0, ended.out + ended.err);
        const QStringList pictures
            = QDir(folder.filePath(QStringLiteral("pictures"))).entryList({QStringLiteral("*.png")});
        // Each light and dark, and two sheets of them all.
        if (states.isEmpty())
            QVERIFY(pictures.size() > 2 * 40);
        else
            QCOMPARE(pictures.size(), 2 * states.size() + 2);
        for (const QString& picture : pictures)
            QCOMPARE(picture.contains(QLatin1String("@2x")), scale == 2);
    }

    void aStateThatIsNotThereIsNamed()
    {
        const QTemporaryDir folder;
        const Ended ended = draw(folder.path(), QStringLiteral("en"), 1, {QStringLiteral("frist-start")});
        QCOMPARE(ended.exit, 3);
        QVERIFY2(ended.err.contains("frist-start"), ended.err);
    }
};

QTEST_GUILESS_MAIN(ScreenshotsTest)
#include "screenshots_test.moc"
