// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mailbox.h"
#include "core/paper/paper_step.h"
#include "core/regions/region_plan.h"
#include "core/regions/region_request.h"
#include "ui/state/idle_work.h"

namespace remat::ui {

/// What one GPU of several holds of the step, by either description; the fullest of them stands for all.
struct RankAnswer {
    /// A way to run the layers again, with what follows.
    struct Row {
        PaperRecompute recompute = PaperRecompute::None;
        RankBytes fullest;
        std::optional<ReservedBytes> reserved; ///< of PyTorch's allocator; closed forms have none
        Bytes onDevice;
        Nanoseconds step;
        std::optional<PaperLayer> layer; ///< of the closed forms: what a layer keeps
    };
    std::vector<Row> rows;      ///< nothing, and every layer; by closed forms selective recomputation in between
    std::optional<Error> error; ///< why there are none
};

/// Describes one rank on the planner thread, while no question waits for it.
class RankWork : public IdleWork {
public:
    /// By the simulation of PyTorch, or by the papers' closed forms.
    RankWork(RegionRequest request, const Parallelism& parallelism);
    explicit RankWork(PaperRequest request);

    bool step(const std::stop_token& cancel) override;
    /// The answer, once it is there.
    std::optional<RankAnswer> take() { return m_box.take(); }

private:
    RankAnswer answerOfTorch(const std::stop_token& cancel) const;
    RankAnswer answerOfPaper() const;

    std::optional<RegionRequest> m_torch;
    Parallelism m_parallelism;
    std::optional<PaperRequest> m_paper;
    Mailbox<RankAnswer> m_box;
};

} // namespace remat::ui
