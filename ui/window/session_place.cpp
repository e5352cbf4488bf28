// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/session_place.h"

#include <QDir>
#include <QLockFile>

namespace remat::ui {

SessionPlace::SessionPlace(const QString& folder)
{
    QDir().mkpath(folder);
    for (int number = 1; number <= kMostPlaces && m_path.isEmpty(); ++number) {
        const QString name = number == 1 ? QStringLiteral("/session") : QStringLiteral("/session-%1").arg(number);
        auto lock = std::make_unique<QLockFile>(folder + name + QStringLiteral(".lock"));
        // However long a window has been open, its lock is its own; only the lock of a dead process is stale.
        lock->setStaleLockTime(0);
        if (lock->tryLock(0)) {
            m_lock = std::move(lock);
            m_path = folder + name + QStringLiteral(".json");
        } else if (lock->error() != QLockFile::LockFailedError) {
            return; // no place of this folder can be claimed
        }
    }
}

SessionPlace::~SessionPlace() = default;

} // namespace remat::ui
