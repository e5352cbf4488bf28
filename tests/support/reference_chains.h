// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <QtCore/QDir>
#include <QtTest/QTest>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/plan/frontier.h"

namespace remat::testing {

/// The chains of tests/data/chains of which frontiers are known.
inline QStringList referenceNames()
{
    QStringList names;
    for (const QString& file : QDir(REMAT_TEST_DATA "/chains").entryList({"*.expect.json"}))
        names.push_back(QString(file).remove(".expect.json"));
    return names;
}

inline Result<Chain> readReferenceChain(const QString& name)
{
    return readChain((REMAT_TEST_DATA "/chains/" + name + ".chain.json").toStdString());
}

/// What is known of it (tests/data/chains/README.md); null where there is no such file.
inline nlohmann::json expectationOf(const QString& name)
{
    const auto text = readFile((REMAT_TEST_DATA "/chains/" + name + ".expect.json").toStdString());
    return text ? parseJson(*text, "expect").value() : nlohmann::json();
}

/// [peak, time] as the reference lists it: that knows no reruns, so points that differ only in them are one.
inline std::vector<std::pair<std::int64_t, std::int64_t>> withoutReruns(const std::vector<FrontierPoint>& points)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> distinct;
    for (const FrontierPoint& point : points)
        if (distinct.empty() || point.time.value < distinct.back().second)
            distinct.emplace_back(point.peak.value, point.time.value);
    return distinct;
}

/// Law 1: what a plan states is what its schedule replays to.  Of long frontiers about `most` points, the last among
/// them.
template <class ScheduleOf>
void requireReplayed(
    const Chain& chain, const std::vector<FrontierPoint>& points, std::size_t most, const ScheduleOf& scheduleOf)
{
    const std::size_t stride = points.size() / most + 1;
    for (std::size_t k = 0; k < points.size() + stride - 1; k += stride) {
        const std::size_t point = std::min(k, points.size() - 1);
        const auto result = replay(chain, scheduleOf(point));
        QVERIFY(static_cast<bool>(result));
        QCOMPARE(result->peak, points[point].peak);
        QCOMPARE(result->time, points[point].time);
        QCOMPARE(result->reruns, points[point].reruns);
    }
}

} // namespace remat::testing
