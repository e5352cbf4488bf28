// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/busy_bar.h"

#include <QPainter>

namespace remat::ui {

namespace {

constexpr int kTickMilliseconds = 40;
constexpr int kStepsPerPass = 40;
constexpr double kSegmentShare = 0.25;

} // namespace

BusyBar::BusyBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setFixedHeight(static_cast<int>(theme.px(2)));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Working"));
    m_tick.setInterval(kTickMilliseconds);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        m_step = (m_step + 1) % kStepsPerPass;
        update();
    });
}

void BusyBar::setTheme(const Theme& theme)
{
    m_theme = theme;
    setFixedHeight(static_cast<int>(theme.px(2)));
    update();
}

void BusyBar::setActive(bool isActive)
{
    if (isActive == m_tick.isActive())
        return;
    m_step = 0;
    isActive ? m_tick.start() : m_tick.stop();
    update();
}

void BusyBar::paintEvent(QPaintEvent*)
{
    if (!m_tick.isActive())
        return;
    QPainter painter(this);
    const double segment = width() * kSegmentShare;
    const double left = (width() + segment) * m_step / kStepsPerPass - segment;
    painter.fillRect(QRectF(left, 0, segment, height()), m_theme.colour(Role::Keep));
}

} // namespace remat::ui
