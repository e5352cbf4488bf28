// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/peak_report.h"

#include <array>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"

namespace remat {

namespace {

using nlohmann::json;
using Kind = WaterfallStep::Kind;

constexpr MessageCode kNotThePhases{"report-other-phases",
    REMAT_TR("A step has a forward, a backward and an optimizer phase, and the file tells of {0}."),
    REMAT_TR("The file was changed or belongs to another version; run the plan again.")};

constexpr std::array<std::string_view, 18> kNames{"kept", "working", "gradients", "weights", "optimizer", "inputs",
    "workspace", "unpredicted", "tracked", "rounding", "pool_used", "pool_spare", "pool_reserved", "context",
    "unexplained", "driver", "free_memory_shrank", "resident"};

class Way {
public:
    void add(Kind kind, Bytes bytes)
    {
        m_sum += bytes;
        if (bytes.value != 0)
            m_steps.push_back({kind, bytes, false});
    }
    /// What leads from the sum so far to a total, and the total.
    void addUpTo(Kind step, Kind total, Bytes bytes)
    {
        add(step, bytes - m_sum);
        m_steps.push_back({total, bytes, true});
    }
    std::vector<WaterfallStep> steps() { return std::move(m_steps); }

private:
    Bytes m_sum;
    std::vector<WaterfallStep> m_steps;
};

json phasesJson(const PeakReport& peak)
{
    json rows = json::array();
    for (const StepPhase phase : kAllPhases) {
        const auto i = static_cast<std::size_t>(phase);
        json row{{"phase", toName(phase)}, {"predicted_bytes", (*peak.predictedPhases)[i].value},
            {"tracked_bytes", (*peak.trackedPhases)[i].value}};
        if (peak.pool) {
            row["used_bytes"] = peak.pool->phases[i].used.value;
            row["reserved_bytes"] = peak.pool->phases[i].reserved.value;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

json waterfallJson(const PeakReport& peak)
{
    json rows = json::array();
    for (const WaterfallStep& step : waterfall(peak))
        rows.push_back({{"name", toName(step.kind)}, {"bytes", step.bytes.value}, {"total", step.isTotal}});
    return rows;
}

json poolJson(const PoolMemory& pool)
{
    return {{"repeated", pool.isRepeated}, {"cap_bytes", optionalJson(pool.cap)},
        {"process_before_bytes", optionalJson(pool.processBefore)},
        {"process_after_bytes", optionalJson(pool.processAfter)},
        {"free_memory_shrank_bytes", optionalJson(pool.freeShrank)}};
}

PoolMemory readPool(const JsonCursor& at, const std::vector<JsonCursor>& phases)
{
    PoolMemory pool;
    pool.isRepeated = at["repeated"].boolean();
    pool.cap = at["cap_bytes"].optionalBytes();
    pool.processBefore = at["process_before_bytes"].optionalBytes();
    pool.processAfter = at["process_after_bytes"].optionalBytes();
    pool.freeShrank = at["free_memory_shrank_bytes"].optionalBytes();
    for (std::size_t i = 0; i < phases.size(); ++i)
        pool.phases[i] = {phases[i]["used_bytes"].bytes(), phases[i]["reserved_bytes"].bytes()};
    return pool;
}

} // namespace

PeakParts::PeakParts(const LiveBytes& atPeak, const BaseBytes& base)
    : kept(atPeak.saved),
      working(atPeak.working),
      gradients(atPeak.weightGradients + base.gradients),
      weights(base.weights),
      optimizer(base.optimizer),
      inputs(base.inputs),
      workspace(base.workspace)
{ }

std::string_view toName(Kind kind)
{
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<WaterfallStep> waterfall(const PeakReport& peak)
{
    Way way;
    const PeakParts& parts = peak.parts;
    way.add(Kind::Kept, parts.kept);
    way.add(Kind::Working, parts.working);
    way.add(Kind::Gradients, parts.gradients);
    way.add(Kind::Weights, parts.weights);
    way.add(Kind::Optimizer, parts.optimizer);
    way.add(Kind::Inputs, parts.inputs);
    way.add(Kind::Workspace, parts.workspace);
    way.addUpTo(Kind::Unpredicted, Kind::Tracked, peak.tracked);
    if (!peak.pool) {
        if (peak.system)
            way.addUpTo(Kind::Unexplained, Kind::Resident, *peak.system);
        return way.steps();
    }
    const PoolMemory& pool = *peak.pool;
    const PoolPeak most = pool.peak();
    way.addUpTo(Kind::Rounding, Kind::PoolUsed, most.used);
    way.addUpTo(Kind::PoolSpare, Kind::PoolReserved, most.reserved);
    if (pool.processBefore && pool.processAfter) {
        way.add(Kind::Context, *pool.processBefore);
        way.addUpTo(Kind::Unexplained, Kind::Driver, *pool.processAfter);
    } else if (pool.freeShrank) {
        way.addUpTo(Kind::Unexplained, Kind::FreeShrank, *pool.freeShrank);
    }
    return way.steps();
}

json toJson(const PeakReport& peak)
{
    json object{{"predicted_bytes", peak.predicted.value}, {"predicted_at", peak.predictedAt},
        {"planned_bytes", peak.planned.value}, {"tracked_bytes", peak.tracked.value}, {"base_bytes", peak.base.value},
        {"system_bytes", optionalJson(peak.system)}, {"system_baseline_bytes", optionalJson(peak.systemBefore)}};
    if (peak.predictedPhases && peak.trackedPhases) {
        object["phases"] = phasesJson(peak);
        object["waterfall"] = waterfallJson(peak);
    }
    if (peak.pool)
        object["pool"] = poolJson(*peak.pool);
    return object;
}

PeakReport readPeakReport(const JsonCursor& at)
{
    PeakReport peak{at["predicted_bytes"].bytes(), at["predicted_at"].string(), at["planned_bytes"].bytes(),
        at["tracked_bytes"].bytes(), at["base_bytes"].bytes(), at["system_bytes"].optionalBytes(),
        at["system_baseline_bytes"].optionalBytes()};
    if (!at.has("phases"))
        return peak;
    const std::vector<JsonCursor> rows = at["phases"].elements(kStepPhases);
    if (at.failed())
        return peak;
    if (rows.size() != kStepPhases) {
        at["phases"].fail(kNotThePhases, {static_cast<std::int64_t>(rows.size())});
        return peak;
    }
    peak.predictedPhases.emplace();
    peak.trackedPhases.emplace();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        (*peak.predictedPhases)[i] = rows[i]["predicted_bytes"].bytes();
        (*peak.trackedPhases)[i] = rows[i]["tracked_bytes"].bytes();
    }
    if (at.has("pool"))
        peak.pool = readPool(at["pool"], rows);
    return peak;
}

bool tellsItsWaterfall(const JsonCursor& at, const PeakReport& peak)
{
    return !at.has("waterfall") || at["waterfall"].raw() == waterfallJson(peak);
}

} // namespace remat
