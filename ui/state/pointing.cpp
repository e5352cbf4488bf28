// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/pointing.h"

namespace remat::ui {

void Pointing::setHover(const std::optional<GridPlace>& place)
{
    if (m_hover == place)
        return;
    m_hover = place;
    emit hoverChanged();
}

void Pointing::setInstant(std::optional<int> instruction)
{
    if (m_instant == instruction)
        return;
    m_instant = instruction;
    emit instantChanged();
}

void Pointing::setLit(const std::vector<GridPlace>& places)
{
    if (m_lit == places)
        return;
    m_lit = places;
    emit litChanged();
}

void Pointing::setStrategy(const QString& name)
{
    if (m_strategy == name)
        return;
    m_strategy = name;
    emit strategyChanged();
}

} // namespace remat::ui
