// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/exact_options.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/regions/event_times.h"
#include "core/torch/torch_step.h"

namespace remat {

namespace {

using torch::LayerGraph;
using OpSet = std::vector<bool>; ///< of a layer's ops

/// What a keep-set keeps, and what it takes to make the rest again.
struct SetCost {
    Bytes kept;
    Nanoseconds again;
    OpSet used; ///< the ops of the set that any reader needs
};

class LayerKeeps {
public:
    LayerKeeps(const RegionRequest& request, std::size_t layer)
        : m_graph(torch::layerGraphOf(request.shape, request.setup, layer))
    {
        const Device device = atPrecision(request.device, request.setup);
        for (const LayerGraph::Op& op : m_graph.ops)
            m_times.push_back(timeOf(op.event, device));
    }

    std::size_t size() const { return m_graph.ops.size(); }
    const std::string& nameOf(std::size_t op) const { return m_graph.ops[op].name; }

    /// As ExactLayer::finish() counts.
    SetCost costOf(const OpSet& set) const
    {
        SetCost cost{{}, {}, OpSet(size())};
        OpSet again(size());
        std::vector<bool> isNeeded(m_graph.values.size());
        std::vector<std::size_t> todo;
        const auto need = [&](std::size_t value) {
            if (!isNeeded[value])
                todo.push_back(value);
            isNeeded[value] = true;
        };
        for (std::size_t value = 0; value < m_graph.values.size(); ++value)
            if (m_graph.values[value].isSaved)
                need(value);
        while (!todo.empty()) {
            const LayerGraph::Value& value = m_graph.values[todo.back()];
            todo.pop_back();
            if (value.isOutput)
                continue;
            const std::size_t maker = value.recipe.front();
            if (set[maker]) {
                cost.kept += value.bytes;
                cost.used[maker] = true;
                continue;
            }
            for (const std::size_t op : value.recipe) {
                if (again[op])
                    continue;
                again[op] = true;
                cost.again += m_times[op];
                for (const std::size_t read : m_graph.ops[op].reads)
                    need(read);
            }
        }
        return cost;
    }

private:
    LayerGraph m_graph;
    std::vector<Nanoseconds> m_times;
};

struct Step {
    OpSet set;
    SetCost cost;
};

/// From `set`, the change of one op that pays best, until none is left to change.
void walk(const LayerKeeps& layer, OpSet set, bool isDropping, std::vector<Step>& steps)
{
    SetCost cost = layer.costOf(set);
    if (isDropping)
        set = cost.used;
    for (;;) {
        steps.push_back({cost.used, cost});
        std::optional<Step> best;
        double bestRate = 0;
        for (std::size_t op = 0; op < set.size(); ++op) {
            if (set[op] != isDropping)
                continue;
            OpSet changed = set;
            changed[op] = !isDropping;
            SetCost after = layer.costOf(changed);
            if (!isDropping && !after.used[op])
                continue;
            const double bytes = std::abs(static_cast<double>((after.kept - cost.kept).value)) + 1;
            const double time = std::abs(static_cast<double>((after.again - cost.again).value)) + 1;
            const double rate = isDropping ? bytes / time : time / bytes;
            if (best && rate <= bestRate)
                continue;
            bestRate = rate;
            if (isDropping)
                changed = after.used;
            best = Step{std::move(changed), std::move(after)};
        }
        if (!best)
            return;
        set = std::move(best->set);
        cost = std::move(best->cost);
    }
}

std::string nameOf(const std::vector<std::string>& kept, Bytes bytes)
{
    if (kept.empty())
        return "exact, keeping nothing";
    return "exact, keeping " + std::to_string(kept.size()) + (kept.size() == 1 ? " op (" : " ops (")
        + formatBytes(bytes) + ")";
}

} // namespace

bool hasExactOptions(const ModelShape& shape)
{
    return shape.decoderLayers == 0 && shape.experts == 0;
}

std::vector<RegionOption> exactOptions(const RegionRequest& request, std::size_t layer)
{
    const LayerKeeps keeps(request, layer);
    std::vector<Step> steps;
    walk(keeps, OpSet(keeps.size(), true), true, steps);
    walk(keeps, OpSet(keeps.size(), false), false, steps);
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return std::pair(a.cost.kept, a.cost.again) < std::pair(b.cost.kept, b.cost.again);
    });
    std::vector<Step> useful;
    for (Step& step : steps)
        if (useful.empty() || step.cost.again < useful.back().cost.again)
            useful.push_back(std::move(step));
    std::vector<RegionOption> options{{"keep", {}}};
    const std::size_t count = std::min(useful.size(), kMostKeepSets);
    for (std::size_t i = 0; i < count; ++i) {
        const Step& step = useful[count == 1 ? 0 : i * (useful.size() - 1) / (count - 1)];
        RegionOption option;
        option.regions.isExact = true;
        for (std::size_t op = 0; op < step.set.size(); ++op)
            if (step.set[op])
                option.regions.kept.push_back(keeps.nameOf(op));
        option.name = nameOf(option.regions.kept, step.cost.kept);
        options.push_back(std::move(option));
    }
    return options;
}

std::optional<std::string> exactName(
    const RegionRequest& request, std::size_t layer, const std::vector<std::string>& kept)
{
    const LayerKeeps keeps(request, layer);
    OpSet set(keeps.size());
    for (const std::string& name : kept)
        for (std::size_t op = 0; op < keeps.size(); ++op)
            if (keeps.nameOf(op) == name)
                set[op] = true;
    const SetCost cost = keeps.costOf(set);
    if (static_cast<std::size_t>(std::count(cost.used.begin(), cost.used.end(), true)) != kept.size())
        return std::nullopt;
    return nameOf(kept, cost.kept);
}

} // namespace remat
