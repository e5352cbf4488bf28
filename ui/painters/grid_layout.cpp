// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_layout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/painters/grid_frame.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

constexpr double kWidestLayer = 120.0;
constexpr double kTensorIndent = 12.0;
constexpr double kTriangleWidth = 14.0;
constexpr double kSummaryHeight = 18.0;
constexpr double kBesideLayers = 8.0;    ///< between the layers and what stands before or behind them
constexpr double kWholeColumn = 18.0;    ///< least width of the embedding and the head where layers are narrower
constexpr double kNamedColumn = 30.0;    ///< the same where its name fits above it
constexpr double kLeastBesideName = 3.0; ///< px a column
constexpr double kWidestWholeColumn = 56.0;
constexpr double kLeastCellsShare = 0.38; ///< below this share of the width the work column gives way

struct Wanted {
    double least = 0.0;  ///< px
    double weight = 0.0; ///< share of what is free
};

/// What all columns take when a weight of 1 is worth `unit` pixels.
double totalWidth(const std::vector<Wanted>& wanted, double unit)
{
    double total = 0.0;
    for (const Wanted& one : wanted)
        total += std::max(one.least, one.weight * unit);
    return total;
}

/// The unit at which the columns fill the width, at most `most`.  Bisection: the total is monotone in the unit, and 40
/// halvings reach far below a pixel.
double fittingUnit(const std::vector<Wanted>& wanted, double width, double most)
{
    if (totalWidth(wanted, most) <= width)
        return most;
    double low = 0.0, high = most;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2.0;
        (totalWidth(wanted, middle) <= width ? low : high) = middle;
    }
    return low;
}

std::vector<Wanted> wantedWidths(const GridView& view, const Theme& theme)
{
    const QFontMetricsF metrics(theme.font(FontRole::Label, true));
    std::vector<Wanted> wanted;
    const bool hasRuns
        = std::any_of(view.columns.begin(), view.columns.end(), [](const auto& c) { return c.count() > 1; });
    for (int column = 0; column < view.columnCount(); ++column) {
        if (!view.isLayer(column))
            continue;
        const int count = view.columns[static_cast<std::size_t>(column)].count();
        const double label = hasRuns ? metrics.horizontalAdvance(columnLabel(view, column)) + theme.px(8) : 0.0;
        wanted.push_back({label, std::sqrt(static_cast<double>(count))});
    }
    return wanted;
}

/// Widths of all layer columns within `available`, unrounded.
std::vector<double> layerWidths(const GridView& view, double available, const Theme& theme)
{
    std::vector<Wanted> wanted = wantedWidths(view, theme);
    // More runs than labels fit: the labels' rule of giving way takes over.
    if (totalWidth(wanted, 0.0) > available)
        for (Wanted& one : wanted)
            one.least = 0.0;
    const double unit = fittingUnit(wanted, available, theme.px(kWidestLayer));
    std::vector<double> widths;
    widths.reserve(wanted.size());
    for (const Wanted& one : wanted)
        widths.push_back(std::max(one.least, one.weight * unit));
    return widths;
}

struct Horizontal {
    double left = 0.0, right = 0.0;
    /// Wide enough for its name where there is room.
    double leastWholeColumn(const Theme& theme) const
    {
        return std::clamp(std::round((right - left) / 18.0), theme.px(kWholeColumn), theme.px(kNamedColumn));
    }
    double wholeColumn(const Theme& theme, double layerWidth) const
    {
        return std::clamp(std::round(layerWidth), leastWholeColumn(theme), theme.px(kWidestWholeColumn));
    }
};

void layoutColumns(GridLayout& layout, const GridView& view, const Horizontal& room, const Theme& theme)
{
    int before = 0, behind = 0;
    for (int column = 0; column < view.columnCount(); ++column)
        if (!view.isLayer(column))
            ++(view.columns[static_cast<std::size_t>(column)].first < 0 ? before : behind);
    const double beside = theme.px(kBesideLayers);
    const auto sides = [&](double whole) { return (before + behind) * whole + ((before > 0) + (behind > 0)) * beside; };
    // The columns beside the layers are as wide as a layer within their bounds, so their width needs a first guess.
    const double all = room.right - room.left;
    std::vector<double> widths = layerWidths(view, std::max(1.0, all - sides(room.leastWholeColumn(theme))), theme);
    const double narrowest = widths.empty() ? all : *std::min_element(widths.begin(), widths.end());
    const double whole = std::min(room.wholeColumn(theme, narrowest), std::max(1.0, all / 8.0));
    widths = layerWidths(view, std::max(1.0, all - sides(whole)), theme);

    double total = sides(whole);
    for (const double width : widths)
        total += width;
    layout.pitch = widths.empty() ? whole : *std::min_element(widths.begin(), widths.end());
    layout.columnGap = layout.pitch >= theme.px(14) ? 2.0 : layout.pitch >= theme.px(6) ? 1.0 : 0.0;

    double x = room.left + std::max(0.0, (all - total) / 2.0);
    std::size_t layer = 0;
    layout.cellsLeft = layout.cellsRight = x;
    for (int column = 0; column < view.columnCount(); ++column) {
        const bool isLayer = view.isLayer(column);
        if (column > 0 && isLayer != view.isLayer(column - 1))
            x += beside;
        if (isLayer && layer == 0)
            layout.cellsLeft = std::round(x);
        const double end = x + (isLayer ? widths[layer++] : whole);
        const double left = std::round(x), pitchEnd = std::round(end);
        layout.columns.push_back({left, std::max(left + 1.0, pitchEnd - layout.columnGap), pitchEnd});
        if (isLayer)
            layout.cellsRight = layout.columns.back().right;
        x = end;
    }
}

