// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/cut_step.h"

#include <algorithm>
#include <charconv>

#include "core/model/module_paths.h"

namespace remat {

using torch::Event;
using torch::Phase;

std::optional<int> layerOf(const std::string& path, const std::string& prefix)
{
    if (!path.starts_with(prefix) || path.size() == prefix.size())
        return std::nullopt;
    int layer = 0;
    const char* end = path.data() + path.size();
    const auto [stop, status] = std::from_chars(path.data() + prefix.size(), end, layer);
    return status == std::errc() && (stop == end || *stop == '.') ? std::optional(layer) : std::nullopt;
}

CutStep::CutStep(const torch::TorchStep& step, const ModelShape& shape)
    : m_step(step),
      m_embedding(modulePathsOf(shape).embedding),
      m_headNorm(modulePathsOf(shape).headNorm)
{
    const ModulePaths& paths = modulePathsOf(shape);
    m_stacks.push_back({paths.layers, 0});
    if (paths.decoder)
        m_stacks.push_back({paths.decoder->layers, static_cast<int>(shape.layers)});
    std::vector<std::optional<int>> layers;
    for (const std::string& path : step.modulePaths)
        layers.push_back(layerIn(path));
    const std::vector<Event>& events = step.events;
    std::size_t lastLayerOp = 0;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (layers[static_cast<std::size_t>(events[i].module)])
            lastLayerOp = i;
    bool hasLayerRun = false;
    int backwardLayer = kHead;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const std::optional<int>& layer = layers[static_cast<std::size_t>(events[i].module)];
        if (events[i].phase == Phase::Forward) {
            hasLayerRun |= layer.has_value();
            m_stages.push_back(layer ? *layer : hasLayerRun ? kHead : kEmbedding);
        } else {
            backwardLayer = layer.value_or(i > lastLayerOp ? kEmbedding : backwardLayer);
            m_stages.push_back(backwardLayer);
        }
    }
}

std::optional<int> CutStep::layerIn(const std::string& path) const
{
    for (const auto& [prefix, before] : m_stacks)
        if (const std::optional<int> layer = layerOf(path, prefix))
            return *layer + before;
    return std::nullopt;
}

template <class Visit> void CutStep::forEach(int stage, bool isForward, const Visit& visit) const
{
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Phase phase = m_step.events[i].phase;
        if (m_stages[i] == stage && phase != Phase::Optimizer && (phase == Phase::Forward) == isForward)
            visit(m_step.events[i]);
    }
}

Bytes CutStep::peakOf(int stage, bool isForward) const
{
    Bytes peak;
    forEach(stage, isForward, [&](const Event& e) { peak = std::max(peak, e.live + e.temporaries); });
    return peak;
}

Nanoseconds CutStep::timeOf(int stage, bool isForward, const Device& device) const
{
    Nanoseconds time;
    forEach(stage, isForward, [&](const Event& e) { time += remat::timeOf(e, device); });
    return time;
}

std::int64_t CutStep::rerunsOf(int stage) const
{
    std::int64_t reruns = 0;
    forEach(stage, false, [&](const Event& e) { reruns += e.phase == Phase::Recompute ? 1 : 0; });
    return reruns;
}

Bytes CutStep::savedOf(int layer) const
{
    Bytes saved;
    for (const torch::SavedTensor& tensor : m_step.savedTensors)
        if (layerIn(tensor.module) == layer)
            saved += tensor.bytes;
    return saved;
}

Bytes CutStep::savedOfEmbedding() const
{
    // The final norm of a causal model stands beside its tables.
    Bytes saved;
    for (const torch::SavedTensor& tensor : m_step.savedTensors)
        if (!layerIn(tensor.module) && tensor.module.starts_with(m_embedding)
            && (m_headNorm.empty() || tensor.module != m_headNorm))
            saved += tensor.bytes;
    return saved;
}

const torch::Event* CutStep::fullestOf(bool hasEmbedding, bool hasHead) const
{
    const Event* fullest = nullptr;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Event& event = m_step.events[i];
        const bool isOutside = (m_stages[i] == kEmbedding && !hasEmbedding) || (m_stages[i] == kHead && !hasHead);
        if (event.phase == Phase::Optimizer || isOutside)
            continue;
        if (!fullest || event.live + event.temporaries > fullest->live + fullest->temporaries)
            fullest = &event;
    }
    return fullest;
}

} // namespace remat
