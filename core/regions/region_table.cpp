// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_table.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/index.h"
#include "core/model/families.h"
#include "core/regions/cut_step.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using torch::Event;
using torch::Phase;
using torch::TorchStep;

std::string_view parentOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(0, dot);
}

/// The child of the layer that a path inside the layer is in.
std::string childOf(const std::string& path)
{
    return {path.begin(), std::find(path.begin(), path.end(), '.')};
}

bool isInside(std::string_view path, std::string_view of)
{
    return !of.empty() && path.starts_with(of) && (path.size() == of.size() || path[of.size()] == '.');
}

/// What the family's names say about a module's place in its layer.
LayerPart partOf(std::string_view path, const ModulePaths& names)
{
    for (const char* norm : {names.norm1, names.norm2})
        if (isInside(path, norm))
            return LayerPart::Norm;
    if (path.find("norm") != std::string_view::npos || path.find("Norm") != std::string_view::npos)
        return LayerPart::Norm;
    const auto isNear = [&](std::string_view module) { return !module.empty() && isInside(path, parentOf(module)); };
    for (const char* qkv : names.qkv)
        if (isNear(qkv))
            return LayerPart::Attention;
    if (isNear(names.attentionOut))
        return LayerPart::Attention;
    for (const char* ffn : {names.ffnGate, names.ffnUp, names.ffnDown})
        if (isNear(ffn))
            return LayerPart::Ffn;
    return LayerPart::Other;
}

/// Finds the layer and the row of every module path of a step.
class ModuleFinder {
public:
    explicit ModuleFinder(const ModelShape& shape) : m_names(modulePathsOf(shape))
    {
        m_stacks.push_back({m_names.layers, 0});
        if (m_names.decoder)
            m_stacks.push_back({m_names.decoder->layers, static_cast<int>(shape.layers)});
    }

    struct Found {
        int layer = -1;     ///< the decoder's count behind the encoder's
        std::string inside; ///< the path in the layer
    };
    std::optional<Found> find(const std::string& path) const
    {
        for (const auto& [prefix, before] : m_stacks)
            if (const std::optional<int> layer = layerOf(path, prefix)) {
                const std::size_t dot = path.find('.', prefix.size());
                return Found{*layer + before, dot == std::string::npos ? std::string() : path.substr(dot + 1)};
            }
        return std::nullopt;
    }
    const ModulePaths& names() const { return m_names; }

private:
    const ModulePaths& m_names;
    std::vector<std::pair<std::string, int>> m_stacks; ///< prefix of the layers, and how many stand before them
};

class TableBuilder {
public:
    TableBuilder(const RegionPlan& plan, const TorchStep& keepAll, const TorchStep& planned)
        : m_plan(plan),
          m_keepAll(keepAll),
          m_planned(planned),
          m_finder(plan.request.shape),
          m_device(atPrecision(plan.request.device, plan.request.setup))
    {
        m_table.layers = torch::layerCount(plan.request.shape);
    }

    RegionTable build()
    {
        addRows();
        m_table.cells.resize(m_table.rows.size() * m_table.layers);
        addEvents(m_keepAll, [this](ModuleCell& cell, const Event& event) {
            if (event.phase == Phase::Forward || event.phase == Phase::Backward)
                cell.flops += event.flops;
            if (event.phase == Phase::Forward)
                cell.forward += timeOf(event, m_device);
        });
        addEvents(m_planned, [this](ModuleCell& cell, const Event& event) {
            if (event.phase != Phase::Recompute)
                return;
            cell.recomputed += event.flops;
            cell.again += timeOf(event, m_device);
            cell.isRecomputed = true;
        });
        addSaved(m_keepAll, &ModuleCell::all);
        addSaved(m_planned, &ModuleCell::kept);
        sumChildren();
        return std::move(m_table);
    }

private:
    /// Rows by first appearance in forward: the children of a layer, each followed by its modules.
    void addRows()
    {
        std::vector<std::pair<std::string, std::vector<std::string>>> children;
        std::vector<bool> isSeen(m_keepAll.modulePaths.size());
        for (const Event& event : m_keepAll.events) {
            if (event.phase != Phase::Forward || isSeen[at(event.module)])
                continue;
            isSeen[at(event.module)] = true;
            const auto found = m_finder.find(m_keepAll.modulePaths[at(event.module)]);
            if (!found)
                continue;
            const std::string child = childOf(found->inside);
            auto known
                = std::find_if(children.begin(), children.end(), [&](const auto& c) { return c.first == child; });
            if (known == children.end())
                known = children.insert(children.end(), {child, {}});
            if (std::find(known->second.begin(), known->second.end(), found->inside) == known->second.end())
                known->second.push_back(found->inside);
        }
        for (const auto& [child, modules] : children) {
            const int parent = static_cast<int>(m_table.rows.size());
            m_table.rows.push_back({child, -1, childPart(child, modules)});
            m_rowOf[child] = parent;
            // A child without modules of its own is one row.
            if (modules.size() == 1 && modules.front() == child)
                continue;
            for (const std::string& module : modules) {
                m_rowOf[module] = static_cast<int>(m_table.rows.size());
                m_table.rows.push_back({module, parent, partOf(module, m_finder.names())});
            }
        }
    }

    /// A child that is no part by its own name is what its first module is: BERT's "output" holds the FFN's product.
    LayerPart childPart(const std::string& child, const std::vector<std::string>& modules) const
    {
        LayerPart part = partOf(child, m_finder.names());
        for (const std::string& module : modules)
            if (part == LayerPart::Other && !child.empty())
                part = partOf(module, m_finder.names());
        return part;
    }