/// The least height of one shown row.
double leastHeight(const GridRow& row, const Theme& theme)
{
    const double least = theme.minimumRowHeight();
    return row.isOpen ? std::max(least, theme.px(kSummaryHeight)) : least;
}

double leastHeight(const GridView& view, const Theme& theme)
{
    double height = 0.0;
    for (int row = 0; row < view.rowCount(); ++row)
        if (view.isRowShown(row))
            height += leastHeight(view.rows[static_cast<std::size_t>(row)], theme);
    return height;
}

void layoutRows(GridLayout& layout, const GridView& view, const Theme& theme)
{
    double weights = 0.0;
    for (int row = 0; row < view.rowCount(); ++row) {
        const GridRow& shown = view.rows[static_cast<std::size_t>(row)];
        if (view.isRowShown(row) && !shown.isOpen)
            weights += static_cast<double>(shown.all.value);
    }
    const double spare = std::max(0.0, layout.viewport.height() - leastHeight(view, theme));
    double top = 0.0;
    for (int row = 0; row < view.rowCount(); ++row) {
        if (!view.isRowShown(row))
            continue;
        const GridRow& shown = view.rows[static_cast<std::size_t>(row)];
        const double share = weights > 0.0 && !shown.isOpen ? static_cast<double>(shown.all.value) / weights : 0.0;
        const double bottom = top + leastHeight(shown, theme) + spare * share;
        layout.rows.push_back({row, std::round(top), std::round(bottom) - std::round(top)});
        top = bottom;
    }
    layout.contentHeight = std::round(top);
    layout.rowGap = 2.0;
}

/// A column without rows is as high, in proportion to a layer's rows, as its bytes are to a layer's.
void layoutWholeColumns(GridLayout& layout, const GridView& view, const Theme& theme)
{
    Bytes layers;
    for (const GridRow& row : view.rows)
        layers += row.isTensor() ? Bytes{0} : row.all;
    const double perLayer = static_cast<double>(layers.value) / std::max(1, view.layerCount);
    const double height = layout.contentHeight - layout.rowGap;
    for (int column = 0; column < view.columnCount(); ++column) {
        if (!view.columns[static_cast<std::size_t>(column)].isWhole || perLayer <= 0.0)
            continue;
        GridColumnBox& box = layout.columns[static_cast<std::size_t>(column)];
        const double share = static_cast<double>(view.cell(0, column).all.value) / perLayer;
        box.isCut = share > 1.0;
        box.top = std::round(height - std::min(height, std::max(theme.px(12), height * share)));
    }
}

/// Number columns have fixed widths (four digits or three and a point), so no result moves the cells.
Horizontal layoutTexts(GridLayout& layout, const QRectF& rect, const GridView& view, const Theme& theme)
{
    const QFontMetricsF text(theme.font(FontRole::Text)), label(theme.font(FontRole::Label));
    const QFontMetricsF bold(theme.font(FontRole::Text, true));
    double names = std::max(bold.horizontalAdvance(gridTotalName()), text.horizontalAdvance(view.ends.label));
    for (const GridRow& row : view.rows)
        names = std::max(names, text.horizontalAdvance(row.label) + theme.px(row.isTensor() ? kTensorIndent : 0.0));
    names = std::min(names + theme.px(kTriangleWidth), rect.width() * 0.28);
    layout.labelLeft = rect.left();
    layout.labelRight = std::round(rect.left() + names);

    const double number = std::ceil(bold.horizontalAdvance(QStringLiteral("0000")));
    const double slash = std::ceil(text.horizontalAdvance(QStringLiteral(" / ")));
    const double plus = std::ceil(text.horizontalAdvance(QStringLiteral(" + ")));
    const double again = std::ceil(text.horizontalAdvance(gridAgainSign()));
    const double gap = theme.px(12);
    const double bytesWidth = std::max(2.0 * number + slash, std::ceil(label.horizontalAdvance(gridBytesHeader(view))));
    const double workWidth
        = std::max(2.0 * number + plus + again, std::ceil(label.horizontalAdvance(gridWorkHeader(view))));
    const double cellsLeft = layout.labelRight + theme.px(8);
    layout.showsWork = rect.right() - workWidth - bytesWidth - 2.0 * gap - cellsLeft >= kLeastCellsShare * rect.width();

    layout.againRight = rect.right();
    layout.workRight = layout.againRight - again - number - plus;
    layout.allRight = layout.showsWork ? rect.right() - workWidth - gap : rect.right();
    layout.keptRight = layout.allRight - number - slash;
    Horizontal room{cellsLeft, layout.allRight - bytesWidth - gap};
    // The name of the column behind the layers may be wider than the column, and then hangs over its right side; where
    // cells are slivers, they need that room more.
    if (const int last = view.columnCount() - 1; last >= 0 && !view.isLayer(last)) {
        const QFontMetricsF selected(theme.font(FontRole::Label, true));
        const double name = std::ceil(selected.horizontalAdvance(columnLabel(view, last)));
        const double hanging = std::max(0.0, name - room.leastWholeColumn(theme));
        if (room.right - hanging - room.left >= theme.px(kLeastBesideName) * view.columnCount())
            room.right -= hanging;
    }
    return room;
}

} // namespace

