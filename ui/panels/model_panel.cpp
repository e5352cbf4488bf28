// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/model_panel.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "core/model/names.h"
#include "core/model/presets.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/collapsible_group.h"
#include "ui/forms/form_text.h"
#include "ui/forms/integer_slider.h"
#include "ui/forms/primary_action.h"
#include "ui/forms/size_field.h"
#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/core_text.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

namespace {

constexpr int kMostBatch = 4096;
constexpr int kMostSequence = 131072;
const QString kOwnShape = QStringLiteral("own shape");

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

} // namespace

ModelPanel::ModelPanel(ExplorerState& state, RunController& runs, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_state(state),
      m_runs(runs)
{
    setObjectName(QStringLiteral("modelPanel"));
    addModelGroup();
    addDeviceGroup();
    addStepGroup();
    addStrategyGroup();
    rows().addStretch(1);
    m_run = new PrimaryAction(theme);
    m_run->setObjectName(QStringLiteral("run"));
    rows().addWidget(m_run);
    alignLabels(m_fields);

    connect(m_run, &PrimaryAction::triggered, this, &ModelPanel::runRequested);
    connect(&m_state, &ExplorerState::inputsChanged, this, &ModelPanel::showInputs);
    connect(&m_state, &ExplorerState::answerChanged, this, [this] {
        showFieldErrors();
        showRunLine();
    });
    connect(&m_runs, &RunController::runsChanged, this, &ModelPanel::showRunLine);
    showInputs();
    showRunLine();
}

void ModelPanel::addModelGroup()
{
    m_headings << new GroupHeading(tr("Model"), theme());
    m_headings.back()->setFirst(true);
    rows().addWidget(m_headings.back());
    m_preset = new ChoiceField(tr("Preset"), theme());
    m_preset->setObjectName(QStringLiteral("preset"));
    m_fields << m_preset;
    rows().addWidget(m_preset);
    m_shapeLine = new HintLine(QString(), theme());
    rows().addWidget(m_shapeLine);
    auto* open = new QPushButton(tr("Open config.json\u2026"));
    open->setToolTip(
        tr("A Hugging Face config.json of a GPT-2 or BERT model; dropping the file on the window does the same."));
    rows().addWidget(open);
    connect(open, &QPushButton::clicked, this, &ModelPanel::openConfigRequested);

    m_shapeGroup = new CollapsibleGroup(tr("Edit shape"), theme());
    m_shapeGroup->setObjectName(QStringLiteral("shape"));
    m_shapeGroup->setOpen(false);
    rows().addWidget(m_shapeGroup);
    addShapeField(tr("Layers"), 1000, &ModelShape::layers);
    addShapeField(tr("Width"), 65536, &ModelShape::hidden);
    addShapeField(tr("Heads"), 1024, &ModelShape::heads);
    addShapeField(tr("FFN width"), 262144, &ModelShape::ffn);
    addShapeField(tr("Vocabulary"), 1'000'000, &ModelShape::vocabulary);
    addShapeField(tr("Positions"), kMostSequence, &ModelShape::maxPositions);
    connect(m_preset, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        const Result<ModelShape> shape = findPreset(key.toStdString());
        if (!shape)
            return;
        Inputs inputs = m_state.inputs();
        inputs.shape = *shape;
        inputs.pins.clear();
        inputs.setup.sequence = std::min(inputs.setup.sequence, shape->maxPositions);
        m_state.edit(EditKind::Model, tr("change model"), inputs);
    });
}

IntegerSlider* ModelPanel::addShapeField(const QString& label, int most, std::int64_t ModelShape::*member)
{
    auto* field = new IntegerSlider(label, theme());
    field->setRange(1, most);
    m_shapeFields.append({field, member});
    m_fields << field;
    m_shapeGroup->addRow(field);
    connect(field, &IntegerSlider::valueEdited, this, [this, member](int value, bool isDragging) {
        Inputs inputs = m_state.inputs();
        inputs.shape.*member = value;
        inputs.shape.name = tr("own shape").toStdString();
        m_state.edit(EditKind::Model, tr("change shape"), inputs, isDragging);
    });
    return field;
}

