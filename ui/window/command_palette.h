// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QDialog>
#include <QList>
#include <functional>

class QLineEdit;
class QListWidget;

namespace remat::ui {

/// One thing that the palette can do.
struct Command {
    QString group; ///< the menu, or "Field"
    QString name;
    QString shortcut;
    bool isEnabled = true;
    std::function<void()> run;
};

/// How well typed letters stand for a name: all of them in order, better at the beginnings of words and side by side;
/// -1 where one is missing.  Case and accents of nobody matter; an empty pattern stands for everything alike.
int matchScore(const QString& pattern, const QString& name);

/// Type a few letters of what you want, press Enter: every menu entry, every field, every lesson.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(QList<Command> commands, QWidget* parent);

    QLineEdit& edit() const { return *m_edit; }
    /// The names that are offered now, best first.
    QStringList offered() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void offer();
    void runChosen();

    QList<Command> m_commands;
    QList<int> m_offered; ///< indices, as listed
    QLineEdit* m_edit;
    QListWidget* m_list;
};

} // namespace remat::ui
