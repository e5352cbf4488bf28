// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QColor>
#include <QRectF>
#include <QString>
#include <vector>

class QWidget;

namespace remat::ui {

/// One piece of text as a widget paints it, in the widget's own coordinates.
struct DrawnText {
    QString text;
    QRectF ink;          ///< what its letters cover, one run of one font
    QRectF clip;         ///< what the painter lets through there, the widget's edge included
    QColor colour;       ///< of the pen, with the painter's opacity
    int pixels = 0;      ///< of the font, logical
    bool isBared = true; ///< no opaque rectangle was painted over a part of it afterwards
};

/// What a widget itself paints as text, without its children: whatever it is (label, table, chart, hand-painted),
/// because its paint event is run on a device that notes texts and shapes instead of colouring pixels.  A text that a
/// later shape covers whole is left out.  Boxes with round corners (a readout, a tag) float over what they cover.
std::vector<DrawnText> drawnTexts(QWidget& widget);

} // namespace remat::ui