void ModelPanel::addDeviceGroup()
{
    m_headings << new GroupHeading(tr("GPU and budget"), theme());
    rows().addWidget(m_headings.back());
    m_deviceField = new ChoiceField(tr("Device"), theme());
    m_deviceField->setObjectName(QStringLiteral("device"));
    QList<Choice> devices;
    for (const Device& device : m_state.devices().devices())
        devices.append({QString::fromStdString(device.name),
            device.kind == DeviceKind::Cpu ? tr("This CPU") : QString::fromStdString(device.title),
            tr("%1: %2. %3")
                .arg(QString::fromStdString(device.title), NumberFormat().bytes(device.memory),
                    QString::fromStdString(device.source))});
    m_deviceField->setChoices(devices);
    m_budget = new SizeField(tr("Budget"), theme());
    m_budget->setObjectName(QStringLiteral("budget"));
    m_fields << m_deviceField << m_budget;
    rows().addWidget(m_deviceField);
    rows().addWidget(m_budget);
    connect(m_deviceField, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        Inputs inputs = m_state.inputs();
        inputs.setup.device = key.toStdString();
        // A card's budget starts at what is free on it: capacity minus the driver's context.
        if (const Result<Device> device = m_state.devices().find(inputs.setup.device);
            device && device->kind == DeviceKind::Cuda)
            inputs.budget = device->memory - device->context;
        m_state.edit(EditKind::Device, tr("change device"), inputs);
    });
    connect(m_budget, &SizeField::valueEdited, this, [this](Bytes value) { m_state.setBudget(value); });
}

