// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <stop_token>

namespace remat::ui {

/// Something long that the planner thread does a step at a time while no question waits for it: rows of a map, rows of
/// a table.  A question cancels the step under way; the step is asked for again afterwards.
///
/// Steps run on the planner thread; what they find crosses through a Mailbox of the work's own
/// (core/base/mailbox.h).  Whoever wants the work holds it: once they let go of it, it is not continued.
class IdleWork {
public:
    virtual ~IdleWork() = default;
    /// One step.  False: nothing is left to do.
    virtual bool step(const std::stop_token& cancel) = 0;
};

} // namespace remat::ui
