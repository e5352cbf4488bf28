// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "tests/ui/state_fixture.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include "core/base/files.h"
#include "ui/window/session_place.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

/// What comes back after any end: two windows never share a place, and a killed one leaves its session to the next.
class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void windowsHavePlacesOfTheirOwn()
    {
        QTemporaryDir folder;
        auto first = std::make_unique<SessionPlace>(folder.path());
        const SessionPlace second(folder.path());
        QVERIFY(!first->path().isEmpty() && !second.path().isEmpty());
        QVERIFY(first->path() != second.path());
        const QString path = first->path();
        first.reset();
        QCOMPARE(SessionPlace(folder.path()).path(), path); // the first free one
    }

    void aFolderThatCannotBeWrittenGivesNoPlace()
    {
        QCOMPARE(SessionPlace(QStringLiteral("/proc/nonexistent")).path(), QString());
    }

    /// Two real programs, each with a document of its own, killed without warning; two new ones find both.
    void killedProgramsLeaveTheirSessions()
    {
        QTemporaryDir home;
        const QStringList configs{QStringLiteral(REMAT_TEST_DATA "/configs/bert-base.config.json"),
            QStringLiteral(REMAT_TEST_DATA "/configs/gpt2-medium.config.json")};
        std::vector<std::unique_ptr<QProcess>> programs;
        const QString folder = home.filePath(QStringLiteral("data/rematscope"));
        const auto sessions = [&] {
            QStringList models;
            for (const QFileInfo& file :
                QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
                const Result<std::string> text = readFile(file.filePath().toStdString());
                const Result<Document> document
                    = text ? parseDocument(*text, "session") : Result<Document>(text.error());
                if (document)
                    models << QString::fromStdString(document->inputs.shape.modelType);
            }
            models.sort();
            return models;
        };
        for (const QString& config : configs) {
            auto program = std::make_unique<QProcess>();
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("HOME"), home.path());
            for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
                environment.insert(QLatin1String(name), home.filePath(QStringLiteral("other")));
            environment.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
            program->setProcessEnvironment(environment);
            program->start(QStringLiteral(REMAT_BIN "/rematscope"), {config});
            QVERIFY(program->waitForStarted());
            programs.push_back(std::move(program));
        }
        QTRY_COMPARE_WITH_TIMEOUT(sessions(), (QStringList{QStringLiteral("bert"), QStringLiteral("gpt2")}), 60'000);
        for (const auto& program : programs) {
            program->kill(); // SIGKILL
            QVERIFY(program->waitForFinished());
        }
        // Their places are free, and hold what they held.
        const SessionPlace first(folder), second(folder);
        QSet<std::string> models;
        for (const QString& path : {first.path(), second.path()}) {
            WindowContext context = plainContext();
            context.sessionPath = path;
            MainWindow window(context);
            QVERIFY(window.restoreSession());
            models.insert(window.state().inputs().shape.modelType);
        }
        QCOMPARE(models, (QSet<std::string>{"bert", "gpt2"}));
    }

    void aSessionRemembersItsFile()
    {
        QTemporaryDir folder;
        WindowContext context = plainContext();
        context.sessionPath = folder.filePath(QStringLiteral("session.json"));
        {
            MainWindow window(context);
            QVERIFY(waitForAnswer(window.state()));
            QVERIFY(window.saveDocument(folder.filePath(QStringLiteral("mine.json"))));
            window.state().setBudget({301 << 20});
            QTRY_VERIFY(QFileInfo::exists(context.sessionPath));
            QTRY_VERIFY(readFile(context.sessionPath.toStdString())->find("315621376") != std::string::npos); // 301 MiB
        }
        MainWindow window(context);
        QVERIFY(window.restoreSession());
        QVERIFY(window.windowTitle().contains(QStringLiteral("mine")));
        QVERIFY(window.isWindowModified());
        // What is the session's own is no part of the document.
        QVERIFY(documentText(window.state().document()).find("\"session\"") == std::string::npos);
    }
};

QTEST_MAIN(SessionTest)
#include "session_test.moc"
