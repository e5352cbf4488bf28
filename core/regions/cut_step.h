// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/regions/event_times.h"

namespace remat {

/// The number of the layer that a module path names under a family's prefix, "model.layers.3.mlp" -> 3; nothing where
/// it names none.
std::optional<int> layerOf(const std::string& path, const std::string& prefix);

/// A simulated step cut into stages: the embedding, each layer, the head.
///
/// An op belongs to the layer whose module runs it.  What no layer runs stands before them in forward until the first
/// layer runs and behind them from then on; in backward the other way round, and what stands between two layers' ops
/// belongs to the first of them.  The step must outlive this.
class CutStep {
public:
    static constexpr int kEmbedding = -1;
    static constexpr int kHead = std::numeric_limits<int>::max();

    CutStep(const torch::TorchStep& step, const ModelShape& shape);

    /// Of an event by its place in the step.
    int stageOf(std::size_t event) const { return m_stages[event]; }
    /// The most that is allocated while a stage's ops of a direction run; nothing where it has none.
    Bytes peakOf(int stage, bool isForward) const;
    /// On a device that is atPrecision().
    Nanoseconds timeOf(int stage, bool isForward, const Device& device) const;
    /// Ops of the stage's backward that run again.
    std::int64_t rerunsOf(int stage) const;
    /// What stays for backward of what a layer made.
    Bytes savedOf(int layer) const;
    /// And of what the embedding made.
    Bytes savedOfEmbedding() const;
    /// The op of these stages at which most is allocated; null where they have none.
    const torch::Event* fullestOf(bool hasEmbedding, bool hasHead) const;

private:
    template <class Visit> void forEach(int stage, bool isForward, const Visit& visit) const;
    /// The number of the layer that a module path names, among those of both stacks; nothing where it names none.
    std::optional<int> layerIn(const std::string& path) const;

    const torch::TorchStep& m_step;
    std::vector<std::pair<std::string, int>> m_stacks; ///< layers' path, and how many layers stand before
    std::string m_embedding, m_headNorm;
    std::vector<int> m_stages; ///< of each event
};

} // namespace remat
