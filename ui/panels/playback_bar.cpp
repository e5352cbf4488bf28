// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/playback_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/state/playback.h"

namespace remat::ui {

PlaybackBar::PlaybackBar(Playback& playback, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_playback(playback),
      m_first(button("playFirst", QStringLiteral("|\u25c2"), tr("To the first operation"))),
      m_back(button("playBack", QStringLiteral("\u25c2"), tr("One operation back"))),
      m_play(button("play", QStringLiteral("\u25b6"), tr("Play the step"))),
      m_on(button("playOn", QStringLiteral("\u25b8"), tr("One operation on"))),
      m_place(new QSlider(Qt::Horizontal)),
      m_speed(new QComboBox),
      m_sentence(new QLabel)
{
    setObjectName(QStringLiteral("playback"));
    m_place->setObjectName(QStringLiteral("playPlace"));
    m_place->setAccessibleName(tr("Place in the step"));
    m_place->setToolTip(tr("Where in the step one is; arrow keys go op by op."));
    m_speed->setObjectName(QStringLiteral("playSpeed"));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("At speed 1 the step takes 20 seconds, in the proportions of its predicted times."));
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
        m_speed->addItem(QLocale().toString(speed) + QStringLiteral("\u00d7"), speed);
    m_speed->setCurrentIndex(2);
    m_sentence->setObjectName(QStringLiteral("playSentence"));
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(0, 0, 0, 0);
    for (QToolButton* control : {m_first, m_back, m_play, m_on})
        controls->addWidget(control);
    controls->addWidget(m_place, 1);
    controls->addWidget(m_speed);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(controls);
    rows->addWidget(m_sentence);

    connect(m_first, &QToolButton::clicked, &m_playback, [this] { m_playback.setPosition(0); });
    connect(m_back, &QToolButton::clicked, &m_playback, [this] { m_playback.stepBy(-1); });
    connect(m_play, &QToolButton::clicked, &m_playback, &Playback::toggle);
    connect(m_on, &QToolButton::clicked, &m_playback, [this] { m_playback.stepBy(1); });
    connect(m_place, &QSlider::valueChanged, &m_playback, &Playback::setPosition);
    connect(m_speed, &QComboBox::currentIndexChanged, &m_playback,
        [this](int index) { m_playback.setSpeed(m_speed->itemData(index).toDouble()); });
    connect(&m_playback, &Playback::changed, this, &PlaybackBar::show);
    setTheme(theme);
    show();
}

QToolButton* PlaybackBar::button(const char* objectName, const QString& sign, const QString& name)
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(objectName));
    button->setText(sign);
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

void PlaybackBar::setTheme(const Theme& theme)
{
    layout()->setSpacing(static_cast<int>(theme.px(2)));
    const int margin = static_cast<int>(theme.px(4));
    layout()->setContentsMargins(margin, 0, margin, margin);
    m_sentence->setFont(theme.font(FontRole::Label));
}

void PlaybackBar::show()
{
    const int last = m_playback.count() - 1;
    const bool isThere = last >= 0;
    {
        const QSignalBlocker blocker(m_place);
        m_place->setRange(0, std::max(0, last));
        m_place->setPageStep(std::max(1, last / 20));
        m_place->setValue(std::max(0, m_playback.position()));
    }
    m_first->setEnabled(m_playback.position() > 0);
    m_back->setEnabled(m_playback.position() > 0);
    m_play->setEnabled(isThere);
    m_on->setEnabled(isThere && m_playback.position() < last);
    m_place->setEnabled(isThere);
    m_play->setText(m_playback.isPlaying() ? QStringLiteral("\u275a\u275a") : QStringLiteral("\u25b6"));
    m_play->setToolTip(m_playback.isPlaying() ? tr("Pause") : tr("Play the step"));
    m_play->setAccessibleName(m_play->toolTip());
    showSentence();
}

void PlaybackBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showSentence();
}

void PlaybackBar::showSentence()
{
    const QString sentence = m_playback.sentence();
    // What finds no room is counted; the tooltip has it whole.
    const QString separator = QStringLiteral(" \u00b7 ");
    QStringList parts = sentence.split(separator);
    const auto shown = [&](int left) {
        return left == 0 ? parts.join(separator)
                         : parts.mid(0, parts.size() - left).join(separator) + separator + tr("%n more", nullptr, left);
    };
    int left = 0;
    while (left + 1 < parts.size() && m_sentence->fontMetrics().horizontalAdvance(shown(left)) > m_sentence->width())
        ++left;
    m_sentence->setText(shown(left));
    m_sentence->setToolTip(sentence);
}

} // namespace remat::ui
