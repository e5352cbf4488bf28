// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The envelope of sums of step functions against its definition, evaluated at every memory where anything can change.
#include "core/plan/nested_envelope.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <set>

#include <QtTest/QTest>

using namespace remat;

namespace {

using Table = NestedTable<NarrowCost>;
using Move = NestedMove<NarrowCost>;

class Random {
public:
    explicit Random(unsigned seed) : m_random(seed) { }
    std::int64_t upTo(std::int64_t most)
    {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(most + 1));
    }

private:
    std::mt19937_64 m_random;
};

Table randomTable(Random& random, const NestedGrid& grid, std::int64_t mostGap)
{
    Table table;
    std::int64_t memory = random.upTo(mostGap);
    std::int64_t cost = 1'000'000;
    for (std::int64_t points = 1 + random.upTo(40); points > 0; --points) {
        table.points.push_back({memory, cost});
        memory += 1 + random.upTo(mostGap);
        cost -= 1 + random.upTo(3000);
    }
    table.finish(grid);
    return table;
}

/// Empty where the function is infinite; 0 where there is none.
std::optional<NarrowCost> valueAt(const Table* table, std::int64_t memory)
{
    if (!table)
        return 0;
    std::optional<NarrowCost> value;
    for (std::size_t i = 0; i < table->size() && table->points[i].memory <= memory; ++i)
        value = table->points[i].cost;
    return value;
}

std::optional<NarrowCost> valueAt(const Move& move, std::int64_t memory)
{
    const auto first = valueAt(move.first, memory - move.firstShift);
    const auto second = valueAt(move.second, memory - move.secondShift);
    if (memory < move.floor || !first || !second)
        return std::nullopt;
    return move.cost + *first + *second;
}

