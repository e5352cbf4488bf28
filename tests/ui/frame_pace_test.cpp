// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QTest>

#include "ui/widgets/frame_pace.h"

using namespace remat::ui;

class FramePaceTest : public QObject {
    Q_OBJECT

private slots:
    void firstRequestIsServedAtOnceAndTheNextOnesTogether()
    {
        int runs = 0;
        FramePace pace([&] { ++runs; }, 20);
        pace.request();
        QCOMPARE(runs, 1);
        for (int i = 0; i < 10; ++i)
            pace.request();
        QCOMPARE(runs, 1);
        QTRY_COMPARE(runs, 2);
        QTest::qWait(50);
        QCOMPARE(runs, 2);
        pace.request();
        QCOMPARE(runs, 3);
    }

    void cancelledRequestIsForgotten()
    {
        int runs = 0;
        FramePace pace([&] { ++runs; }, 20);
        pace.request();
        pace.request();
        pace.cancel();
        QTest::qWait(50);
        QCOMPARE(runs, 1);
    }

    void workMayAskForMore()
    {
        int runs = 0;
        std::unique_ptr<FramePace> pace;
        pace = std::make_unique<FramePace>(
            [&] {
                if (++runs < 3)
                    pace->request();
            },
            5);
        pace->request();
        QCOMPARE(runs, 1);
        QTRY_COMPARE(runs, 3);
    }
};

QTEST_MAIN(FramePaceTest)
#include "frame_pace_test.moc"
