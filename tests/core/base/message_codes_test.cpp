// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDirIterator>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

/// What --json prints as error.code names one sentence: scripts match it.  Read off the sources, since codes are
/// constants of many rooms.
class MessageCodesTest : public QObject {
    Q_OBJECT

private slots:
    void everyNameMeansOneThing()
    {
        static const QRegularExpression code("MessageCode\\s+\\w+\\s*\\{\\s*\"([^\"]*)\"");
        static const QRegularExpression kebab("^[a-z0-9]+(-[a-z0-9]+)*$");
        QMap<QString, QString> owners;
        for (const char* folder : {"core", "app", "ui"}) {
            QDirIterator files(QStringLiteral(REMAT_TEST_DATA "/../../") + folder, {"*.cpp", "*.h"}, QDir::Files,
                QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                auto matches = code.globalMatch(QString::fromUtf8(file.readAll()));
                while (matches.hasNext()) {
                    const QString name = matches.next().captured(1);
                    QVERIFY2(kebab.match(name).hasMatch(), qPrintable(name));
                    QVERIFY2(!owners.contains(name),
                        qPrintable(name + " in " + owners.value(name) + " and in " + file.fileName()));
                    owners.insert(name, file.fileName());
                }
            }
        }
        QVERIFY(owners.size() > 100);
    }
};

QTEST_APPLESS_MAIN(MessageCodesTest)
#include "message_codes_test.moc"
