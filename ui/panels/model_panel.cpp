// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/model_panel.h"

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "core/model/names.h"
#include "core/model/runtime_shapes.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/collapsible_group.h"
#include "ui/forms/form_text.h"
#include "ui/forms/integer_slider.h"
#include "ui/forms/primary_action.h"
#include "ui/forms/size_field.h"
#include "ui/panels/field_help.h"
#include "ui/panels/rank_group.h"
#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

const QString kOwnShape = QStringLiteral("own shape");

} // namespace

ModelPanel::ModelPanel(
    ExplorerState& state, RunController& runs, std::string configurationFolder, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_state(state),
      m_runs(runs),
      m_configurationFolder(std::move(configurationFolder)),
      m_presets(presets(m_configurationFolder))
{
    setObjectName(QStringLiteral("modelPanel"));
    addScrolledFields();
    addModelGroup();
    addDeviceGroup();
    addStepGroup();
    addStrategyGroup();
    m_scrolled->addStretch(1);
    addRunGroup();
    alignLabels(m_fields);
    for (FieldRow* field : m_fields)
        field->setHelp(fieldHelp(field->objectName()));

    connect(m_run, &PrimaryAction::triggered, this, &ModelPanel::runRequested);
    connect(&m_state, &ExplorerState::inputsChanged, this, &ModelPanel::showInputs);
    connect(&m_state, &ExplorerState::answerChanged, this, [this] {
        showFieldErrors();
        showRunLine();
    });
    connect(&m_runs, &RunController::runsChanged, this, &ModelPanel::showRunLine);
    connect(&m_runs, &RunController::machineChanged, this, &ModelPanel::showMachines);
    connect(&m_state, &ExplorerState::devicesChanged, this, &ModelPanel::showDevices);
    showDevices();
    showInputs();
    readPlaces();
}

void ModelPanel::addScrolledFields()
{
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("modelScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget;
    m_scrolled = new QVBoxLayout(body);
    m_scrolled->setContentsMargins(0, 0, 0, 0);
    scroll->setWidget(body);
    // The card's own ground shows through.
    scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    rows().addWidget(scroll, 1);
}

void ModelPanel::readPresets()
{
    m_presets = presets(m_configurationFolder);
    showInputs();
}

void ModelPanel::showDevices()
{
    // The maker's names stand in the tooltip; the field has room for what tells the cards apart.
    const auto shortTitle = [](const Device& device) {
        QString title = QString::fromStdString(device.title);
        for (const char* maker : {"NVIDIA ", "GeForce "})
            title.remove(QLatin1String(maker));
        return title;
    };
    const auto titleOf = [&](const Device& device) {
        return device.name == kThisCpu        ? tr("This CPU")
            : device.name == kThisCpuMeasured ? tr("This CPU, as a run measured it")
                                              : shortTitle(device);
    };
    QList<Choice> devices;
    for (const Device& device : m_state.devices().devices()) {
        const bool isOffered = !m_state.inputs().isPytorch() || device.kind == DeviceKind::Cuda;
        devices.append({QString::fromStdString(device.name), titleOf(device),
            isOffered ? tr("%1: %2. %3")
                            .arg(QString::fromStdString(device.title), NumberFormat().bytes(device.memory),
                                QString::fromStdString(device.source))
                      : tr("PyTorch's step is described on a GPU."),
            isOffered});
    }
    m_deviceField->setChoices(devices);
    m_deviceField->setCurrentKey(QString::fromStdString(m_state.inputs().setup.device));
}

void ModelPanel::showInputs()
{
    const Inputs& inputs = m_state.inputs();
    if (m_shownProfile != inputs.profile) {
        m_shownProfile = inputs.profile;
        showDevices();
        showStrategies();
    }
    m_profile->setCurrentKey(inputs.isPytorch() ? QStringLiteral("pytorch") : QStringLiteral("runtime"));
    showTorchFields();
    QList<Choice> shapes;
    bool isPreset = false;
    for (const ModelShape& shape : m_presets.shapes) {
        if (runtimeLacks(shape))
            continue; // the window describes the runtime profile alone
        shapes.append({QString::fromStdString(shape.name), QString::fromStdString(shape.name)});
        isPreset = isPreset || shape == inputs.shape;
    }
    if (!isPreset)
        shapes.prepend({kOwnShape, QString::fromStdString(inputs.shape.name)});
    m_preset->setChoices(shapes);
    m_preset->setCurrentKey(isPreset ? QString::fromStdString(inputs.shape.name) : kOwnShape);
    QStringList sizes{tr("%n layer(s)", nullptr, static_cast<int>(inputs.shape.layers)),
        tr("width %1").arg(inputs.shape.hidden), tr("%n head(s)", nullptr, static_cast<int>(inputs.shape.heads))};
    if (inputs.shape.groups() != inputs.shape.heads)
        sizes << tr("%n K/V head(s)", nullptr, static_cast<int>(inputs.shape.groups()));
    m_shapeLine->setText(sizes.join(QStringLiteral(" \u00b7 ")));
    for (const auto& [field, member] : m_shapeFields)
        field->setValue(static_cast<int>(inputs.shape.*member));
    m_keyValueHeads->setValue(static_cast<int>(inputs.shape.groups()));
    m_deviceField->setCurrentKey(QString::fromStdString(inputs.setup.device));
    m_budget->setValue(inputs.budget);
    m_batch->setValue(static_cast<int>(inputs.setup.batch));
    m_sequence->setRange(
        1, static_cast<int>(std::clamp<std::int64_t>(inputs.shape.longestSequence(), 1, kMaxPositions)), false);
    m_sequence->setValue(static_cast<int>(inputs.setup.sequence));
    m_microBatches->setValue(static_cast<int>(inputs.setup.microBatches));
    m_precision->setCurrentKey(precisionKey(inputs.setup));
    m_attention->setCurrentKey(QString::fromUtf8(toName(inputs.setup.attention)));
    m_head->setCurrentKey(QString::number(inputs.setup.headChunks));
    m_dropout->setCurrentKey(inputs.setup.dropout ? QStringLiteral("off") : QStringLiteral("model"));
    m_optimizer->setCurrentKey(QString::fromUtf8(toName(inputs.setup.optimizer)));
    m_strategy->setCurrentKey(QString::fromStdString(toName(inputs.strategy)));
}

FieldRow* ModelPanel::fieldNamed(const std::string& where) const
{
    const auto endsWith = [&](const char* name) { return QString::fromStdString(where).endsWith(QLatin1String(name)); };
    if (endsWith("key_value_heads"))
        return m_keyValueHeads;
    static constexpr const char* kShapeNames[] = {"layers", "hidden", "heads", "ffn", "vocabulary", "max_positions"};
    const bool isHeadWidth = endsWith("head_width"); // no field of its own: it follows from width and heads
    for (qsizetype i = 0; i < m_shapeFields.size(); ++i)
        if (endsWith(kShapeNames[i]) || (isHeadWidth && kShapeNames[i] == std::string_view("heads")))
            return m_shapeFields[i].first;
    if (endsWith("micro_batches"))
        return m_microBatches;
    if (endsWith("device"))
        return m_deviceField;
    if (endsWith("batch"))
        return m_batch;
    if (endsWith("sequence") || endsWith("seq"))
        return m_sequence;
    if (endsWith("chunks"))
        return m_head;
    if (endsWith("precision") || endsWith("master_weights"))
        return m_precision;
    return nullptr;
}

void ModelPanel::showFieldErrors()
{
    for (FieldRow* field : m_fields)
        if (field != m_budget && !m_ranks->isAncestorOf(field)) // these say what the group finds
            field->showError(QString());
    const Answer* answer = m_state.answer();
    if (!answer || !answer->inputError)
        return;
    if (FieldRow* field = fieldNamed(answer->inputError->where)) {
        field->showError(translated(*answer->inputError));
        if (m_shapeGroup->isAncestorOf(field))
            m_shapeGroup->setOpen(true);
    }
}

QString ModelPanel::lastErrorLine() const
{
    for (auto run = m_runs.runs().rbegin(); run != m_runs.runs().rend(); ++run)
        if (run->report)
            return QStringLiteral("\n\n")
                + tr("Last measured error: run %1 peaked at %2, predicted were %3 (%4).")
                      .arg(run->row.number)
                      .arg(NumberFormat().bytes(run->report->peak.tracked),
                          NumberFormat().bytes(run->report->peak.predicted),
                          NumberFormat().signedBytes(run->report->peak.tracked - run->report->peak.predicted));
    return {};
}

void ModelPanel::showMachines()
{
    const bool isHere = m_runs.place().isEmpty();
    const std::optional<GpuFound>& gpu = m_runs.gpu();
    const auto keyOf = [](RunMachine machine) { return QString::fromUtf8(toName(machine)); };
    const QString gpuTip = !isHere ? tr("What GPU there is, the worker says when the run begins.")
        : gpu                      ? tr("%1: %2 of %3 free")
                    .arg(QString::fromStdString(gpu->name), NumberFormat().bytes(gpu->free),
                        NumberFormat().bytes(gpu->memory))
        : m_runs.whyNoGpu().isEmpty() ? tr("Whether there is a GPU is being asked.")
                                      : m_runs.whyNoGpu();
    const QString gpuTitle = !isHere ? tr("A GPU there")
        : gpu                        ? machineTitle(RunMachine::Cuda, gpu)
                                     : tr("CUDA: no GPU");
    m_machine->setChoices({{keyOf(RunMachine::Cpu), isHere ? tr("This CPU") : tr("A CPU there"), tr("fp32 alone")},
        {keyOf(RunMachine::Cuda), gpuTitle, gpuTip, !isHere || gpu.has_value()},
        {keyOf(RunMachine::Emulated), tr("Emulated GPU"),
            tr("A GPU's kernels and memory pool on a CPU, thread by thread: for tiny steps. Bytes are a GPU's, "
               "times are not.")}});
    m_machine->setCurrentKey(keyOf(m_runs.machine()));
    // The index 0 is this computer, whatever places there are.
    m_place->setCurrentKey(isHere ? m_place->combo().itemData(0).toString() : m_runs.place());
    showRunLine();
}

void ModelPanel::showRunLine()
{
    const Answer* answer = m_state.answer();
    if (m_runs.isRunning()) {
        const RunRecord& run = m_runs.runs().back();
        m_run->setAction(tr("Stop (%1 %)").arg(static_cast<int>(run.fraction * 100)), run.row.stage);
        return;
    }
    if (answer && answer->regions)
        return m_run->setAction(
            runTitle(m_runs), tr("this plan is for PyTorch: %1").arg(NumberFormat().bytes(answer->planPeak())), false);
    QString line;
    if (answer && answer->shown && !m_runs.place().isEmpty())
        line = tr("this plan needs %1 there").arg(NumberFormat().bytes(answer->shown->plan.prediction.peak));
    else if (answer && answer->shown && m_runs.machine() == RunMachine::Cpu && isThisCpu(m_state.device()))
        line = tr("about %1 a step, %2")
                   .arg(NumberFormat().duration(answer->shown->plan.prediction.stepTime(answer->shown->plan.setup())),
                       NumberFormat().bytes(answer->shown->plan.prediction.peak));
    else if (answer && answer->shown)
        line = tr("this plan needs %1 here").arg(NumberFormat().bytes(answer->shown->plan.prediction.peak));
    m_budget->setHelp(fieldHelp(m_budget->objectName()) + lastErrorLine());
    const RunRecord* last = answer && answer->shown ? m_runs.lastReportOf(answer->shown->plan) : nullptr;
    if (last) {
        const PeakReport& peak = last->report->peak;
        const QString step = NumberFormat().duration(last->report->time.step);
        line += u'\n'
            + (peak.tracked == peak.predicted
                    ? tr("last run: %1 a step, peak as predicted to the byte").arg(step)
                    : tr("last run: %1 a step, peak %2 off")
                          .arg(step, NumberFormat().signedBytes(peak.tracked - peak.predicted)));
    }
    m_run->setAction(runTitle(m_runs), line, answer && answer->shown && !answer->inputError);
}

void ModelPanel::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_scrolled->setSpacing(rows().spacing());
    for (GroupHeading* heading : m_headings)
        heading->setTheme(theme);
    for (FieldRow* field : m_fields)
        field->setTheme(theme);
    m_shapeLine->setTheme(theme);
    m_shapeGroup->setTheme(theme);
    m_torchGroup->setTheme(theme);
    m_ranks->setTheme(theme);
    m_run->setTheme(theme);
    alignLabels(m_fields);
}

} // namespace remat::ui
