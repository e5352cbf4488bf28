// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What the main window writes and remembers: documents, plans, pictures, recent files, the session.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>
#include <cstddef>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/export/plan_table.h"
#include "core/export/pytorch_module.h"
#include "core/export/region_heading.h"
#include "core/export/region_realization.h"
#include "core/export/torch_translation.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/details_panel.h"
#include "ui/theme/core_text.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr int kMostRecent = 10;

/// What a session's file has besides the document: whose file it is, and whether that has everything.
constexpr const char* kSessionKey = "session";

/// A plan as text; an error where it cannot be written so.
template <class AnyPlan> struct PlanFormat {
    const char* suffix;
    Result<std::string> (*text)(const AnyPlan& plan);
};
constexpr PlanFormat<Plan> kPlanFormats[]
    = {{"json", [](const Plan& plan) -> Result<std::string> { return planFileText(plan); }},
        {"csv", [](const Plan& plan) -> Result<std::string> { return planCsv(plan); }},
        {"md", [](const Plan& plan) -> Result<std::string> { return planMarkdown(plan); }},
        {"py", [](const Plan& plan) -> Result<std::string> {
             const Result<TorchTranslation> translation = translateToTorch(plan, TorchRealization::Kind::Regions);
             if (!translation)
                 return translation.error();
             return pytorchModule(translation->realization, translation->heading);
         }}};
constexpr PlanFormat<RegionPlan> kRegionFormats[]
    = {{"json", [](const RegionPlan& plan) -> Result<std::string> { return regionPlanFileText(plan); }},
        {"py", [](const RegionPlan& plan) -> Result<std::string> {
             const Result<TorchRealization> realization
                 = realizationOf(plan.request.shape, plan.request.setup, plan.request.realization());
             if (!realization)
                 return realization.error();
             return pytorchModule(*realization, headingOf(plan, *realization));
         }}};

constexpr MessageCode kUnknownPlanSuffix{"unknown-plan-suffix", REMAT_TR("A plan is not written as .{}."),
    REMAT_TR("End the name in .json, .csv, .md or .py.")};

constexpr MessageCode kRegionSuffix{"unknown-region-plan-suffix",
    REMAT_TR("A plan of the profile pytorch is not written as .{}."), REMAT_TR("End the name in .json or .py.")};

/// Writes a plan in the format of the file's suffix.
template <class AnyPlan, std::size_t N>
Result<void> writePlan(
    const QString& path, const AnyPlan& plan, const PlanFormat<AnyPlan> (&formats)[N], const MessageCode& unknown)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    for (const PlanFormat<AnyPlan>& format : formats)
        if (suffix == QLatin1String(format.suffix)) {
            const Result<std::string> text = format.text(plan);
            return text ? writeFileAtomically(path.toStdString(), *text) : Result<void>(text.error());
        }
    return Error{&unknown, QFileInfo(path).fileName().toStdString(), {suffix.toStdString()}};
}

} // namespace

bool MainWindow::saveDocument(const QString& path)
{
    // While a lesson plays, what is saved is a copy of its state; the person's own document waits behind it.
    const bool isCopy = m_lessons->player().isPlaying();
    if (auto written = writeFileAtomically(path.toStdString(), documentText(m_state.document())); !written) {
        reportError(written.error());
        return false;
    }
    rememberFile(path);
    if (isCopy)
        return true;
    m_path = path;
    m_state.undoStack().setClean();
    m_autosave.start(); // the session names the file and knows that it is saved
    showTitle();
    return true;
}

