// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Help of the main window: the sheet of keys, the palette of commands, What's This, diagnostics.
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>
#include <QWhatsThis>

#include "core/run/this_machine.h"
#include "ui/forms/field_row.h"
#include "ui/forms/form_text.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/window/command_palette.h"
#include "ui/window/keys_sheet.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr int kShownLogLines = 200;

/// The actions of a menu with those of its submenus, each with the menus that lead there.
void collect(const QMenu& menu, const QString& group, QList<std::pair<QString, QAction*>>& actions)
{
    for (QAction* action : menu.actions()) {
        if (action->isSeparator())
            continue;
        if (const QMenu* inner = action->menu())
            collect(*inner, group + QStringLiteral(" \u203a ") + withoutMnemonic(inner->title()), actions);
        else
            actions.append({group, action});
    }
}

} // namespace

void MainWindow::makeHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    QAction* palette = help->addAction(tr("&Command palette\u2026"), this, &MainWindow::showPalette);
    palette->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+K"))});
    palette->setObjectName(QStringLiteral("palette"));
    palette->setStatusTip(tr("Finds any command or field by a few letters."));
    QAction* keys = help->addAction(tr("&Keys"), this, &MainWindow::showKeys);
    keys->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question), QKeySequence(tr("Ctrl+/"))});
    keys->setObjectName(QStringLiteral("keys"));
    keys->setStatusTip(tr("All keys on one sheet."));
    QAction* what = help->addAction(
        tr("&What's this?"), QKeySequence(Qt::SHIFT | Qt::Key_F1), this, [] { QWhatsThis::enterWhatsThisMode(); });
    what->setStatusTip(tr("Click anything afterwards: what it means, by which formula, from which source."));
    QAction* diagnostics = help->addAction(tr("&Diagnostics"), this, &MainWindow::showDiagnostics);
    diagnostics->setObjectName(QStringLiteral("diagnostics"));
    diagnostics->setStatusTip(tr("Versions, devices, folders and the log, ready to be copied."));
    QAction* about = help->addAction(tr("&About"), this, [this] {
        QMessageBox::about(this, tr("About RematScope"),
            tr("<b>RematScope %1</b><p>Where the memory of a Transformer training step goes, the cheapest way to make "
               "it fit, and a real run "
               "that proves it.</p><p>The window is free software under the GNU GPL, version 3.</p>")
                .arg(QApplication::applicationVersion()));
    });
    about->setStatusTip(tr("Version and licence."));
}

void MainWindow::showKeys()
{
    QList<KeyGroup> groups;
    for (QAction* entry : menuBar()->actions()) {
        QList<std::pair<QString, QAction*>> actions;
        collect(*entry->menu(), withoutMnemonic(entry->text()), actions);
        KeyGroup group{withoutMnemonic(entry->text()), {}};
        for (const auto& [path, action] : actions) {
            QStringList keys;
            for (const QKeySequence& key : action->shortcuts())
                keys << key.toString(QKeySequence::NativeText);
            if (!keys.isEmpty())
                group.keys.append({keys.join(QStringLiteral(", ")), withoutMnemonic(action->text())});
        }
        if (!group.keys.isEmpty())
            groups << group;
    }
    groups << KeyGroup{tr("Grid"),
        {{tr("arrows"), tr("select a cell")}, {QStringLiteral("K"), tr("keep")}, {QStringLiteral("R"), tr("recompute")},
            {QStringLiteral("A"), tr("leave it to the planner")}, {tr("Space"), tr("go through the three")},
            {tr("drag along a row"), tr("pin all cells like the last")},
            {QStringLiteral("+, \u2212"), tr("open and fold a row")}}};
    groups << KeyGroup{tr("Ruler"),
        {{QStringLiteral("\u2190, \u2192"), tr("from plan to plan")},
            {tr("Shift+\u2190, Shift+\u2192"), tr("by 0.1 GiB")}, {tr("Home, End"), tr("to the ends")}}};
    (new KeysSheet(groups, this))->show();
}

void MainWindow::showPalette()
{
    QList<Command> commands;
    for (QAction* entry : menuBar()->actions()) {
        QList<std::pair<QString, QAction*>> actions;
        collect(*entry->menu(), withoutMnemonic(entry->text()), actions);
        for (const auto& [group, action] : actions)
            commands.append(
                {group, withoutMnemonic(action->text()), action->shortcut().toString(QKeySequence::NativeText),
                    action->isEnabled(), [guard = QPointer<QAction>(action)] {
                        if (guard)
                            guard->trigger();
                    }});
    }
    for (FieldRow* field : findChildren<FieldRow*>())
        if (field->window() == this)
            commands.append(
                {tr("Field"), withoutMnemonic(field->label()), {}, true, [guard = QPointer<FieldRow>(field)] {
                     if (guard)
                         guard->setFocus(Qt::ShortcutFocusReason);
                 }});
    (new CommandPalette(commands, this))->show();
}

QString MainWindow::diagnostics() const
{
    QStringList lines{
        tr("RematScope %1, Qt %2, %3")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()), QSysInfo::prettyProductName()),
        tr("Language %1, platform %2").arg(QLocale().name(), QGuiApplication::platformName()),
        tr("Configuration folder: %1").arg(QString::fromStdString(m_context.configurationFolder)),
        tr("Session: %1").arg(m_context.sessionPath), QString(), tr("Devices:")};
    for (const Device& device : m_state.devices().devices())
        lines << tr("%1: %2, %3")
                     .arg(QString::fromStdString(device.name), QString::fromStdString(device.title),
                         NumberFormat().bytes(device.memory));
    lines << QString() << (m_gpus.summary().isEmpty() ? tr("GPUs were not asked for.") : m_gpus.summary());
    if (const QString gpus = m_gpus.explanation(); !gpus.isEmpty())
        lines << gpus;
    for (const RunRecord& run : m_runs.runs())
        lines << RunsTableModel::story(run.row);
    lines << QString() << tr("Log:") << m_bottom->lastLogLines(kShownLogLines);
    return lines.join(u'\n');
}

void MainWindow::showDiagnostics()
{
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("diagnostics"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Diagnostics"));
    auto* text = new QPlainTextEdit(diagnostics());
    text->setReadOnly(true);
    text->setAccessibleName(tr("Diagnostics"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyDiagnostics"));
    connect(copy, &QPushButton::clicked, text, [text] { QApplication::clipboard()->setText(text->toPlainText()); });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->resize(640, 420);
    dialog->show();
}

} // namespace remat::ui
