// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QDialog>
#include <QList>
#include <QString>
#include <utility>

namespace remat::ui {

/// Keys of one menu or one part of the window.
struct KeyGroup {
    QString title;
    QList<std::pair<QString, QString>> keys; ///< key, what it does
};

/// The sheet of all keys, in groups; it stays open while one works.
class KeysSheet : public QDialog {
    Q_OBJECT
public:
    KeysSheet(const QList<KeyGroup>& groups, QWidget* parent);
    /// As plain text, for a screen reader and tests.
    QString text() const { return m_text; }

private:
    QString m_text;
};

} // namespace remat::ui
