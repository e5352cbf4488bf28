// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <memory>
#include <vector>

#include "ui/state/slow_strategies.h"

namespace remat::ui {

class ExplorerState;
class StrategyTableModel;

/// Fills the board of strategies: those that came with the answer at once, and the slow ones while somebody looks and
/// the planner has nothing more urgent to do.
class StrategyBoard : public QObject {
    Q_OBJECT
public:
    StrategyBoard(ExplorerState& state, StrategyTableModel& rows, QObject* parent = nullptr);
    /// What there is now.
    void show();
    /// Whether somebody looks at the board.
    void setWatched(bool isWatched);
    bool isComplete() const;

private:
    void follow();
    void take();

    ExplorerState& m_state;
    StrategyTableModel& m_rows;
    bool m_isWatched = false;
    std::shared_ptr<SlowStrategies> m_work; ///< of the study and the budget shown
    SlowStrategies::Found m_found;
};

} // namespace remat::ui
