// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Files of the main window: documents, plans, reports, configs, pictures, the session.
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <QSettings>
#include <QSvgGenerator>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/model/config_import.h"
#include "core/plan/plan_file.h"
#include "core/run/run_report.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/state/core_text.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr MessageCode kUnknownFile{"unknown-file",
    REMAT_TR("This JSON is no document, plan, report or Hugging Face config."),
    REMAT_TR("Open a config.json with a model_type, or a file that this program saved.")};

constexpr int kMostRecent = 10;

Inputs inputsOf(const Plan& plan)
{
    return {plan.shape(), plan.setup(), plan.budget.value_or(plan.prediction.peak), plan.strategy, plan.pins};
}

} // namespace

bool MainWindow::openFile(const QString& path)
{
    const std::string file = path.toStdString();
    const Result<std::string> text = readFile(file);
    if (!text) {
        reportError(text.error());
        return false;
    }
    if (!openDocumentText(path, *text))
        return false;
    rememberFile(path);
    return true;
}

bool MainWindow::openDocumentText(const QString& path, const std::string& text)
{
    const std::string file = path.toStdString();
    const Result<nlohmann::json> json = parseJson(text, QFileInfo(path).fileName().toStdString());
    if (!json) {
        reportError(json.error());
        return false;
    }
    const std::string name = QFileInfo(path).fileName().toStdString();
    const std::string format = json->is_object() ? json->value("format", std::string()) : std::string();
    if (format == "remat-document") {
        const Result<Document> document = parseDocument(text, name);
        if (!document) {
            reportError(document.error());
            return false;
        }
        if (!mayDiscard())
            return false;
        m_state.load(*document);
        m_path = path;
        showTitle();
        return true;
    }
    if (format == "remat-plan") {
        const Result<Plan> plan = parsePlan(text, name);
        if (!plan) {
            reportError(plan.error());
            return false;
        }
        m_state.edit(EditKind::Document, tr("open plan"), inputsOf(*plan));
        return true;
    }
    if (format == "remat-report") {
        const Result<RunReport> report = parseReport(text, name);
        if (!report) {
            reportError(report.error());
            return false;
        }
        m_runs.addReport(*report, QFileInfo(path).fileName());
        m_bottom->showPage(QStringLiteral("runs"));
        return true;
    }
    if (json->is_object() && json->contains("model_type")) {
        const Result<ImportedModel> model = importConfigFile(file);
        if (!model) {
            reportError(model.error());
            return false;
        }
        Inputs inputs = m_state.inputs();
        inputs.shape = model->shape;
        inputs.setup.sequence = std::min(inputs.setup.sequence, model->shape.maxPositions);
        inputs.pins.clear();
        m_state.edit(EditKind::Document, tr("open %1").arg(QFileInfo(path).fileName()), inputs);
        for (const Message& note : model->notes)
            m_bottom->log(translated(note), false);
        return true;
    }
    reportError({&kUnknownFile, name, {}});
    return false;
}

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

bool MainWindow::exportPicture(const QString& path)
{
    m_bottom->refresh();
    QWidget& content = *centralWidget();
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(content.size());
        svg.setViewBox(content.rect());
        svg.setTitle(windowTitle().remove(QStringLiteral("[*]")));
        QPainter painter;
        if (painter.begin(&svg)) {
            content.render(&painter);
            return painter.end();
        }
    } else if (suffix == QLatin1String("pdf")) {
        QPdfWriter pdf(path);
        pdf.setPageSize(QPageSize(QSizeF(content.width(), content.height()) * 0.75, QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        pdf.setResolution(96);
        QPainter painter;
        if (painter.begin(&pdf)) {
            content.render(&painter);
            return painter.end();
        }
    } else {
        const QPixmap picture = content.grab();
        if (picture.save(path, "PNG"))
            return true;
    }
    m_answer->showFileError(tr("%1 cannot be written. Choose a folder that exists and is writable.").arg(path));
    return false;
}

void MainWindow::newDocument()
{
    if (!mayDiscard())
        return;
    m_state.load({firstInputs(), {}, {}});
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
        openFile(path);
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
        connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
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
    if (!document) {
        m_bottom->log(
            tr("The last session could not be read and was left aside: %1").arg(fullText(document.error())), true);
        return false;
    }
    m_state.load(*document);
    return true;
}

bool MainWindow::saveSession()
{
    if (m_context.sessionPath.isEmpty())
        return false;
    return static_cast<bool>(
        writeFileAtomically(m_context.sessionPath.toStdString(), documentText(m_state.document())));
}

} // namespace remat::ui
