// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "core/run/launch_profile.h"

using namespace remat;

/// What a person's settings say of starting workers elsewhere.
class LaunchProfileTest : public QObject {
    Q_OBJECT

private slots:
    void wordsStayWords()
    {
        const auto profile = parseLaunchProfile(
            R"({"format": "remat-launch", "version": 1, "prefix": ["srun", "--comment=a b; $(c) d"],
                "worker": "/shared/remat-worker", "stop": ["scancel", "{job}"]})",
            "/home/me/launch/cluster.json");
        QVERIFY(profile);
        QCOMPARE(profile->name, std::string("cluster"));
        const WorkerLaunch launch = launchOf(*profile);
        QCOMPARE(
            launch.command, WorkerCommand({"srun", "--comment=a b; $(c) d", "/shared/remat-worker", "--lease", "30"}));
        QCOMPARE(launch.stopCommand, WorkerCommand({"scancel", "{job}"}));
        QVERIFY(launch.holdsLease);
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QString>("key");
        QTest::newRow("no prefix") << QByteArray(R"("worker": "w")") << "prefix";
        QTest::newRow("a shell's line") << QByteArray(R"("prefix": "ssh host")") << "prefix";
        QTest::newRow("no words") << QByteArray(R"("prefix": [])") << "prefix";
        QTest::newRow("empty program") << QByteArray(R"("prefix": [""])") << "prefix";
        QTest::newRow("number") << QByteArray(R"("prefix": ["srun", 4])") << "prefix[1]";
        QTest::newRow("stop") << QByteArray(R"("prefix": ["srun"], "stop": "scancel {job}")") << "stop";
        QTest::newRow("worker") << QByteArray(R"("prefix": ["srun"], "worker": "")") << "worker";
    }

    void mistakesAreNamed()
    {
        QFETCH(QByteArray, keys);
        QFETCH(QString, key);
        const QByteArray text = R"({"format": "remat-launch", "version": 1, )" + keys + "}";
        const auto profile = parseLaunchProfile(text.toStdString(), "x.json");
        QVERIFY(!profile);
        QCOMPARE(static_cast<int>(profile.error().exitCode()), 3);
        QCOMPARE(QString::fromStdString(profile.error().where), "x.json: " + key);
    }

    /// Profiles come from that one folder: no name leads out of it.
    void namesAreNoPaths()
    {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("config/launch"));
        const std::string text = R"({"format": "remat-launch", "version": 1, "prefix": ["srun"]})";
        const std::string config = folder.filePath("config").toStdString();
        QVERIFY(writeFileAtomically(config + "/launch/cluster.json", text));
        QVERIFY(writeFileAtomically(config + "/evil.json", text));
        QVERIFY(findLaunchProfile("cluster", config));
        for (const std::string& name : {std::string("../evil"), config + "/evil", std::string(), std::string("none")}) {
            const auto profile = findLaunchProfile(name, config);
            QVERIFY(!profile);
            QCOMPARE(static_cast<int>(profile.error().exitCode()), 2);
        }
        QVERIFY(!findLaunchProfile("cluster", ""));
        QCOMPARE(launchProfileNames(config), std::vector<std::string>{"cluster"});
        QVERIFY(launchProfileNames("").empty());
        QVERIFY(launchProfileNames(folder.filePath("none").toStdString()).empty());
    }

    void whatIsWrittenIsReadBack()
    {
        const LaunchProfile there{"there", {"ssh", "-T", "a b; $(c)"}, "/opt/\"remat\"/worker", {"kill", "{job}"}};
        for (const LaunchProfile& profile : {there, LaunchProfile{"bare", {"srun"}, "remat-worker", {}}}) {
            const auto read = parseLaunchProfile(launchFileText(profile), "/x/" + profile.name + ".json");
            QVERIFY(read);
            QCOMPARE(read->name, profile.name);
            QCOMPARE(read->prefix, profile.prefix);
            QCOMPARE(read->worker, profile.worker);
            QCOMPARE(read->stop, profile.stop);
        }
    }

    /// The words are those of srun, Slurm 22.05 (src/srun/libsrun/allocate.c).
    void aQueueIsTold()
    {
        QCOMPARE(queuedJobIn("srun: job 4711 queued and waiting for resources"), std::string("4711"));
        for (const char* other :
            {"srun: job 4711 has been allocated resources", "queued and waiting for resources", ""})
            QCOMPARE(queuedJobIn(other), std::string());
    }
};

QTEST_APPLESS_MAIN(LaunchProfileTest)
#include "launch_profile_test.moc"
