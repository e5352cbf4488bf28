// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What the main window writes and remembers: documents, plans, pictures, recent files, the session.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>

#include "core/base/files.h"
#include "core/plan/plan_file.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/theme/core_text.h"
#include "ui/window/board_picture.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr int kMostRecent = 10;

} // namespace

bool MainWindow::saveDocument(const QString& path)
{
    if (auto written = writeFileAtomically(path.toStdString(), documentText(m_state.document())); !written) {
        reportError(written.error());
        return false;
    }
    m_path = path;
    m_state.undoStack().setClean();
    rememberFile(path);
    showTitle();
    return true;
}

bool MainWindow::exportPlan(const QString& path)
{
    if (!m_state.answer() || !m_state.answer()->shown)
        return false;
    if (auto written = writeFileAtomically(path.toStdString(), planFileText(m_state.answer()->shown->plan)); !written) {
        reportError(written.error());
        return false;
    }
    m_bottom->log(tr("plan written to %1").arg(path), false);
    return true;
}

void MainWindow::showNewestAnswer()
{
    m_bottom->refresh();
    m_details->refresh();
}

Result<void> MainWindow::exportPicture(const QString& path)
{
    showNewestAnswer();
    Result<void> written = writePicture(*centralWidget(), windowTitle().remove(QStringLiteral("[*]")), path);
    if (!written)
        reportError(written.error());
    return written;
}

void MainWindow::newDocument()
{
    if (!mayDiscard())
        return;
    (void)m_state.load({firstInputs(), {}, {}, {}}, {}); // its device, this CPU, is always there
    m_path.clear();
    showTitle();
}

bool MainWindow::mayDiscard()
{
    // Unsaved edits of an untitled document are kept by the session; only a named file can lose something.
    if (m_state.undoStack().isClean() || m_path.isEmpty())
        return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
        tr("Save the changes to %1?").arg(QFileInfo(m_path).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

bool MainWindow::save()
{
    return m_path.isEmpty() ? saveAs() : saveDocument(m_path);
}

bool MainWindow::saveAs()
{
    const QString path
        = QFileDialog::getSaveFileName(this, tr("Save document"), m_path, tr("RematScope document (*.json)"));
    return !path.isEmpty() && saveDocument(path);
}

void MainWindow::chooseAndOpen(const QString& title, const QString& filter)
{
    const QString path = QFileDialog::getOpenFileName(this, title, QFileInfo(m_path).path(), filter);
    if (!path.isEmpty())
        (void)openFile(path); // what is wrong is shown in place
}

void MainWindow::rememberFile(const QString& path)
{
    if (!m_context.settings)
        return;
    QStringList files = m_context.settings->value(QStringLiteral("recentFiles")).toStringList();
    files.removeAll(path);
    files.prepend(path);
    m_context.settings->setValue(QStringLiteral("recentFiles"), files.mid(0, kMostRecent));
    fillRecentMenu();
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    const QStringList files
        = m_context.settings ? m_context.settings->value(QStringLiteral("recentFiles")).toStringList() : QStringList();
    for (const QString& path : files) {
        QAction* action = m_recent->addAction(path);
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, this, [this, path] { (void)openFile(path); });
    }
    m_recent->addSeparator();
    QAction* clear = m_recent->addAction(tr("Clear list"));
    clear->setEnabled(!files.isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        m_context.settings->remove(QStringLiteral("recentFiles"));
        fillRecentMenu();
    });
}

bool MainWindow::restoreSession()
{
    if (m_context.sessionPath.isEmpty() || !QFileInfo::exists(m_context.sessionPath))
        return false;
    const Result<std::string> text = readFile(m_context.sessionPath.toStdString());
    const Result<Document> document = text ? parseDocument(*text, "session") : Result<Document>(text.error());
    const Result<void> loaded = document ? m_state.load(*document, "session") : Result<void>(document.error());
    if (!loaded)
        putSessionAside(loaded.error());
    return static_cast<bool>(loaded);
}

void MainWindow::putSessionAside(const Error& reason)
{
    const QString aside = m_context.sessionPath + QStringLiteral(".bad");
    QFile::remove(aside);
    const bool isSafe = QFile::rename(m_context.sessionPath, aside);
    // A session that cannot be moved out of the way is not written over.
    if (!isSafe)
        m_context.sessionPath.clear();
    m_bottom->log((isSafe ? tr("The last session could not be opened and was put aside as %1: %2").arg(aside)
                          : tr("The last session could not be opened, so this one is not saved: %1"))
                      .arg(fullText(reason)),
        true);
}

bool MainWindow::saveSession()
{
    if (m_context.sessionPath.isEmpty())
        return false;
    return static_cast<bool>(
        writeFileAtomically(m_context.sessionPath.toStdString(), documentText(m_state.document())));
}

} // namespace remat::ui
