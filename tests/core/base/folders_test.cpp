// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/folders.h"

using namespace remat;

/// Expected folders are read off the XDG base directory specification 0.8.
class FoldersTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            qunsetenv(name);
    }

    void cleanup() { qputenv("HOME", m_home); }

    void variablesGoBeforeHome()
    {
        qputenv("HOME", "/ada");
        QCOMPARE(configurationFolder(), std::string("/ada/.config/rematscope"));
        QCOMPARE(cacheFolder(), std::string("/ada/.cache/rematscope"));
        qputenv("XDG_CONFIG_HOME", "/etc/ada");
        qputenv("XDG_CACHE_HOME", "/var/ada");
        QCOMPARE(configurationFolder(), std::string("/etc/ada/rematscope"));
        QCOMPARE(cacheFolder(), std::string("/var/ada/rematscope"));
    }

    void relativeAndEmptyPathsAreIgnored()
    {
        qputenv("HOME", "/ada");
        for (const char* value : {"", "relative", "./here", "~/there"}) {
            qputenv("XDG_CONFIG_HOME", value);
            qputenv("XDG_CACHE_HOME", value);
            QCOMPARE(configurationFolder(), std::string("/ada/.config/rematscope"));
            QCOMPARE(cacheFolder(), std::string("/ada/.cache/rematscope"));
        }
    }

    void withoutHomeThereIsNoFolder()
    {
        qunsetenv("HOME");
        QCOMPARE(configurationFolder(), std::string());
        QCOMPARE(cacheFolder(), std::string());
    }

private:
    const QByteArray m_home = qgetenv("HOME");
};

QTEST_APPLESS_MAIN(FoldersTest)
#include "folders_test.moc"
