// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/table_parts.h"

#include <QPainter>

#include "ui/tables/row_table_model.h"

namespace remat::ui {

namespace {

constexpr double kCellPad = 4;
constexpr double kSelectionShare = 0.22;
/// What an item view leaves on both sides of a text.
constexpr double kTextMargin = 3;

Role roleOf(CellTone tone)
{
    switch (tone) {
    case CellTone::Muted:
        return Role::Muted;
    case CellTone::Good:
        return Role::Fits;
    case CellTone::Bad:
        return Role::Over;
    case CellTone::Normal:
        break;
    }
    return Role::Text;
}

} // namespace

QSize ToneDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // A reason that runs over the rest of its row must not widen its own column.
    if (index.data(SpansRestRole).toBool())
        return {0, 0};
    const int pad = static_cast<int>(m_theme.px(kCellPad));
    QStyleOptionViewItem inset(option);
    inset.rect.adjust(pad, 0, -pad, 0);
    return QStyledItemDelegate::sizeHint(inset, index) + QSize(2 * pad, 0);
}

void ToneDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // Air between a figure and the words right of it; the selection still covers the whole cell.
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, mixed(m_theme.colour(Role::Panel), m_theme.colour(Role::Keep), kSelectionShare));
    const int pad = static_cast<int>(m_theme.px(kCellPad));
    QStyleOptionViewItem inset(option);
    inset.rect.adjust(pad, 0, -pad, 0);
    QStyledItemDelegate::paint(painter, inset, index);
}

void ToneDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // Names of operations may break where their words end.
    if (option->features.testFlag(QStyleOptionViewItem::WrapText))
        option->text.replace(u'_', QStringLiteral("_\u200b"));
    const QColor text = m_theme.colour(roleOf(static_cast<CellTone>(index.data(ToneRole).toInt())));
    option->palette.setColor(QPalette::Text, text);
    option->palette.setColor(QPalette::HighlightedText, text);
    option->palette.setColor(
        QPalette::Highlight, mixed(m_theme.colour(Role::Panel), m_theme.colour(Role::Keep), kSelectionShare));
    // Rows are chosen as a whole: a frame around one cell would say otherwise.
    option->state &= ~QStyle::State_HasFocus;
}

FlatHeader::FlatHeader(const Theme& theme, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_theme(theme)
{
    setTheme(theme);
    setSectionsClickable(true);
    setHighlightSections(false);
}

void FlatHeader::setTheme(const Theme& theme)
{
    m_theme = theme;
    setFont(theme.font(FontRole::Label));
    viewport()->update();
}

QSize FlatHeader::sectionSizeFromContents(int section) const
{
    const QFontMetrics metrics(m_theme.font(FontRole::Label));
    const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const int room = static_cast<int>(m_theme.px(2 * kCellPad) + 2 * kTextMargin + m_theme.px(10));
    return {metrics.horizontalAdvance(text) + room, metrics.height() + static_cast<int>(m_theme.px(8))};
}

void FlatHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, m_theme.colour(Role::Panel));
    painter->setPen(QPen(m_theme.colour(Role::Line), 1));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());

    const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool isFigure
        = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight;
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    const double pad = m_theme.px(kCellPad) + kTextMargin;
    const double arrow = m_theme.px(7);
    QRectF room = QRectF(rect).adjusted(pad, 0, -pad, 0);
    if (isSorted) {
        // The triangle stands on the side away from the figures, so that they stay aligned with their title.
        const double x = isFigure ? room.left() : room.right() - arrow;
        const double y = room.center().y();
        const double tip = sortIndicatorOrder() == Qt::AscendingOrder ? -arrow / 3 : arrow / 3;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.colour(Role::Text));
        painter->drawPolygon(QPolygonF({{x, y - tip}, {x + arrow, y - tip}, {x + arrow / 2, y + tip}}));
        room.adjust(isFigure ? arrow + 2 : 0, 0, isFigure ? 0 : -arrow - 2, 0);
    }
    painter->setFont(m_theme.font(FontRole::Label));
    painter->setPen(m_theme.colour(isSorted ? Role::Text : Role::Muted));
    const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room.width()));
    painter->drawText(room, (isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, shown);
    painter->restore();
}

} // namespace remat::ui