int GridLayout::shownIndexOf(const GridView& view, int row) const
{
    if (row < 0 || row >= view.rowCount())
        return -1;
    const int shown = view.isRowShown(row) ? row : view.rows[static_cast<std::size_t>(row)].parent;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].row == shown)
            return static_cast<int>(i);
    return -1;
}

QRectF GridLayout::cellRect(const GridView& view, int shownIndex, int column) const
{
    const GridColumnBox& box = columns[static_cast<std::size_t>(column)];
    if (view.columns[static_cast<std::size_t>(column)].isWhole)
        return {box.left, viewport.top() - scroll + box.top, box.right - box.left, contentHeight - rowGap - box.top};
    const GridRowBox& row = rows[static_cast<std::size_t>(shownIndex)];
    return {box.left, topOf(row), box.right - box.left, row.height - rowGap};
}

QRectF GridLayout::triangleRect(int shownIndex, const Theme& theme) const
{
    const GridRowBox& row = rows[static_cast<std::size_t>(shownIndex)];
    return {labelLeft, topOf(row), theme.px(kTriangleWidth), row.height};
}

GridHit GridLayout::hitTest(const GridView& view, const Theme& theme, QPointF point) const
{
    GridHit hit;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (point.x() >= columns[i].left && point.x() < columns[i].pitchEnd)
            hit.column = static_cast<int>(i);
    if (header.contains(point)) {
        hit.part = hit.column >= 0 ? GridHit::Part::ColumnHeader : GridHit::Part::Nothing;
        return hit;
    }
    if (point.y() < viewport.top() || point.y() >= viewport.bottom())
        return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (point.y() < topOf(rows[i]) || point.y() >= topOf(rows[i]) + rows[i].height)
            continue;
        hit.row = rows[i].row;
        if (hit.column >= 0)
            hit.part = GridHit::Part::Cell;
        else if (point.x() >= labelLeft && point.x() < labelRight)
            hit.part = view.rows[static_cast<std::size_t>(hit.row)].canOpen
                    && triangleRect(static_cast<int>(i), theme).contains(point)
                ? GridHit::Part::Triangle
                : GridHit::Part::RowLabel;
        return hit;
    }
    return {};
}

GridLayout layoutGrid(const QRectF& rect, const GridView& view, const Theme& theme, double scroll)
{
    GridLayout layout;
    const double line = std::max(theme.px(20), theme.minimumRowHeight());
    const double legend = std::max(theme.px(24), theme.minimumRowHeight());
    layout.header = QRectF(rect.left(), rect.top(), rect.width(), line);
    layout.legend = QRectF(rect.left(), rect.bottom() - legend, rect.width(), legend);
    const double rows = layout.legend.top() - layout.header.bottom();
    layout.showsEnds = rows - 2.0 * line >= leastHeight(view, theme);
    const double footer = layout.showsEnds ? 2.0 * line : line;
    layout.footer = QRectF(rect.left(), layout.legend.top() - footer, rect.width(), footer);
    layout.viewport = QRectF(
        rect.left(), layout.header.bottom(), rect.width(), std::max(0.0, layout.footer.top() - layout.header.bottom()));

    const Horizontal room = layoutTexts(layout, rect, view, theme);
    layoutColumns(layout, view, room, theme);
    layoutRows(layout, view, theme);
    layoutWholeColumns(layout, view, theme);
    layout.scroll = std::clamp(scroll, 0.0, layout.maximumScroll());
    return layout;
}

double ungroupedPitch(const QRectF& rect, const GridView& ungrouped, const Theme& theme)
{
    return layoutGrid(rect, ungrouped, theme).pitch;
}

} // namespace remat::ui
