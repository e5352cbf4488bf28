// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How the main window opens files: everything that the project writes, and configs.
#include <QFileInfo>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/file_kinds.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/chain/chain_file.h"
#include "core/cost/device_json.h"
#include "core/model/config_import.h"
#include "core/model/model_json.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"
#include "core/run/run_report.h"
#include "ui/lessons/lesson_dock.h"
#include "ui/panels/answer_card.h"
#include "ui/panels/bottom_tabs.h"
#include "ui/panels/sweep_panel.h"
#include "ui/state/comparison.h"
#include "ui/state/sweep_inputs.h"
#include "ui/theme/core_text.h"
#include "ui/window/main_window.h"

namespace remat::ui {

namespace {

constexpr MessageCode kUnknownFile{"unknown-file",
    REMAT_TR("This JSON is no file of this program and no Hugging Face config."),
    REMAT_TR("Open a config.json with a model_type, or a file that this program saved.")};

constexpr MessageCode kNotForTheWindow{
    "file-not-for-window", REMAT_TR("The window shows no {0} files."), REMAT_TR("This one is for: {1}.")};

constexpr MessageCode kExactPlan{"exact-plan-not-for-window",
    REMAT_TR("The window plans regions of PyTorch; this plan keeps single tensors."),
    REMAT_TR("Read it with \"remat explain\", and put it into your training with \"remat export --to pytorch\".")};

/// What kind of file a JSON says it is; empty when it does not say.
std::string formatOf(const nlohmann::json& json)
{
    const auto format = json.find("format");
    return json.is_object() && format != json.end() && format->is_string() ? format->get<std::string>() : std::string();
}

/// A file of ours that is for other programs, or none of ours.
Error unknownFile(const std::string& format, const std::string& name)
{
    const FileKind* kind = fileKindOf(format);
    if (!kind)
        return {&kUnknownFile, name, {}};
    return {&kNotForTheWindow, name, {format, std::string(*kind->takers ? kind->takers : "scripts")}};
}

} // namespace

Result<bool> MainWindow::openFile(const QString& path)
{
    m_answer->clearNotice();
    const Result<std::string> text = readFile(path.toStdString());
    const Result<bool> opened = text ? openText(path, *text) : Result<bool>(text.error());
    if (!opened)
        reportError(opened.error());
    return opened;
}

Result<bool> MainWindow::openText(const QString& path, const std::string& text)
{
    const std::string name = QFileInfo(path).fileName().toStdString();
    const Result<nlohmann::json> json = parseJson(text, name);
    if (!json)
        return json.error();
    const std::string format = formatOf(*json);
    const Result<bool> opened = format == "remat-document"  ? openDocument(path, text)
        : format == "remat-lesson"                          ? openLesson(path)
        : format == "remat-plan"                            ? openPlan(name, text)
        : format == "remat-report"                          ? openReport(name, text)
        : format == "remat-sweep"                           ? openSweep(name, text)
        : format == "remat-chain"                           ? openChain(name, text)
        : format == "remat-model"                           ? openModel(name, text)
        : format == "remat-device"                          ? openDevice(name, text)
        : json->is_object() && json->contains("model_type") ? openConfig(path, text)
                                                            : Result<bool>(unknownFile(format, name));
    if (opened && *opened)
        rememberFile(path);
    return opened;
}

Result<bool> MainWindow::openDocument(const QString& path, const std::string& text)
{
    const std::string name = QFileInfo(path).fileName().toStdString();
    const Result<Document> document = parseDocument(text, name);
    if (!document)
        return document.error();
    if (!mayReplace())
        return false;
    if (auto loaded = m_state.load(*document, name); !loaded)
        return loaded.error();
    m_path = path;
    showTitle();
    return true;
}

Result<bool> MainWindow::openRegionPlan(const std::string& name, const std::string& text)
{
    const Result<RegionPlan> plan = parseRegionPlan(text, name);
    if (!plan)
        return plan.error();
    if (plan->request.isExact)
        return Error{&kExactPlan, name, {}};
    Inputs inputs{plan->request.shape, setupOf(plan->request), plan->budget.value_or(plan->prediction.peak),
        plan->strategy, {}, StepProfile::Pytorch, choicesOf(plan->request.setup)};
    inputs.setup.device = m_state.adoptDevice(plan->request.device, name);
    m_state.edit(EditKind::Document, tr("open plan"), inputs);
    return true;
}

Result<bool> MainWindow::openPlan(const std::string& name, const std::string& text)
{
    if (isRegionPlan(text))
        return openRegionPlan(name, text);
    const Result<Plan> plan = parsePlan(text, name);
    if (!plan)
        return plan.error();
    Inputs inputs{
        plan->shape(), plan->setup(), plan->budget.value_or(plan->prediction.peak), plan->strategy, plan->pins};
    inputs.setup.device = m_state.adoptDevice(plan->device, name);
    // Opened beside what is there: the file's own plan is what the window's can be compared with.
    m_bottom->comparison().putAside(QString::fromStdString(name), *plan);
    m_state.edit(EditKind::Document, tr("open plan"), inputs);
    m_openedPlan = OpenedPlan{QString::fromStdString(name), plan->keep, plan->prediction.peak, m_state.generation()};
    compareOpenedPlan();
    return true;
}

void MainWindow::compareOpenedPlan()
{
    if (!m_openedPlan)
        return;
    if (m_openedPlan->generation != m_state.generation()) {
        m_openedPlan.reset();
        return;
    }
    const Answer* answer = m_state.answer();
    if (m_state.isBusy() || !answer->isComplete)
        return;
    const OpenedPlan opened = *std::exchange(m_openedPlan, std::nullopt);
    if (answer->inputError || !answer->shown)
        return;
    const Plan& shown = answer->shown->plan;
    if (shown.keep == opened.keep)
        m_bottom->log(tr("%1: the plan shown is the file's own.").arg(opened.file), false);
    else
        showNotice(
            tr("%1 was solved again: the plan shown keeps other tensors and peaks at %2; the file's peaks at %3.")
                .arg(opened.file, NumberFormat().bytes(shown.prediction.peak), NumberFormat().bytes(opened.peak)));
}

Result<bool> MainWindow::openReport(const std::string& name, const std::string& text)
{
    const Result<RunReport> report = parseReport(text, name);
    if (!report)
        return report.error();
    m_runs.addReport(*report, QString::fromStdString(name));
    m_bottom->showPage(QStringLiteral("runs"));
    return true;
}

Result<bool> MainWindow::openSweep(const std::string& name, const std::string& text)
{
    Result<SweepTable> table = parseSweepResults(text, name);
    if (!table)
        return table.error();
    m_bottom->sweep().setTable(*std::move(table));
    m_bottom->showPage(m_bottom->sweep().objectName());
    return true;
}

void MainWindow::openSweepPoint(const SweepPoint& point)
{
    const Result<Inputs> inputs = inputsOfFlags(
        m_bottom->sweep().table().flagsOf(point), m_state.inputs(), m_context.configurationFolder, m_state.devices());
    if (!inputs)
        return reportError(inputs.error());
    m_state.edit(EditKind::Document, tr("open a point of a sweep"), *inputs);
}

Result<bool> MainWindow::openChain(const std::string& name, const std::string& text)
{
    Result<Chain> chain = parseChain(text, name);
    if (!chain)
        return chain.error();
    m_chains.ask(*std::move(chain), QString::fromStdString(name));
    return true;
}

Result<bool> MainWindow::openModel(const std::string& name, const std::string& text)
{
    const Result<ModelShape> shape = parseModelFile(text, name);
    if (!shape)
        return shape.error();
    m_state.useShape(EditKind::Document, tr("open %1").arg(QString::fromStdString(name)), *shape);
    return true;
}

Result<bool> MainWindow::openDevice(const std::string& name, const std::string& text)
{
    const Result<Device> device = parseDeviceFile(text, name);
    if (!device)
        return device.error();
    Inputs inputs = m_state.inputs();
    inputs.setup.device = m_state.adoptDevice(*device, name);
    m_state.edit(EditKind::Device, tr("open %1").arg(QString::fromStdString(name)), inputs);
    return true;
}

Result<bool> MainWindow::openLesson(const QString& path)
{
    if (auto opened = m_lessons->openFile(path); !opened)
        return opened.error();
    return true;
}

Result<bool> MainWindow::openConfig(const QString& path, const std::string& text)
{
    // The path, because a file that is called config.json names its model after its folder.
    const Result<ImportedModel> model = importConfig(text, path.toStdString());
    if (!model)
        return model.error();
    m_state.useShape(EditKind::Document, tr("open %1").arg(QFileInfo(path).fileName()), model->shape);
    QStringList notes;
    for (const Message& note : model->notes)
        notes << translated(note);
    if (!notes.isEmpty())
        showNotice(notes.join(u' '));
    return true;
}

} // namespace remat::ui
