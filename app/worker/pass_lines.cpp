// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/pass_lines.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/run/run_times_json.h"

namespace remat::worker {

namespace {

using nlohmann::json;

constexpr std::string_view kStart = R"({"event":"measured",)";
constexpr const char* kWhere = "remat-worker --pass";

json numbers(const std::vector<Nanoseconds>& times)
{
    json list = json::array();
    for (const Nanoseconds time : times)
        list.push_back(time.value);
    return list;
}

std::vector<Nanoseconds> readTimes(const JsonCursor& at)
{
    std::vector<Nanoseconds> times;
    for (const JsonCursor& time : at.elements())
        times.push_back(time.nanoseconds());
    return times;
}

json poolJson(const PoolMemory& pool)
{
    json phases = json::array();
    for (const PoolPeak& phase : pool.phases)
        phases.push_back({phase.used.value, phase.reserved.value});
    return {{"phases", phases}, {"repeated", pool.isRepeated}, {"cap", optionalJson(pool.cap)},
        {"process_before", optionalJson(pool.processBefore)}, {"process_after", optionalJson(pool.processAfter)},
        {"free_shrank", optionalJson(pool.freeShrank)}};
}

PoolMemory readPool(const JsonCursor& at)
{
    PoolMemory pool;
    const std::vector<JsonCursor> phases = at["phases"].elements(kStepPhases);
    for (std::size_t i = 0; i < phases.size(); ++i)
        if (const std::vector<JsonCursor> marks = phases[i].elements(2); marks.size() == 2)
            pool.phases[i] = {marks[0].bytes(), marks[1].bytes()};
    pool.isRepeated = at["repeated"].boolean();
    pool.cap = at["cap"].optionalBytes();
    pool.processBefore = at["process_before"].optionalBytes();
    pool.processAfter = at["process_after"].optionalBytes();
    pool.freeShrank = at["free_shrank"].optionalBytes();
    return pool;
}

/// "event" first, so that a line is known by its start.
std::string lineOf(const json& fields)
{
    std::string text = jsonText(fields);
    return std::string(kStart) + text.substr(1);
}

template <class Found, class Read> Result<Found> readLine(std::string_view line, const Read& read)
{
    const Result<json> document = parseJson(line, kWhere);
    if (!document)
        return document.error();
    const JsonCursor root(*document, kWhere);
    Found found = read(root);
    if (root.failed())
        return root.error();
    return found;
}

} // namespace

std::string measuredLine(const MemoryFound& found)
{
    json phases = json::array();
    for (const Bytes phase : found.phases)
        phases.push_back(phase.value);
    return lineOf({{"tracked", found.tracked.value}, {"system", optionalJson(found.system)},
        {"system_before", optionalJson(found.systemBefore)}, {"forwards", found.forwardsOfOp}, {"phases", phases},
        {"pool", found.pool ? poolJson(*found.pool) : json()}});
}

std::string measuredLine(const TimingFound& found)
{
    json points = json::array();
    for (const TimelinePoint& point : found.timeline)
        points.push_back({point.time.value, point.live.value, point.instruction});
    return lineOf({{"machine", found.machine}, {"tracked", found.tracked.value}, {"warm_up", found.warmUp.value},
        {"steps", numbers(found.steps)}, {"optimizer", numbers(found.optimizer)}, {"losses", found.losses},
        {"points", points}, {"ops", toJson(found.ops)}, {"stages", toJson(found.stages)}});
}

std::string measuredLine(const GradientsFound& found)
{
    json hashes = json::array();
    for (const auto& [name, hash] : found.hashes)
        hashes.push_back({name, std::to_string(hash)});
    return lineOf({{"loss_bits", std::to_string(found.lossBits)}, {"hashes", hashes}});
}

bool isMeasuredLine(std::string_view line)
{
    return line.starts_with(kStart);
}

Result<MemoryFound> readMemoryFound(std::string_view line)
{
    return readLine<MemoryFound>(line, [](const JsonCursor& at) {
        MemoryFound found{at["tracked"].bytes(), at["system"].optionalBytes(), at["system_before"].optionalBytes()};
        if (!at["pool"].isNull())
            found.pool = readPool(at["pool"]);
        const std::vector<JsonCursor> phases = at["phases"].elements(kStepPhases);
        for (std::size_t i = 0; i < phases.size(); ++i)
            found.phases[i] = phases[i].bytes();
        for (const JsonCursor& stage : at["forwards"].elements()) {
            std::vector<int>& counts = found.forwardsOfOp.emplace_back();
            for (const JsonCursor& count : stage.elements())
                counts.push_back(static_cast<int>(count.integer(0, 1 << 20)));
        }
        return found;
    });
}

Result<TimingFound> readTimingFound(std::string_view line)
{
    return readLine<TimingFound>(line, [](const JsonCursor& at) {
        TimingFound found{at["machine"].string(), at["tracked"].bytes(), at["warm_up"].nanoseconds(),
            readTimes(at["steps"]), readTimes(at["optimizer"]), readOpTimes(at["ops"]), readStageTimes(at["stages"]),
            {}, {}};
        for (const JsonCursor& loss : at["losses"].elements())
            found.losses.push_back(loss.number());
        for (const JsonCursor& row : at["points"].elements()) {
            const std::vector<JsonCursor> columns = row.elements(3);
            if (columns.size() == 3)
                found.timeline.push_back({columns[0].nanoseconds(), columns[1].bytes(),
                    static_cast<int>(columns[2].integer(0, std::int64_t{1} << 30))});
        }
        return found;
    });
}

Result<GradientsFound> readGradientsFound(std::string_view line)
{
    return readLine<GradientsFound>(line, [](const JsonCursor& at) {
        GradientsFound found{std::strtoull(at["loss_bits"].string().c_str(), nullptr, 10), {}};
        for (const JsonCursor& row : at["hashes"].elements()) {
            const std::vector<JsonCursor> columns = row.elements(2);
            if (columns.size() == 2)
                found.hashes.emplace_back(columns[0].string(), std::strtoull(columns[1].string().c_str(), nullptr, 10));
        }
        return found;
    });
}

} // namespace remat::worker