bool MainWindow::exportPlan(const QString& path)
{
    const Answer* answer = m_state.answer();
    if (!answer || !answer->hasPlan())
        return false;
    const Result<void> written = answer->regions
        ? writePlan(path, answer->regions->plan, kRegionFormats, kRegionSuffix)
        : writePlan(path, answer->shown->plan, kPlanFormats, kUnknownPlanSuffix);
    if (!written) {
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

void MainWindow::newDocument()
{
    if (!mayReplace())
        return;
    (void)m_state.load({firstInputs(), {}, {}, {}}, {}); // its device, this CPU, is always there
    m_path.clear();
    showTitle();
}

bool MainWindow::mayClose()
{
    // The session keeps an untitled document as it is.
    return m_path.isEmpty() || mayReplace();
}

bool MainWindow::mayReplace()
{
    if (m_state.undoStack().isClean())
        return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
        m_path.isEmpty() ? tr("Save the changes to this untitled document?")
                         : tr("Save the changes to %1?").arg(QFileInfo(m_path).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

bool MainWindow::save()
{
    return m_path.isEmpty() || m_lessons->player().isPlaying() ? saveAs() : saveDocument(m_path);
}

bool MainWindow::saveAs()
{
    const QString path = chooseFileToWrite(tr("Save document"),
        m_path.isEmpty() || m_lessons->player().isPlaying() ? QStringLiteral("document.json") : m_path,
        {tr("RematScope document (*.json)")});
    return !path.isEmpty() && saveDocument(path);
}

QString MainWindow::chooseFileToWrite(const QString& title, const QString& suggested, const QStringList& filters)
{
    // The suffix that a filter names is added to a name without one, so that the file is found again.
    const auto suffixOf = [](const QString& filter) {
        const QString pattern = filter.section(QStringLiteral("*."), 1, 1);
        return pattern.section(QRegularExpression(QStringLiteral("[ )]")), 0, 0);
    };
    QFileDialog dialog(this, title, suggested);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    dialog.setDefaultSuffix(suffixOf(filters.first()));
    connect(&dialog, &QFileDialog::filterSelected, &dialog,
        [&](const QString& filter) { dialog.setDefaultSuffix(suffixOf(filter)); });
    dialog.selectFile(suggested);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
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

void MainWindow::forgetFile(const QString& path)
{
    QStringList files = m_context.settings->value(QStringLiteral("recentFiles")).toStringList();
    files.removeAll(path);
    m_context.settings->setValue(QStringLiteral("recentFiles"), files);
    fillRecentMenu();
}

void MainWindow::fillRecentMenu()
{
    m_recent->clear();
    const QStringList files
        = m_context.settings ? m_context.settings->value(QStringLiteral("recentFiles")).toStringList() : QStringList();
    for (const QString& path : files) {
        const bool isThere = QFileInfo::exists(path);
        QAction* action = m_recent->addAction(isThere ? path : tr("%1 (missing)").arg(path));
        action->setStatusTip(isThere ? tr("Opens this file.") : tr("Takes this entry out of the list."));
        connect(action, &QAction::triggered, this,
            [this, path] { QFileInfo::exists(path) ? (void)openFile(path) : forgetFile(path); });
    }
    m_recent->addSeparator();
    QAction* clear = m_recent->addAction(tr("Clear list"));
    clear->setEnabled(!files.isEmpty());
    clear->setStatusTip(tr("Forgets which files were open."));
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
    Result<Document> document = text ? parseDocument(*text, "session") : Result<Document>(text.error());
    const nlohmann::json session
        = document ? document->unknown.value(kSessionKey, nlohmann::json::object()) : nlohmann::json::object();
    if (document)
        document->unknown.erase(kSessionKey);
    const Result<void> loaded = document ? m_state.load(*document, "session") : Result<void>(document.error());
    if (!loaded) {
        putSessionAside(loaded.error());
        return false;
    }
    if (session.is_object()) {
        const auto file = session.find("file"), isModified = session.find("modified");
        if (file != session.end() && file->is_string())
            m_path = QString::fromStdString(file->get<std::string>());
        if (isModified != session.end() && isModified->is_boolean() && isModified->get<bool>())
            m_state.undoStack().resetClean();
    }
    showTitle();
    return true;
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
    Document document = m_state.document();
    if (m_lessons->player().isPlaying())
        document.inputs = m_lessons->player().before();
    document.unknown[kSessionKey] = {{"file", m_path.toStdString()}, {"modified", !m_state.undoStack().isClean()}};
    return static_cast<bool>(writeFileAtomically(m_context.sessionPath.toStdString(), documentText(document)));
}

} // namespace remat::ui
