// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/greatest_fitting.h"
#include "core/base/rates.h"

using namespace remat;

class GreatestFittingTest : public QObject {
    Q_OBJECT

private slots:
    /// Every answer from 0 to `most` from every start: what a search number by number finds, and the last number that
    /// fitted is the answer.
    void findsWhatTryingEveryNumberFinds()
    {
        for (const std::int64_t most : {1, 2, 7, 64, 100})
            for (std::int64_t answer = 0; answer <= most; ++answer)
                for (std::int64_t start = 1; start <= most; ++start) {
                    std::int64_t last = 0, asked = 0;
                    const std::int64_t found = greatestFitting(start, most, [&](std::int64_t number) {
                        ++asked;
                        last = number <= answer ? number : last;
                        return number <= answer;
                    });
                    QCOMPARE(found, answer);
                    QCOMPARE(last, answer);
                    QVERIFY(asked <= 16);
                }
    }

    void ratesAreASecond()
    {
        QCOMPARE(perSecond(8, {2'000'000'000}), 4.0);
        QCOMPARE(perSecond(3, {0}), 3e9);
    }
};

QTEST_APPLESS_MAIN(GreatestFittingTest)
#include "greatest_fitting_test.moc"
