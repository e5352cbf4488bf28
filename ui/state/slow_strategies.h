// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mailbox.h"
#include "core/plan/nested_study.h"
#include "ui/state/idle_work.h"

namespace remat::ui {

/// The strategies of the board that a study does not answer at once (slowStrategies()): rotor-500, which is solved anew
/// for each budget, and optimal-nested, whose study serves every budget of the same step.
class SlowStrategies : public IdleWork {
public:
    /// `nested`: what was solved for the study before, or null.
    SlowStrategies(std::shared_ptr<const Study> study, Bytes budget, std::shared_ptr<const NestedStudy> nested);

    bool step(const std::stop_token& cancel) override;

    const std::shared_ptr<const Study>& study() const { return m_study; }
    Bytes budget() const { return m_budget; }

    struct Found {
        std::vector<ComparedStrategy> rows; ///< all so far
        std::shared_ptr<const NestedStudy> nested;
    };
    /// What there is, when it is more than at the last call.
    std::optional<Found> take() { return m_box.take(); }

    /// Rotor's solve cannot be stopped; above so many stages it would make a question wait.
    static constexpr std::size_t kMostRotorStages = 64;
    /// What the nested tables of a board may take; a solve of the person's own may take more.
    static constexpr std::int64_t kMostTableBytes = std::int64_t{128} << 20;

private:
    const std::shared_ptr<const Study> m_study;
    const Bytes m_budget;
    std::vector<Strategy> m_todo; ///< the next one last
    Found m_found;
    Mailbox<Found> m_box;
};

} // namespace remat::ui
