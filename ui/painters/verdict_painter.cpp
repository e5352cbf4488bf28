// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/verdict_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

#include "ui/theme/theme.h"

namespace remat::ui {

QString VerdictText::sentence() const
{
    QString text = word;
    for (const QString& part : {figures, price, more})
        if (!part.isEmpty())
            text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + part;
    return text;
}

VerdictText verdictText(const VerdictView& view, const NumberFormat& format)
{
    VerdictText text;
    const QString ofBudget = QCoreApplication::translate("Verdict", "peak %1 of %2")
                                 .arg(format.bytes(view.peak), format.bytes(view.budget));
    if (view.deviceLimit) {
        text.word = QCoreApplication::translate("Verdict", "Fits the budget, not the device");
        text.figures = QCoreApplication::translate("Verdict", "peak %1, room for %2")
                           .arg(format.bytes(view.peak), format.bytes(*view.deviceLimit));
        return text;
    }
    switch (view.answer) {
    case VerdictView::Answer::None:
        text.word = QCoreApplication::translate("Verdict", "Not solved yet");
        return text;
    case VerdictView::Answer::DoesNotFit:
        text.word = QCoreApplication::translate("Verdict", "Does not fit");
        text.figures = QCoreApplication::translate("Verdict", "least possible %1, budget %2")
                           .arg(format.bytes(view.least), format.bytes(view.budget));
        return text;
    case VerdictView::Answer::FitsWithoutRecomputing:
        text.word = QCoreApplication::translate("Verdict", "Fits");
        text.figures = ofBudget;
        text.price = QCoreApplication::translate("Verdict", "without recomputing");
        return text;
    case VerdictView::Answer::Fits:
        text.word = QCoreApplication::translate("Verdict", "Fits");
        text.figures = ofBudget;
        text.price = QCoreApplication::translate("Verdict", "%1 time").arg(format.percent(view.extraTime));
        // What would not show in the figure buys nothing.
        if (view.moreBudget.value > 0 && format.percent(view.moreTime) != format.percent(0)) {
            // In the budget's own unit, because the eye adds the two; in its own where that would leave few digits.
            const ColumnUnit unit = columnUnit(view.budget);
            const bool isSmall = static_cast<double>(view.moreBudget.value) < 0.1 * unit.size;
            const QString more = isSmall ? format.bytes(view.moreBudget)
                                         : format.bytesIn(view.moreBudget, unit.size) + QLatin1Char(' ') + unit.name;
            text.more = QCoreApplication::translate("Verdict", "with %1 more: %2 time")
                            .arg(more, format.percent(view.moreTime));
        }
        return text;
    }
    return text;
}

double verdictHeight(const Theme& theme)
{
    return std::ceil(QFontMetricsF(theme.font(FontRole::Verdict)).height()) + theme.px(4);
}

void paintVerdict(QPainter& painter, const QRectF& rect, const VerdictView& view, const Theme& theme)
{
    const VerdictText text = verdictText(view);
    const QFont wordFont = theme.font(FontRole::Verdict), figuresFont = theme.font(FontRole::Figures);
    const QFontMetricsF wordMetrics(wordFont), figuresMetrics(figuresFont);
    const Role wordRole = view.answer == VerdictView::Answer::None           ? Role::Muted
        : view.answer == VerdictView::Answer::DoesNotFit || view.deviceLimit ? Role::Over
                                                                             : Role::Fits;
    // All parts stand on one baseline, as a line of text does.
    const double baseline = rect.top() + (rect.height() + wordMetrics.ascent() - wordMetrics.descent()) / 2.0;
    double x = rect.left();
    painter.setFont(wordFont);
    painter.setPen(theme.colour(wordRole));
    painter.drawText(QPointF(x, baseline), text.word);
    x += wordMetrics.horizontalAdvance(text.word);

    painter.setFont(figuresFont);
    painter.setPen(theme.colour(Role::Text));
    for (const QString& part : {text.figures, text.price}) {
        const double width = figuresMetrics.horizontalAdvance(part);
        if (part.isEmpty() || x + theme.px(14) + width > rect.right())
            continue;
        x += theme.px(14);
        painter.drawText(QPointF(x, baseline), part);
        x += width;
    }

    const QFont moreFont = theme.font(FontRole::Text);
    const double moreWidth = QFontMetricsF(moreFont).horizontalAdvance(text.more);
    if (!text.more.isEmpty() && x + theme.px(24) + moreWidth <= rect.right()) {
        painter.setFont(moreFont);
        painter.setPen(theme.colour(Role::Muted));
        painter.drawText(QPointF(rect.right() - moreWidth, baseline), text.more);
    }
}

} // namespace remat::ui
