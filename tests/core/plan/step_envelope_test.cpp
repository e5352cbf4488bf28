// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The envelope against sorting every candidate, on tables large enough for many buckets and tiles.
#include "core/plan/step_envelope.h"

#include <algorithm>
#include <random>

#include <QtTest/QTest>

using namespace remat;

namespace {

template <class Cost> StepTable<Cost> randomTable(std::mt19937_64& random, std::size_t points, std::int64_t gap)
{
    StepTable<Cost> table;
    auto memory = static_cast<std::int64_t>(random() % 1000);
    Cost cost = static_cast<Cost>(points) * gap + 1;
    for (std::size_t i = 0; i < points; ++i) {
        table.memory.push_back(memory);
        table.cost.push_back(cost);
        // Mostly small steps with rare large ones, so that points crowd into a few buckets.
        memory += 1 + static_cast<std::int64_t>(random() % 50 == 0 ? random() % 1'000'000 : random() % 16);
        cost -= 1 + static_cast<Cost>(random() % static_cast<std::uint64_t>(gap));
    }
    return table;
}

template <class Cost>
StepTable<Cost> bySorting(const std::vector<StageMove<Cost>>& moves, const SuffixTables<Cost>& tables)
{
    std::vector<std::pair<std::int64_t, Cost>> all;
    for (const StageMove<Cost>& move : moves) {
        const StepTable<Cost>& table = *tables[static_cast<std::size_t>(move.table)];
        for (std::size_t i = 0; i < table.size(); ++i)
            all.emplace_back(std::max(table.memory[i] + move.keep, move.floor), table.cost[i] + move.cost);
    }
    std::sort(all.begin(), all.end());
    StepTable<Cost> result;
    for (const auto& [memory, cost] : all)
        if (result.size() == 0 || cost < result.cost.back()) {
            result.memory.push_back(memory);
            result.cost.push_back(cost);
        }
    return result;
}

template <class Cost> void checkMany(std::int64_t keepScale, std::int64_t costGap)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(keepScale + costGap));
    StepEnvelope<Cost> envelope;
    ThreadPool pool(3);
    for (int round = 0; round < 150; ++round) {
        const StepTable<Cost> free = randomTable<Cost>(random, 1 + random() % (round % 10 == 0 ? 6000 : 300), costGap);
        const StepTable<Cost> owned = randomTable<Cost>(random, 1 + random() % 300, costGap);
        const SuffixTables<Cost> tables{&free, &owned};
        const std::int64_t largestFloor = free.memory.back() + 3 * keepScale;
        std::vector<StageMove<Cost>> moves(1 + random() % 40);
        for (StageMove<Cost>& move : moves) {
            move.keep = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(keepScale));
            // Floors from far below the table to far above it.
            move.floor = random() % 2 == 0
                ? 0
                : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largestFloor + 1));
            move.cost = static_cast<Cost>(random() % static_cast<std::uint64_t>(costGap * 200));
            move.table = static_cast<int>(random() % 2);
        }
        const StepTable<Cost> found = envelope.build(moves, tables);
        const StepTable<Cost> expected = bySorting(moves, tables);
        QVERIFY2(found.memory == expected.memory, qPrintable(QString("round %1").arg(round)));
        QVERIFY2(found.cost == expected.cost, qPrintable(QString("round %1").arg(round)));
        const StepTable<Cost> shared = envelope.build(moves, tables, &pool);
        QVERIFY(shared.memory == expected.memory && shared.cost == expected.cost);
    }
}

} // namespace

class StepEnvelopeTest : public QObject {
    Q_OBJECT
private slots:
    void equalsSortingEveryCandidate_data()
    {
        QTest::addColumn<qint64>("keepScale");
        QTest::addColumn<qint64>("costGap");
        QTest::addRow("small keeps") << qint64{50} << qint64{3};
        QTest::addRow("keeps like the tables") << qint64{1'000'000} << qint64{1000};
        QTest::addRow("keeps far above the tables") << (qint64{1} << 52) << (qint64{1} << 40);
    }
    void equalsSortingEveryCandidate()
    {
        QFETCH(qint64, keepScale);
        QFETCH(qint64, costGap);
        checkMany<NarrowCost>(keepScale, costGap);
        checkMany<WideCost>(keepScale, costGap);
    }

    void clampsAWholeTableToOneFloor()
    {
        const StepTable<NarrowCost> table{{0, 5, 9}, {30, 20, 10}};
        const std::vector<StageMove<NarrowCost>> moves{{2, std::int64_t{1} << 60, 7, 0, 0}};
        const auto found = StepEnvelope<NarrowCost>().build(moves, {&table, &table});
        QVERIFY(found.memory == std::vector<std::int64_t>{std::int64_t{1} << 60});
        QVERIFY(found.cost == std::vector<NarrowCost>{17});
    }
};

QTEST_APPLESS_MAIN(StepEnvelopeTest)
#include "step_envelope_test.moc"
