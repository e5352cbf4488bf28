// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <memory>

class QLockFile;

namespace remat::ui {

/// Where one window keeps its session: the first of session.json, session-2.json, ... in a folder that no living window
/// holds.  The lock of a window that was killed is taken over, and with it the session that it left.
class SessionPlace {
public:
    /// Beyond this many windows, one has no session.
    static constexpr int kMostPlaces = 64;

    explicit SessionPlace(const QString& folder);
    ~SessionPlace();
    SessionPlace(const SessionPlace&) = delete;
    SessionPlace& operator=(const SessionPlace&) = delete;

    /// Empty where no place could be claimed: a folder that cannot be written.
    const QString& path() const { return m_path; }

private:
    std::unique_ptr<QLockFile> m_lock;
    QString m_path;
};

} // namespace remat::ui
