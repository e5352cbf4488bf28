// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/painters/grid_view.h"

namespace remat::ui {

/// What the person points at without choosing it; every view shows it, nothing saves or undoes it.
class Pointing : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// The cell, layer or row under the mouse in any view.
    const std::optional<GridPlace>& hover() const { return m_hover; }
    /// An instant of the step: an instruction of the program shown.  What is alive then lights up.
    std::optional<int> instant() const { return m_instant; }
    /// Cells that a view asks to stand out while no instant is looked at: where two plans differ.
    const std::vector<GridPlace>& lit() const { return m_lit; }
    /// The strategy (its name in files) that is pointed at in the board or in the trade-off; empty: none.
    const QString& strategy() const { return m_strategy; }

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void setHover(const std::optional<remat::ui::GridPlace>& place);
    void setInstant(std::optional<int> instruction);
    void setLit(const std::vector<remat::ui::GridPlace>& places);
    void setStrategy(const QString& name);

signals:
    void hoverChanged();
    void instantChanged();
    void litChanged();
    void strategyChanged();

private:
    std::optional<GridPlace> m_hover;
    std::optional<int> m_instant;
    std::vector<GridPlace> m_lit;
    QString m_strategy;
};

} // namespace remat::ui