void checkAgainstDefinition(Random& random, const NestedGrid& grid, std::int64_t mostGap)
{
    std::vector<Table> tables;
    tables.reserve(6);
    for (int i = 0; i < 6; ++i)
        tables.push_back(randomTable(random, grid, mostGap));
    const auto tableOrNone = [&] {
        const std::int64_t index = random.upTo(7);
        return index < 6 ? &tables[static_cast<std::size_t>(index)] : nullptr;
    };
    std::vector<Move> moves;
    for (std::int64_t i = 1 + random.upTo(20); i > 0; --i)
        moves.push_back({random.upTo(20 * mostGap), random.upTo(40'000), tableOrNone(), random.upTo(9 * mostGap),
            tableOrNone(), random.upTo(9 * mostGap)});

    std::set<std::int64_t> changes;
    for (const Move& move : moves) {
        changes.insert(move.floor);
        for (const auto& [table, shift] : {std::pair(move.first, move.firstShift), {move.second, move.secondShift}})
            if (table)
                for (std::size_t i = 0; i < table->size(); ++i)
                    changes.insert(table->points[i].memory + shift);
    }
    std::vector<std::pair<std::int64_t, NarrowCost>> expected;
    for (const std::int64_t memory : changes) {
        std::optional<NarrowCost> best;
        for (const Move& move : moves)
            if (const auto value = valueAt(move, memory); value && (!best || *value < *best))
                best = value;
        if (best && (expected.empty() || *best < expected.back().second))
            expected.emplace_back(memory, *best);
    }

    NestedEnvelope<NarrowCost> envelope(grid);
    const auto build = [&](const NestedCeiling& ceiling) {
        Table result;
        envelope.build(moves, ceiling, result);
        std::vector<std::pair<std::int64_t, NarrowCost>> found;
        for (const auto& point : result.points)
            found.emplace_back(point.memory, point.cost);
        return found;
    };
    QVERIFY(build({}) == expected);

    // Falling steps that cut through the envelope, with no ceiling at first.
    std::vector<std::int32_t> most(static_cast<std::size_t>(1 + random.upTo(30)));
    std::int64_t height = 900'000 + random.upTo(1'200'000);
    for (std::int32_t& step : most) {
        step = grid.sampled(height);
        height -= random.upTo(40'000);
    }
    std::fill_n(most.begin(), random.upTo(static_cast<std::int64_t>(most.size())), NestedCeiling::kNone);
    const NestedCeiling ceiling{most, static_cast<int>(random.upTo(10)), static_cast<std::int32_t>(random.upTo(5))};
    const auto isWorthKeeping = [&](const std::pair<std::int64_t, NarrowCost>& point) {
        return grid.sampled(point.second) <= ceiling.at(point.first);
    };
    const auto cut = build(ceiling);
    std::vector<std::pair<std::int64_t, NarrowCost>> kept, wanted;
    std::copy_if(cut.begin(), cut.end(), std::back_inserter(kept), isWorthKeeping);
    std::copy_if(expected.begin(), expected.end(), std::back_inserter(wanted), isWorthKeeping);
    QVERIFY(kept == wanted);
    // A cell's ceiling is that of its start, so other points may stay, but none that is above that of a cell before.
    for (const auto& [memory, cost] : cut)
        QVERIFY(grid.sampled(cost) <= ceiling.at(std::max<std::int64_t>(0, memory - (std::int64_t{1} << grid.shift))));
}

/// Nothing is left of moves whose tables are empty, nor below a ceiling that is too low for all.
void checkEmptyTables(const NestedGrid& grid)
{
    Random random(3);
    Table empty;
    empty.finish(grid);
    QVERIFY(empty.isEmpty());
    const Table table = randomTable(random, grid, 20);
    NestedEnvelope<NarrowCost> envelope(grid);
    Table result;
    const std::vector<Move> one{{0, 5, &empty, 0, &table, 0}};
    envelope.build(one, {}, result);
    QVERIFY(result.points.empty());
    const std::vector<Move> two{{0, 5, &empty, 0, &table, 0}, {0, 7, &table, 3, nullptr, 0}};
    envelope.build(two, {}, result);
    QCOMPARE(result.points.size(), table.size());
    QCOMPARE(result.points.front().memory, table.front().memory + 3);
    const std::vector<std::int32_t> tooLow{grid.sampled(table.back().cost)};
    envelope.build(two, {tooLow, 3, 0}, result);
    QVERIFY(result.points.empty());
}

} // namespace

class NestedEnvelopeTest : public QObject {
    Q_OBJECT
private slots:
    void isTheLeastOfItsMoves_data()
    {
        QTest::addColumn<int>("shift");
        QTest::addColumn<int>("phaseBits");
        QTest::addColumn<int>("costShift");
        QTest::addColumn<qint64>("mostGap");
        QTest::addRow("cells of one byte") << 0 << 0 << 0 << qint64{20};
        QTest::addRow("several cells a point") << 3 << 2 << 0 << qint64{100};
        QTest::addRow("several points a cell") << 8 << 2 << 4 << qint64{100};
        QTest::addRow("one cell for all") << 20 << 2 << 0 << qint64{100};
        QTest::addRow("coarse samples") << 6 << 2 << 12 << qint64{100};
    }
    void isTheLeastOfItsMoves()
    {
        QFETCH(int, shift);
        QFETCH(int, phaseBits);
        QFETCH(int, costShift);
        QFETCH(qint64, mostGap);
        Random random(1);
        for (int i = 0; i < 300 && !QTest::currentTestFailed(); ++i)
            checkAgainstDefinition(random, {shift, phaseBits, costShift}, mostGap);
    }

    void emptyTablesMakeNoPoints() { checkEmptyTables({3, 1, 0}); }

    void sweepsOfEveryFormAgree()
    {
        Random random(2);
        constexpr std::int64_t kCount = 259;
        const auto row = [&] {
            std::vector<std::int32_t> values;
            for (std::int64_t i = 0; i < kCount; ++i)
                values.push_back(static_cast<std::int32_t>(random.upTo(1000)));
            return values;
        };
        for (const bool hasA : {false, true})
            for (const bool hasB : {false, true})
                for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{8}, kCount}) {
                    const auto a = row(), b = row(), upper = row();
                    const std::int32_t* rowA = hasA ? a.data() : nullptr;
                    const std::int32_t* rowB = hasB ? b.data() : nullptr;
                    auto plainUpper = upper, bestUpper = upper;
                    plainCellSweeps().lowerTo(plainUpper.data(), rowA, rowB, 7, count);
                    bestCellSweeps().lowerTo(bestUpper.data(), rowA, rowB, 7, count);
                    QVERIFY(plainUpper == bestUpper);
                    std::vector<std::uint8_t> plainBelow(kCount, 0), bestBelow(kCount, 0);
                    plainCellSweeps().markBelow(plainBelow.data(), upper.data(), rowA, rowB, 7, count);
                    bestCellSweeps().markBelow(bestBelow.data(), upper.data(), rowA, rowB, 7, count);
                    QVERIFY(plainBelow == bestBelow);
                    for (std::int64_t i = 0; i < count; ++i) {
                        const auto k = static_cast<std::size_t>(i);
                        const std::int32_t sum = (hasA ? a[k] : 0) + (hasB ? b[k] : 0) + 7;
                        QCOMPARE(plainUpper[k], std::min(upper[k], sum));
                        QCOMPARE(plainBelow[k] != 0, sum < upper[k]);
                    }
                }
    }
};

QTEST_APPLESS_MAIN(NestedEnvelopeTest)
#include "nested_envelope_test.moc"
