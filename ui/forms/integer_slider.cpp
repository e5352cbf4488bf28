// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/integer_slider.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include "ui/forms/no_wheel.h"

namespace remat::ui {

namespace {

constexpr int kStopsPerOctave = 16;

} // namespace

std::vector<int> sliderStops(int least, int most, bool powersOfTwo)
{
    std::vector<int> stops{least};
    int value = least;
    while (value < most) {
        std::int64_t octave = 1;
        while (octave * 2 <= value)
            octave *= 2;
        // The step follows the octave that the value is in; from there on to its next multiple.
        const std::int64_t step = powersOfTwo ? octave : std::max<std::int64_t>(1, octave / kStopsPerOctave);
        const std::int64_t next = powersOfTwo ? octave * 2 : (value / step + 1) * step;
        value = static_cast<int>(std::min<std::int64_t>(next, most));
        stops.push_back(value);
    }
    return stops;
}

IntegerSlider::IntegerSlider(const QString& label, const Theme& startTheme, QWidget* parent)
    : FieldRow(label, startTheme, parent),
      m_slider(new NoWheel<QSlider>(Qt::Horizontal)),
      m_spin(new NoWheel<QSpinBox>)
{
    auto* editor = new QWidget(this);
    auto* layout = new QHBoxLayout(editor);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_spin);
    m_slider->setMinimumWidth(1);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setPageStep(kStopsPerOctave);
    m_spin->setFocusPolicy(Qt::StrongFocus);
    m_spin->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_spin->setAlignment(Qt::AlignRight);
    m_spin->setKeyboardTracking(false);
    setEditor(editor, m_spin);
    m_slider->setAccessibleName(label);

    connect(m_slider, &QSlider::valueChanged, this, [this](int stop) {
        m_value = m_stops[static_cast<std::size_t>(stop)];
        const QSignalBlocker quiet(m_spin);
        m_spin->setValue(m_value);
        emit valueEdited(m_value, m_slider->isSliderDown());
    });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { emit valueEdited(m_value, false); });
    connect(m_spin, &QSpinBox::valueChanged, this, [this](int value) {
        m_value = value;
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(nearestStop(value));
        emit valueEdited(m_value, false);
    });
    connect(m_spin, &QSpinBox::editingFinished, this, [this] { m_spin->findChild<QLineEdit*>()->setModified(false); });
    setTheme(startTheme);
}

void IntegerSlider::setRange(int least, int most, bool powersOfTwo)
{
    const QSignalBlocker quietSlider(m_slider);
    const QSignalBlocker quietSpin(m_spin);
    m_stops = sliderStops(least, std::max(least, most), powersOfTwo);
    m_slider->setPageStep(powersOfTwo ? 1 : kStopsPerOctave);
    m_slider->setRange(0, static_cast<int>(m_stops.size()) - 1);
    m_spin->setRange(least, most);
    m_value = std::clamp(m_value, least, std::max(least, most));
    showValue();
}

void IntegerSlider::setValue(int value)
{
    // The hand on the slider is the truth while it drags: a late refresh must not pull it back.
    if (m_slider->isSliderDown())
        return;
    m_value = std::clamp(value, m_stops.front(), m_stops.back());
    const QSignalBlocker quietSlider(m_slider);
    const QSignalBlocker quietSpin(m_spin);
    showValue();
}

void IntegerSlider::showValue()
{
    m_spin->setValue(m_value);
    m_slider->setValue(nearestStop(m_value));
}

int IntegerSlider::nearestStop(int value) const
{
    const auto above = std::lower_bound(m_stops.begin(), m_stops.end(), value);
    if (above == m_stops.begin())
        return 0;
    if (above == m_stops.end())
        return static_cast<int>(m_stops.size()) - 1;
    const auto nearest = *above - value <= value - *std::prev(above) ? above : std::prev(above);
    return static_cast<int>(nearest - m_stops.begin());
}

void IntegerSlider::setTheme(const Theme& theme)
{
    FieldRow::setTheme(theme);
    m_spin->setFont(theme.font(FontRole::Text));
    // The application's style sheet leaves room for step buttons, which this field does not have.
    m_spin->setStyleSheet(QStringLiteral("QSpinBox { padding-right: %1px; }").arg(theme.px(6)));
    m_spin->setFixedWidth(
        m_spin->fontMetrics().horizontalAdvance(QStringLiteral("9999999")) + static_cast<int>(theme.px(16)));
    // The style sheet's handle is taller than the slider's own hint at larger sizes.
    m_slider->setMinimumHeight(static_cast<int>(theme.px(18)));
    m_slider->parentWidget()->layout()->setSpacing(static_cast<int>(theme.px(6)));
}

} // namespace remat::ui
