// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/command_palette.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace remat::ui {

int matchScore(const QString& pattern, const QString& name)
{
    int score = 0;
    qsizetype from = 0, last = -2;
    for (const QChar letter : pattern) {
        if (letter.isSpace())
            continue;
        const qsizetype place = name.indexOf(letter, from, Qt::CaseInsensitive);
        if (place < 0)
            return -1;
        const bool beginsWord = place == 0 || !name[place - 1].isLetterOrNumber();
        score += 1 + (beginsWord ? 4 : 0) + (place == last + 1 ? 3 : 0);
        last = place;
        from = place + 1;
    }
    return score;
}

CommandPalette::CommandPalette(QList<Command> commands, QWidget* parent)
    : QDialog(parent),
      m_commands(std::move(commands)),
      m_edit(new QLineEdit),
      m_list(new QListWidget)
{
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* hint = new QLabel(tr("Type a few letters of what you want"));
    hint->setProperty("role", QStringLiteral("muted"));
    m_edit->setAccessibleName(tr("Search commands"));
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setUniformItemSizes(true);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(hint);
    rows->addWidget(m_edit);
    rows->addWidget(m_list);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::offer);
    connect(m_edit, &QLineEdit::returnPressed, this, &CommandPalette::runChosen);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::runChosen);
    resize(520, 420);
    offer();
}

QStringList CommandPalette::offered() const
{
    QStringList names;
    for (const int index : m_offered)
        names << m_commands[index].name;
    return names;
}

void CommandPalette::offer()
{
    // Of names that match alike, the shorter one is meant.
    std::vector<std::tuple<int, qsizetype, int>> ranked; // minus score, length, index
    for (int i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        const int byName = matchScore(m_edit->text(), command.name);
        const int whole = matchScore(m_edit->text(), command.group + u' ' + command.name);
        if (const int score = std::max(byName < 0 ? -1 : byName + 1, whole); score >= 0)
            ranked.emplace_back(-score, command.name.size(), i);
    }
    std::sort(ranked.begin(), ranked.end());
    m_offered.clear();
    m_list->clear();
    for (const auto& [score, length, index] : ranked) {
        const Command& command = m_commands[index];
        m_offered << index;
        auto* item = new QListWidgetItem(
            QStringLiteral("%1: %2%3")
                .arg(command.group, command.name,
                    command.shortcut.isEmpty() ? QString() : QStringLiteral("    ") + command.shortcut),
            m_list);
        if (!command.isEnabled)
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->flags().testFlag(Qt::ItemIsEnabled)) {
            m_list->setCurrentRow(row);
            break;
        }
}

void CommandPalette::runChosen()
{
    const int row = m_list->currentRow();
    if (row < 0 || row >= m_offered.size() || !m_commands[m_offered[row]].isEnabled)
        return;
    // The window has the focus again before the command asks for it.
    const std::function<void()> run = m_commands[m_offered[row]].run;
    close();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace remat::ui
