// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/plan/rotor_500.h"
#include "tests/support/counts.h"

using namespace remat;

namespace {

constexpr const char* kChains = REMAT_TEST_DATA "/chains/";

} // namespace

class Rotor500Test : public QObject {
    Q_OBJECT

private slots:
    /// tests/data/chains/rotor500.json: what an implementation that shares no code with this one answers at six budgets
    /// of each chain.
    void answersOfTheReference_data()
    {
        QTest::addColumn<QJsonArray>("answers");
        QFile file(QString(kChains) + "rotor500.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject all = QJsonDocument::fromJson(file.readAll()).object();
        QVERIFY(!all.isEmpty());
        for (auto chain = all.begin(); chain != all.end(); ++chain)
            QTest::newRow(qPrintable(chain.key())) << chain.value().toArray();
    }

    /// Its schedules replay to the time that it states; they stay within the budget but for what its slots, rounded up
    /// to whole bytes, add to it (499 bytes at most).
    void answersOfTheReference()
    {
        QFETCH(QJsonArray, answers);
        const Chain chain = readChain(std::string(kChains) + QTest::currentDataTag() + ".chain.json").value();
        // The brief form takes every third of a chain's answers.
        for (qsizetype i = 0; i < answers.size(); i += testing::isBriefForm() ? 3 : 1) {
            const QJsonValue expected = answers[i];
            const Bytes budget{expected["budget"].toInteger()};
            const bool isAtomic = expected["mode"].toString() == "classic";
            const auto answer = solveRotor500(chain, budget, isAtomic ? RotorStages::Atomic : RotorStages::WithOptions);
            QCOMPARE(answer.has_value(), !expected["time"].isNull());
            if (!answer)
                continue;
            QCOMPARE(answer->time.value, expected["time"].toInteger());
            const Result<ReplayResult> replayed = replay(chain, answer->schedule);
            QVERIFY2(replayed, replayed ? "" : englishText(replayed.error()).c_str());
            QCOMPARE(replayed->time, answer->time);
            QVERIFY(replayed->peak <= budget + Bytes{499});
        }
    }

    void belowBaseThereIsNothing()
    {
        const Chain chain = readChain(std::string(kChains) + "tiny-l4.chain.json").value();
        QVERIFY(!solveRotor500(chain, chain.baseBytes - Bytes{1}, RotorStages::WithOptions));
        QVERIFY(!solveRotor500(chain, Bytes{0}, RotorStages::Atomic));
    }
};

QTEST_APPLESS_MAIN(Rotor500Test)
#include "rotor_500_test.moc"
