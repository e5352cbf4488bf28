// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QComboBox>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include "ui/forms/no_wheel.h"

namespace remat::ui {

/// With a style sheet a combo box cuts a long text in the middle of a letter; this one elides it.
class ElidingCombo : public NoWheel<QComboBox> {
public:
    using NoWheel<QComboBox>::NoWheel;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 2);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

} // namespace remat::ui
