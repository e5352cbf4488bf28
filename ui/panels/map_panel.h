// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/plan/batch_map.h"
#include "ui/state/planner_thread.h"
#include "ui/theme/theme.h"

namespace remat::ui {

class BatchMapWidget;
class BatchMapWork;
class ExplorerState;

/// The budget x batch map of the model: solved while it can be seen, a batch at a time, whenever the planner has
/// nothing more urgent to do.  Rows of an unchanged model stay when budget or batch move.
class MapPanel : public QWidget {
    Q_OBJECT
public:
    MapPanel(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    ~MapPanel() override;
    void setTheme(const Theme& theme);
    BatchMapWidget& map() const { return *m_map; }
    bool isComplete() const { return m_work && m_left == 0; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// Asks for the rows that are missing.
    void follow();
    void take();
    void showMap();
    void choose(std::int64_t batch, Bytes budget);

    ExplorerState& m_state;
    BatchMapWidget* m_map;
    std::shared_ptr<BatchMapWork> m_work;
    std::optional<Question> m_question; ///< that m_rows belong to, but for its batch
    std::vector<BatchMapRow> m_rows;
    std::size_t m_left = 0;
};

} // namespace remat::ui
