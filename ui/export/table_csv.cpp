// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/table_csv.h"

#include <QAbstractItemModel>
#include <QFontMetricsF>
#include <QPainter>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/tables/row_table_model.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

/// A log of ten thousand lines makes no picture.
constexpr int kMostPaintedRows = 400;
constexpr double kCellGap = 16.0, kRowPadding = 6.0;

QString quoted(const QString& text)
{
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n') && !text.contains(u'\r'))
        return text;
    QString inner = text;
    return u'"' + inner.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"';
}

bool isFigure(const QAbstractItemModel& model, int column)
{
    return model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)
        .value<Qt::Alignment>()
        .testFlag(Qt::AlignRight);
}

QString csvCell(const QAbstractItemModel& model, int row, int column)
{
    const QModelIndex index = model.index(row, column);
    if (!isFigure(model, column))
        return index.data(Qt::DisplayRole).toString();
    const QVariant raw = index.data(RawValueRole);
    if (!raw.isValid())
        return {};
    return raw.typeId() == QMetaType::Double ? QString::number(raw.toDouble(), 'g', 12) : raw.toString();
}

int paintedRows(const QAbstractItemModel& model)
{
    return std::min(model.rowCount(), kMostPaintedRows);
}

std::vector<double> columnWidths(const QAbstractItemModel& model, const Theme& theme)
{
    const QFontMetricsF metrics(theme.font(FontRole::Text)), bold(theme.font(FontRole::Text, true));
    std::vector<double> widths;
    for (int column = 0; column < model.columnCount(); ++column) {
        double width = bold.horizontalAdvance(model.headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < paintedRows(model); ++row)
            if (!model.index(row, column).data(SpansRestRole).toBool())
                width = std::max(width, bold.horizontalAdvance(model.index(row, column).data().toString()));
        widths.push_back(std::ceil(width + theme.px(kCellGap)));
    }
    return widths;
}

double rowHeight(const Theme& theme)
{
    return std::ceil(QFontMetricsF(theme.font(FontRole::Text)).height() + theme.px(kRowPadding));
}

} // namespace

QString tableCsv(const QAbstractItemModel& model)
{
    QStringList lines, cells;
    const auto endLine = [&] { lines << std::exchange(cells, {}).join(u','); };
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString unit = model.headerData(column, Qt::Horizontal, RawUnitRole).toString();
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        cells << quoted(unit.isEmpty() ? title : title + QStringLiteral(" [") + unit + u']');
    }
    endLine();
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column)
            cells << quoted(csvCell(model, row, column));
        endLine();
    }
    return lines.join(u'\n') + u'\n';
}

QSizeF tableSize(const QAbstractItemModel& model, const Theme& theme)
{
    const QFontMetricsF metrics(theme.font(FontRole::Text));
    const std::vector<double> widths = columnWidths(model, theme);
    double left = 0.0, width = theme.px(240);
    for (int column = 0; column < model.columnCount(); ++column) {
        // A reason takes the rest of its row, and more where it must.
        for (int row = 0; row < paintedRows(model); ++row)
            if (const QModelIndex index = model.index(row, column); index.data(SpansRestRole).toBool())
                width = std::max(width, left + metrics.horizontalAdvance(index.data().toString()));
        left += widths[static_cast<std::size_t>(column)];
    }
    return {std::ceil(std::max(width, left)), rowHeight(theme) * (paintedRows(model) + 1)};
}

void paintTable(QPainter& painter, const QRectF& rect, const QAbstractItemModel& model, const Theme& theme)
{
    const std::vector<double> widths = columnWidths(model, theme);
    const double height = rowHeight(theme);
    const auto paintRow = [&](int row, double top) {
        double left = rect.left();
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex index = model.index(row, column);
            const bool spansRest = row >= 0 && index.data(SpansRestRole).toBool();
            const double width = widths[static_cast<std::size_t>(column)];
            const QRectF cell(left, top, spansRest ? rect.right() - left : width - theme.px(kCellGap) / 2.0, height);
            const QString text
                = row < 0 ? model.headerData(column, Qt::Horizontal).toString() : index.data().toString();
            const bool isBold = row < 0 || index.data(Qt::FontRole).value<QFont>().bold();
            const auto tone = static_cast<CellTone>(row < 0 ? 0 : index.data(ToneRole).toInt());
            painter.setFont(theme.font(FontRole::Text, isBold));
            painter.setPen(theme.colour(tone == CellTone::Muted ? Role::Muted
                    : tone == CellTone::Good                    ? Role::Fits
                    : tone == CellTone::Bad                     ? Role::Over
                                                                : Role::Text));
            painter.drawText(cell,
                static_cast<int>((isFigure(model, column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter)
                    | Qt::TextSingleLine,
                text);
            if (spansRest)
                return;
            left += width;
        }
    };
    painter.save();
    paintRow(-1, rect.top());
    painter.setPen(theme.colour(Role::Line));
    painter.drawLine(QPointF(rect.left(), rect.top() + height), QPointF(rect.right(), rect.top() + height));
    for (int row = 0; row < paintedRows(model); ++row)
        paintRow(row, rect.top() + height * (row + 1));
    painter.restore();
}

} // namespace remat::ui
