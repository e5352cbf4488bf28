// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <vector>

#include "ui/forms/field_row.h"

class QSlider;
class QSpinBox;

namespace remat::ui {

/// The values that a slider can stop at between two bounds: every whole number up to 16, then 16 an octave (18, 20, ...
/// 32, 36, ...), so that equal ways mean equal factors and all stops are round; with `powersOfTwo` only those.  Both
/// bounds are always stops.
std::vector<int> sliderStops(int least, int most, bool powersOfTwo);

/// A whole number with a slider for the hand and a field for exact values.
///
/// valueEdited comes live while the slider is dragged, with isDragging true; the release emits the last value once more
/// with isDragging false, so that one undo step can hold the whole drag.  Typed values come when Enter or leaving the
/// field ends them, and need not be stops of the slider.
class IntegerSlider : public FieldRow {
    Q_OBJECT
public:
    IntegerSlider(const QString& label, const Theme& theme, QWidget* parent = nullptr);

    void setRange(int least, int most, bool powersOfTwo = false);
    int value() const { return m_value; }
    void setValue(int value); ///< Does not emit; ignored while the slider is dragged.
    void setTheme(const Theme& theme) override;
    QSlider& slider() const { return *m_slider; }
    QSpinBox& spin() const { return *m_spin; }

signals:
    void valueEdited(int value, bool isDragging);

private:
    void showValue();
    int nearestStop(int value) const;

    std::vector<int> m_stops{1};
    int m_value = 1;
    QSlider* m_slider;
    QSpinBox* m_spin;
};

} // namespace remat::ui
