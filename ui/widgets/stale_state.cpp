// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/stale_state.h"

namespace remat::ui {

StaleState::StaleState(QObject* parent) : QObject(parent)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, [this] { setStale(true); });
}

void StaleState::setBusy(bool isBusy)
{
    if (!isBusy) {
        m_delay.stop();
        setStale(false);
    } else if (!m_isStale && !m_delay.isActive()) {
        m_delay.start();
    }
}

void StaleState::setStale(bool isStale)
{
    if (m_isStale == isStale)
        return;
    m_isStale = isStale;
    emit staleChanged(isStale);
}

} // namespace remat::ui