    /// The cell of what ran in a module, or of the stage it belongs to where that is no layer's.
    ModuleCell& cellOf(const std::string& path, int stage)
    {
        if (const auto found = m_finder.find(path); found && at(found->layer) < m_table.layers)
            if (const auto row = m_rowOf.find(found->inside); row != m_rowOf.end())
                return m_table.cells[at(row->second) * m_table.layers + at(found->layer)];
        if (stage == CutStep::kEmbedding)
            return m_table.embedding;
        const auto own = m_rowOf.find("");
        if (stage != CutStep::kHead && own != m_rowOf.end() && at(stage) < m_table.layers)
            return m_table.cells[at(own->second) * m_table.layers + at(stage)];
        return m_table.head;
    }

    template <class Add> void addEvents(const TorchStep& step, const Add& add)
    {
        const CutStep cut(step, m_plan.request.shape);
        // Paths are few, events many.
        std::map<std::pair<int, int>, ModuleCell*> known;
        for (std::size_t i = 0; i < step.events.size(); ++i) {
            ModuleCell*& cell = known[{step.events[i].module, cut.stageOf(i)}];
            if (!cell)
                cell = &cellOf(step.modulePaths[at(step.events[i].module)], cut.stageOf(i));
            add(*cell, step.events[i]);
        }
    }

    void addSaved(const TorchStep& step, Bytes ModuleCell::*bytes)
    {
        const std::string embedding = m_finder.names().embedding;
        for (const torch::SavedTensor& tensor : step.savedTensors)
            cellOf(tensor.module, isInside(tensor.module, embedding) ? CutStep::kEmbedding : CutStep::kHead).*bytes
                += tensor.bytes;
    }

    void sumChildren()
    {
        for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
            if (m_table.rows[row].parent < 0)
                continue;
            for (std::size_t layer = 0; layer < m_table.layers; ++layer) {
                ModuleCell& sum = m_table.cells[at(m_table.rows[row].parent) * m_table.layers + layer];
                const ModuleCell& part = m_table.cell(row, layer);
                sum.kept += part.kept;
                sum.all += part.all;
                sum.flops += part.flops;
                sum.recomputed += part.recomputed;
                sum.again += part.again;
                sum.forward += part.forward;
                sum.isRecomputed = sum.isRecomputed || part.isRecomputed;
            }
        }
    }

    const RegionPlan& m_plan;
    const TorchStep& m_keepAll;
    const TorchStep& m_planned;
    ModuleFinder m_finder;
    Device m_device;
    RegionTable m_table;
    std::unordered_map<std::string, int> m_rowOf; ///< where what runs in a module counts
};

bool isSameTensor(const torch::SavedTensor& a, const torch::SavedTensor& b)
{
    return a.module == b.module && a.op == b.op && a.dtype == b.dtype && a.sizes == b.sizes && a.bytes == b.bytes;
}

} // namespace

RegionTable makeRegionTable(const RegionPlan& plan, const TorchStep& keepAll, const TorchStep& planned)
{
    return TableBuilder(plan, keepAll, planned).build();
}

std::optional<ModulePlace> placeOf(const RegionTable& table, const ModelShape& shape, const std::string& modulePath)
{
    const auto found = ModuleFinder(shape).find(modulePath);
    if (!found || at(found->layer) >= table.layers)
        return std::nullopt;
    const std::string child = childOf(found->inside);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (table.rows[row].parent < 0 && table.rows[row].module == child)
            return ModulePlace{row, at(found->layer)};
    return std::nullopt;
}

std::vector<LayerTensor> layerTensors(
    const RegionPlan& plan, const TorchStep& keepAll, const TorchStep& planned, std::size_t layer)
{
    const ModuleFinder finder(plan.request.shape);
    const auto isOfLayer = [&](const torch::SavedTensor& tensor) {
        const auto found = finder.find(tensor.module);
        return found && at(found->layer) == layer;
    };
    std::vector<torch::SavedTensor> kept;
    std::copy_if(planned.savedTensors.begin(), planned.savedTensors.end(), std::back_inserter(kept), isOfLayer);
    const Device device = atPrecision(plan.request.device, plan.request.setup);
    std::vector<LayerTensor> tensors;
    for (const torch::SavedTensor& saved : keepAll.savedTensors) {
        if (!isOfLayer(saved))
            continue;
        LayerTensor tensor{finder.find(saved.module)->inside, saved.op, saved.sizes, saved.dtype, saved.bytes};
        if (const auto same = std::find_if(
                kept.begin(), kept.end(), [&](const torch::SavedTensor& other) { return isSameTensor(saved, other); });
            same != kept.end()) {
            tensor.isKept = true;
            kept.erase(same);
        }
        for (const Event& event : keepAll.events)
            if (event.phase == Phase::Forward && keepAll.modulePaths[at(event.module)] == saved.module
                && nameOf(event.op) == saved.op) {
                tensor.forward = timeOf(event, device);
                break;
            }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

std::vector<StepInstant> instantsOf(const TorchStep& step, const RegionRequest& request)
{
    const Device device = atPrecision(request.device, request.setup);
    std::vector<StepInstant> instants;
    instants.reserve(step.events.size());
    Nanoseconds now;
    for (const Event& event : step.events) {
        instants.push_back({now, event.live + event.temporaries});
        now += timeOf(event, device);
    }
    return instants;
}

} // namespace remat
