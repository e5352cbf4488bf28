// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/painters/grid_layout.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

constexpr double kBetweenLabels = 5.0;

int labelStep(int layers)
{
    return layers <= 14 ? 1 : layers <= 40 ? 4 : layers <= 64 ? 8 : 16;
}

/// Places labels one by one; whoever comes first keeps its place.
class LabelRow {
public:
    LabelRow(const GridLayout& layout, const GridView& view, const Theme& theme)
        : m_layout(layout),
          m_view(view),
          m_theme(theme)
    { }

    void add(int column, bool isSelected, bool mustShow)
    {
        if (column < 0 || isPlaced(column))
            return;
        GridLabel label{column, wishedRect(column, isSelected), columnLabel(m_view, column), isSelected};
        const double gap = m_theme.px(kBetweenLabels);
        const QRectF wished = label.rect;
        // A label that must show moves beside the ones before it instead of vanishing, away from the nearer end.
        for (int turn = 0; turn < 2; ++turn)
            for (const GridLabel& placed : m_labels) {
                if (!placed.rect.adjusted(-gap, 0, gap, 0).intersects(label.rect))
                    continue;
                if (!mustShow || (turn == 1 && !isSelected))
                    return;
                if (turn == 1) {
                    // No room for all three: the selected one is what the person asks about.
                    label.rect = wished;
                    std::erase_if(m_labels, [&](const GridLabel& other) {
                        return other.rect.adjusted(-gap, 0, gap, 0).intersects(wished);
                    });
                    m_labels.push_back(label);
                    return;
                }
                if (column > placed.column)
                    label.rect.moveLeft(placed.rect.right() + gap);
                else
                    label.rect.moveRight(placed.rect.left() - gap);
            }
        m_labels.push_back(label);
    }

    std::vector<GridLabel> take() { return std::move(m_labels); }

private:
    bool isPlaced(int column) const
    {
        return std::any_of(m_labels.begin(), m_labels.end(), [&](const GridLabel& l) { return l.column == column; });
    }

    QRectF wishedRect(int column, bool isSelected) const
    {
        const GridColumnBox& box = m_layout.columns[static_cast<std::size_t>(column)];
        const QFontMetricsF metrics(m_theme.font(FontRole::Label, isSelected));
        const double width = std::ceil(metrics.horizontalAdvance(columnLabel(m_view, column)));
        double left = std::round((box.left + box.right - width) / 2.0);
        // Numbers stay over the layers' block, so that the names beside it have room; those hang outward.
        if (m_view.isLayer(column))
            left = std::clamp(left, m_layout.cellsLeft, std::max(m_layout.cellsLeft, m_layout.cellsRight - width));
        else if (m_view.columns[static_cast<std::size_t>(column)].first < 0)
            left = std::min(left, box.right - width);
        else
            left = std::max(left, box.left);
        return {left, m_layout.header.top(), width, m_layout.header.height()};
    }

    const GridLayout& m_layout;
    const GridView& m_view;
    const Theme& m_theme;
    std::vector<GridLabel> m_labels;
};

} // namespace

std::vector<GridLabel> placeColumnLabels(
    const GridLayout& layout, const GridView& view, int selectedColumn, const Theme& theme)
{
    LabelRow row(layout, view, theme);
    const int first = view.columnOf(0), last = view.columnOf(view.layerCount - 1);
    row.add(first, first == selectedColumn, true);
    row.add(last, last == selectedColumn, true);
    row.add(selectedColumn, true, true);
    for (int column = 0; column < view.columnCount(); ++column)
        if (!view.isLayer(column))
            row.add(column, column == selectedColumn, false);
    const bool isGrouped = view.columnCount() > 0 && last - first + 1 < view.layerCount;
    const int step = isGrouped ? 1 : labelStep(view.layerCount);
    for (int column = first; column <= last && column >= 0; ++column)
        if ((column - first) % step == 0)
            row.add(column, column == selectedColumn, false);
    return row.take();
}

} // namespace remat::ui