void ModelPanel::addStepGroup()
{
    m_headings << new GroupHeading(tr("Training step"), theme());
    rows().addWidget(m_headings.back());
    m_batch = new IntegerSlider(tr("Batch"), theme());
    m_batch->setObjectName(QStringLiteral("batch"));
    m_batch->setRange(1, kMostBatch);
    m_sequence = new IntegerSlider(tr("Sequence"), theme());
    m_sequence->setObjectName(QStringLiteral("sequence"));
    m_attention = new ChoiceField(tr("Attention"), theme());
    m_attention->setObjectName(QStringLiteral("attention"));
    m_attention->setChoices(
        {{text(toName(AttentionKind::Blocked)), tr("blocked"), tr("The T \u00d7 T scores exist only in small blocks.")},
            {text(toName(AttentionKind::Stored)), tr("scores stored"),
                tr("The T \u00d7 T probabilities are kept for backward.")}});
    m_head = new ChoiceField(tr("Loss head"), theme());
    m_head->setObjectName(QStringLiteral("head"));
    m_head->setChoices({{QStringLiteral("1"), tr("whole")}, {QStringLiteral("4"), tr("4 chunks")},
        {QStringLiteral("8"), tr("8 chunks")}, {QStringLiteral("16"), tr("16 chunks")},
        {QStringLiteral("64"), tr("64 chunks")}});
    m_dropout = new ChoiceField(tr("Dropout"), theme());
    m_dropout->setObjectName(QStringLiteral("dropout"));
    m_dropout->setChoices({{QStringLiteral("model"), tr("the model's own")}, {QStringLiteral("off"), tr("off")}});
    m_optimizer = new ChoiceField(tr("Optimizer"), theme());
    m_optimizer->setObjectName(QStringLiteral("optimizer"));
    m_optimizer->setChoices({{text(toName(OptimizerKind::AdamW)), tr("AdamW")},
        {text(toName(OptimizerKind::Sgd)), tr("SGD")}, {text(toName(OptimizerKind::None)), tr("none")}});
    for (FieldRow* field : QList<FieldRow*>{m_batch, m_sequence, m_attention, m_head, m_dropout, m_optimizer}) {
        m_fields << field;
        rows().addWidget(field);
    }
    const auto editSetup = [this](EditKind kind, const QString& name, bool isDragging,
                               const std::function<void(TrainingSetup&)>& change) {
        Inputs inputs = m_state.inputs();
        change(inputs.setup);
        m_state.edit(kind, name, inputs, isDragging);
    };
    connect(m_batch, &IntegerSlider::valueEdited, this, [=](int value, bool isDragging) {
        editSetup(EditKind::Batch, tr("change batch"), isDragging, [&](TrainingSetup& setup) { setup.batch = value; });
    });
    connect(m_sequence, &IntegerSlider::valueEdited, this, [=](int value, bool isDragging) {
        editSetup(EditKind::Sequence, tr("change sequence"), isDragging,
            [&](TrainingSetup& setup) { setup.sequence = value; });
    });
    connect(m_attention, &ChoiceField::choiceEdited, this, [=](const QString& key) {
        editSetup(EditKind::Setup, tr("change attention"), false,
            [&](TrainingSetup& setup) { setup.attention = fromName<AttentionKind>(key.toStdString()).value(); });
    });
    connect(m_head, &ChoiceField::choiceEdited, this, [=](const QString& key) {
        editSetup(EditKind::Setup, tr("change loss head"), false, [&](TrainingSetup& setup) {
            setup.headChunks = key.toInt();
            setup.loss = setup.headChunks > 1 ? LossKind::ChunkedCrossEntropy : LossKind::CrossEntropy;
        });
    });
    connect(m_dropout, &ChoiceField::choiceEdited, this, [=](const QString& key) {
        editSetup(EditKind::Setup, tr("change dropout"), false, [&](TrainingSetup& setup) {
            setup.dropout = key == QLatin1String("off") ? std::optional(0.0) : std::nullopt;
        });
    });
    connect(m_optimizer, &ChoiceField::choiceEdited, this, [=](const QString& key) {
        editSetup(EditKind::Setup, tr("change optimizer"), false,
            [&](TrainingSetup& setup) { setup.optimizer = fromName<OptimizerKind>(key.toStdString()).value(); });
    });
}

void ModelPanel::addStrategyGroup()
{
    m_headings << new GroupHeading(tr("Strategy"), theme());
    rows().addWidget(m_headings.back());
    m_strategy = new ChoiceField(tr("Rule"), theme());
    m_strategy->setObjectName(QStringLiteral("strategy"));
    QList<Choice> choices;
    for (const Strategy& strategy : comparedStrategies())
        choices.append({QString::fromStdString(toName(strategy)), strategyTitle(strategy)});
    m_strategy->setChoices(choices);
    m_fields << m_strategy;
    rows().addWidget(m_strategy);
    connect(m_strategy, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        Inputs inputs = m_state.inputs();
        inputs.strategy = parseStrategy(key.toStdString()).value();
        m_state.edit(EditKind::Strategy, tr("change strategy"), inputs);
    });
}

