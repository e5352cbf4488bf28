// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTemporaryDir>

#include "core/base/files.h"
#include "tests/ui/state_fixture.h"
#include "ui/forms/choice_field.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/window/launch_dialog.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// Runs elsewhere as the window offers, starts and tells them; the worker is a fake.
class LaunchPlacesTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        m_window = makeWindow();
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(waitForAnswer(m_window->state()));
    }

    /// The dialog writes what the command line reads, word for word, and the field offers it at once.
    void aPlaceIsWrittenAndChosen()
    {
        QCOMPARE(placeField().combo().count(), 1);
        auto* dialog = openDialog();
        dialog->name().setText(QStringLiteral("gpu box"));
        dialog->prefix().setPlainText(QStringLiteral("ssh\n-T\na host; $(x)\n\n"));
        dialog->worker().setText(QStringLiteral("/opt/remat-worker"));
        dialog->stop().clear();
        dialog->save();
        const Result<LaunchProfile> written = findLaunchProfile("gpu box", m_folder->path().toStdString());
        QVERIFY(written);
        QCOMPARE(written->prefix, std::vector<std::string>({"ssh", "-T", "a host; $(x)"}));
        QCOMPARE(written->worker, std::string("/opt/remat-worker"));
        QVERIFY(written->stop.empty());
        QCOMPARE(placeField().currentKey(), QStringLiteral("gpu box"));
        QCOMPARE(m_window->runs().place(), QStringLiteral("gpu box"));
        // The next window starts there, unless the file is gone.
        QCOMPARE(makeWindow()->runs().place(), QStringLiteral("gpu box"));
        QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("launch/gpu box.json"))));
        QCOMPARE(makeWindow()->runs().place(), QString());
    }

    void whatCannotBeSavedIsTold()
    {
        auto* dialog = openDialog();
        dialog->name().setText(QStringLiteral("../x"));
        dialog->save();
        QVERIFY(dialog->problem().contains(QStringLiteral("../x")));
        dialog->name().setText(QStringLiteral("x"));
        dialog->prefix().clear();
        dialog->save();
        QVERIFY(!dialog->problem().isEmpty());
        QVERIFY(launchProfileNames(m_folder->path().toStdString()).empty());
        dialog->close();
    }

    /// Waiting, in the queue, at work with the job's number, done: each has words of its own, and the log has all.
    void aRunElsewhereTellsItsStates()
    {
        choose({"cluster", {"srun", "--gres=gpu:1"}, "remat-worker", {"scancel", "{job}"}});
        // Whether there is a GPU is the worker's to say.
        m_window->runs().setMachine(RunMachine::Cuda);
        QCOMPARE(m_window->runs().machine(), RunMachine::Cuda);
        m_window->toggleRun();
        QVERIFY(m_launcher);
        QCOMPARE(m_launch.command, WorkerCommand({"srun", "--gres=gpu:1", "remat-worker", "--lease", "30"}));
        QCOMPARE(m_launch.stopCommand, WorkerCommand({"scancel", "{job}"}));
        QVERIFY(m_launch.holdsLease && m_launch.logsErrors);
        QVERIFY(m_launcher->request.contains("\"machine\":\"cuda\""));
        QCOMPARE(row().state, RunState::Waiting);
        QVERIFY(row().stage.contains(QStringLiteral("srun")));
        m_launcher->say("srun: job 4711 queued and waiting for resources");
        QCOMPARE(row().stage, QStringLiteral("waiting in the queue: job 4711"));
        m_launcher->say(QByteArray::fromStdString(toLine(HelloEvent{kRunVersion, 1, "H200", "x", 2, "4711"})));
        QCOMPARE(row().state, RunState::Running);
        QCOMPARE(row().machine, QStringLiteral("H200, job 4711"));
        const QString log = m_window->bottomTabs().lastLogLines(10).join(u'\n');
        QVERIFY2(log.contains(QStringLiteral("queued and waiting")) && log.contains(QStringLiteral("job 4711")),
            qPrintable(log));
        m_window->toggleRun();
        QVERIFY(m_launcher->wasStopped);
        m_launcher->end({0, 15});
        QCOMPARE(row().state, RunState::Stopped);
    }

    /// The window's own runner: a host that ssh does not reach, in ssh's own words.
    void anUnreachableHostIsNamed()
    {
        const std::string ssh = m_folder->filePath(QStringLiteral("ssh")).toStdString();
        QVERIFY(
            writeFileAtomically(ssh, "#!/bin/sh\necho 'ssh: connect to host far: No route to host' >&2\nexit 255\n"));
        QVERIFY(QFile::setPermissions(QString::fromStdString(ssh), QFile::ReadOwner | QFile::ExeOwner));
        m_isReal = true;
        choose({"far", {ssh, "far"}, "remat-worker", {}});
        m_window->toggleRun();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->runs().isRunning(), 10'000);
        QCOMPARE(row().state, RunState::Failed);
        QCOMPARE(m_window->runs().runs().back().failure->code, std::string("host-unreachable"));
        QVERIFY2(
            row().stage.contains(QStringLiteral("connect to host far: No route to host")), qPrintable(row().stage));
    }

    /// A file that was broken after it was chosen starts nothing.
    void aBrokenFileIsRefused()
    {
        choose({"cluster", {"srun"}, "remat-worker", {}});
        QVERIFY(writeFileAtomically(m_folder->filePath(QStringLiteral("launch/cluster.json")).toStdString(), "{"));
        m_window->toggleRun();
        QVERIFY(!m_window->runs().isRunning());
        QVERIFY(!m_launcher);
    }

private:
    std::unique_ptr<MainWindow> makeWindow()
    {
        WindowContext context = plainContext();
        context.settings = m_settings.get();
        context.configurationFolder = m_folder->path().toStdString();
        m_launcher = nullptr;
        m_isReal = false;
        context.makeLauncher = [this](const WorkerLaunch& launch) -> std::unique_ptr<RunLauncher> {
            if (m_isReal)
                return std::make_unique<WorkerLauncher>(launch);
            m_launch = launch;
            auto launcher = std::make_unique<FakeLauncher>();
            m_launcher = launcher.get();
            return launcher;
        };
        return std::make_unique<MainWindow>(context);
    }
    LaunchDialog* openDialog()
    {
        m_window->findChild<QAction*>(QStringLiteral("launchProfiles"))->trigger();
        return m_window->findChild<LaunchDialog*>();
    }
    ChoiceField& placeField() { return *m_window->findChild<ChoiceField*>(QStringLiteral("place")); }
    void choose(const LaunchProfile& profile)
    {
        auto* dialog = openDialog();
        dialog->name().setText(QString::fromStdString(profile.name));
        const auto lines = [](const std::vector<std::string>& words) {
            QStringList list;
            for (const std::string& word : words)
                list << QString::fromStdString(word);
            return list.join(u'\n');
        };
        dialog->prefix().setPlainText(lines(profile.prefix));
        dialog->worker().setText(QString::fromStdString(profile.worker));
        dialog->stop().setPlainText(lines(profile.stop));
        dialog->save();
        QCOMPARE(m_window->runs().place(), QString::fromStdString(profile.name));
    }
    const RunRow& row() { return m_window->runs().runs().back().row; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    FakeLauncher* m_launcher = nullptr;
    WorkerLaunch m_launch;
    bool m_isReal = false;
};

QTEST_MAIN(LaunchPlacesTest)
#include "launch_places_test.moc"