void ModelPanel::showInputs()
{
    const Inputs& inputs = m_state.inputs();
    QList<Choice> shapes;
    bool isPreset = false;
    for (const ModelShape& shape : presets().shapes) {
        shapes.append({QString::fromStdString(shape.name), QString::fromStdString(shape.name)});
        isPreset = isPreset || shape == inputs.shape;
    }
    if (!isPreset)
        shapes.prepend({kOwnShape, QString::fromStdString(inputs.shape.name)});
    m_preset->setChoices(shapes);
    m_preset->setCurrentKey(isPreset ? QString::fromStdString(inputs.shape.name) : kOwnShape);
    m_shapeLine->setText(
        (inputs.shape.layers == 1 ? tr("1 layer \u00b7 width %1 \u00b7 %2 heads")
                                  : tr("%1 layers \u00b7 width %2 \u00b7 %3 heads").arg(inputs.shape.layers))
            .arg(inputs.shape.hidden)
            .arg(inputs.shape.heads));
    for (const auto& [field, member] : m_shapeFields)
        field->setValue(static_cast<int>(inputs.shape.*member));
    m_deviceField->setCurrentKey(QString::fromStdString(inputs.setup.device));
    m_budget->setValue(inputs.budget);
    m_batch->setValue(static_cast<int>(inputs.setup.batch));
    m_sequence->setRange(1, static_cast<int>(std::min<std::int64_t>(inputs.shape.maxPositions, kMostSequence)), false);
    m_sequence->setValue(static_cast<int>(inputs.setup.sequence));
    m_attention->setCurrentKey(text(toName(inputs.setup.attention)));
    m_head->setCurrentKey(QString::number(inputs.setup.headChunks));
    m_dropout->setCurrentKey(inputs.setup.dropout ? QStringLiteral("off") : QStringLiteral("model"));
    m_optimizer->setCurrentKey(text(toName(inputs.setup.optimizer)));
    m_strategy->setCurrentKey(QString::fromStdString(toName(inputs.strategy)));
}

FieldRow* ModelPanel::fieldNamed(const std::string& where) const
{
    const auto endsWith = [&](const char* name) { return QString::fromStdString(where).endsWith(QLatin1String(name)); };
    static constexpr const char* kShapeNames[] = {"layers", "hidden", "heads", "ffn", "vocabulary", "max_positions"};
    for (qsizetype i = 0; i < m_shapeFields.size(); ++i)
        if (endsWith(kShapeNames[i]))
            return m_shapeFields[i].first;
    if (endsWith("batch"))
        return m_batch;
    if (endsWith("sequence") || endsWith("seq"))
        return m_sequence;
    if (endsWith("chunks"))
        return m_head;
    return nullptr;
}

void ModelPanel::showFieldErrors()
{
    for (FieldRow* field : m_fields)
        if (field != m_budget)
            field->showError(QString());
    const Answer* answer = m_state.answer();
    if (!answer || !answer->inputError)
        return;
    if (FieldRow* field = fieldNamed(answer->inputError->where)) {
        field->showError(translated(*answer->inputError));
        if (field->parentWidget() != this)
            m_shapeGroup->setOpen(true);
    }
}

void ModelPanel::showRunLine()
{
    const Answer* answer = m_state.answer();
    if (m_runs.isRunning()) {
        const RunRecord& run = m_runs.runs().back();
        m_run->setAction(tr("Stop (%1 %)").arg(static_cast<int>(run.fraction * 100)), run.row.stage);
        return;
    }
    QString line;
    if (answer && answer->shown && m_state.device().kind == DeviceKind::Cpu)
        line = tr("about %1 a step, %2")
                   .arg(NumberFormat().duration(answer->shown->plan.prediction.stepTime(answer->shown->plan.setup())),
                       NumberFormat().bytes(answer->shown->plan.prediction.peak));
    else if (answer && answer->shown)
        line = tr("this plan needs %1 here").arg(NumberFormat().bytes(answer->shown->plan.prediction.peak));
    if (const RunRecord* last = m_runs.lastReport()) {
        const PeakReport& peak = last->report->peak;
        line += u'\n'
            + (peak.tracked == peak.predicted
                    ? tr("last run: peak as predicted, to the byte")
                    : tr("last run: peak %1 off").arg(NumberFormat().signedBytes(peak.tracked - peak.predicted)));
    }
    m_run->setAction(tr("Run for real (CPU)"), line, answer && answer->shown && !answer->inputError);
}

void ModelPanel::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    for (GroupHeading* heading : m_headings)
        heading->setTheme(theme);
    for (FieldRow* field : m_fields)
        field->setTheme(theme);
    m_shapeLine->setTheme(theme);
    m_shapeGroup->setTheme(theme);
    m_run->setTheme(theme);
    alignLabels(m_fields);
}

} // namespace remat::ui
