// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// The groups of the left column: what fields there are, and what an edit of each changes.
#include <QPushButton>
#include <QVBoxLayout>
#include <functional>

#include "core/cost/start_budget.h"
#include "core/model/names.h"
#include "core/model/presets.h"
#include "core/run/launch_profile.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/collapsible_group.h"
#include "ui/forms/form_text.h"
#include "ui/forms/integer_slider.h"
#include "ui/forms/primary_action.h"
#include "ui/forms/size_field.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/rank_group.h"
#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

namespace {

/// No launch profile can have this name: it is no file's.
const QString kHere = QStringLiteral("/");

} // namespace

void ModelPanel::readPlaces()
{
    QList<Choice> places{{kHere, tr("this computer"), tr("The worker is a process beside this window.")}};
    for (const std::string& name : launchProfileNames(m_configurationFolder))
        places.append({QString::fromStdString(name), QString::fromStdString(name),
            tr("As launch/%1.json in your configuration folder says.").arg(QString::fromStdString(name))});
    m_place->setChoices(places);
    showMachines();
}

QString ModelPanel::precisionKey(const TrainingSetup& setup)
{
    if (effectivePrecision(setup) == Precision::Fp32)
        return QStringLiteral("fp32");
    return setup.masterWeights ? QStringLiteral("half-master") : QStringLiteral("half");
}

void ModelPanel::setPrecision(TrainingSetup& setup, const QString& key)
{
    setup.precision = key == QLatin1String("fp32") ? Precision::Fp32 : Precision::Half;
    setup.masterWeights = key == QLatin1String("half-master");
}

void ModelPanel::addModelGroup()
{
    m_headings << new GroupHeading(tr("Model"), theme());
    m_headings.back()->setFirst(true);
    m_scrolled->addWidget(m_headings.back());
    m_preset = new ChoiceField(tr("Preset"), theme());
    m_preset->setObjectName(QStringLiteral("preset"));
    m_preset->hideLabel();
    m_fields << m_preset;
    m_scrolled->addWidget(m_preset);
    m_shapeLine = new HintLine(QString(), theme());
    m_scrolled->addWidget(m_shapeLine);
    auto* open = new QPushButton(tr("Open config.json\u2026"));
    open->setToolTip(tr(
        "A Hugging Face config.json of a GPT-2, BERT, LLaMA, Mistral or Qwen2 model; dropping the file on the window "
        "does the same."));
    m_scrolled->addWidget(open);
    connect(open, &QPushButton::clicked, this, &ModelPanel::openConfigRequested);

    m_shapeGroup = new CollapsibleGroup(tr("Edit shape"), theme());
    m_shapeGroup->setObjectName(QStringLiteral("shape"));
    m_shapeGroup->setOpen(false);
    m_scrolled->addWidget(m_shapeGroup);
    addShapeField("layers", tr("Layers"), kMaxLayers, &ModelShape::layers);
    addShapeField("width", tr("Width"), kMaxWidth, &ModelShape::hidden);
    addShapeField("heads", tr("Heads"), kMaxWidth, &ModelShape::heads);
    m_keyValueHeads = addShapeField(
        "keyValueHeads", tr("K/V heads"), kMaxWidth, [](ModelShape& shape, int value) { setGroups(shape, value); });
    m_keyValueHeads->setToolTip(tr("Heads of keys and values: as many as heads, or fewer that groups of heads share."));
    addShapeField("ffn", tr("FFN width"), kMaxFfn, &ModelShape::ffn);
    addShapeField("vocabulary", tr("Vocabulary"), kMaxVocabulary, &ModelShape::vocabulary);
    addShapeField("positions", tr("Positions"), kMaxPositions, &ModelShape::maxPositions);
    connect(m_preset, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        const Result<ModelShape> shape = findPreset(key.toStdString(), m_configurationFolder);
        if (!shape)
            return;
        m_state.useShape(EditKind::Model, tr("change model"), *shape);
    });
}

void ModelPanel::addShapeField(
    const char* objectName, const QString& label, std::int64_t most, std::int64_t ModelShape::*member)
{
    IntegerSlider* field
        = addShapeField(objectName, label, most, [member](ModelShape& shape, int value) { shape.*member = value; });
    m_shapeFields.append({field, member});
}

IntegerSlider* ModelPanel::addShapeField(
    const char* objectName, const QString& label, std::int64_t most, const std::function<void(ModelShape&, int)>& set)
{
    auto* field = new IntegerSlider(label, theme());
    field->setObjectName(QLatin1String(objectName));
    field->setRange(1, static_cast<int>(most));
    m_fields << field;
    m_shapeGroup->addRow(field);
    connect(field, &IntegerSlider::valueEdited, this, [this, set](int value, bool isDragging) {
        Inputs inputs = m_state.inputs();
        set(inputs.shape, value);
        // Heads that are dragged past the number of key/value heads must not take these along.
        if (!isDragging)
            settleHeads(inputs.shape);
        inputs.shape.name = tr("own shape").toStdString();
        m_state.edit(EditKind::Model, tr("change shape"), inputs, isDragging);
    });
    return field;
}

void ModelPanel::addDeviceGroup()
{
    m_headings << new GroupHeading(tr("GPU and budget"), theme());
    m_scrolled->addWidget(m_headings.back());
    m_deviceField = new ChoiceField(tr("Device"), theme());
    m_deviceField->setObjectName(QStringLiteral("device"));
    m_budget = new SizeField(tr("Budget"), theme());
    m_budget->setObjectName(QStringLiteral("budget"));
    m_deviceField->hideLabel();
    m_fields << m_deviceField << m_budget;
    m_scrolled->addWidget(m_deviceField);
    m_scrolled->addWidget(m_budget);
    connect(m_deviceField, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        Inputs inputs = m_state.inputs();
        inputs.setup.device = key.toStdString();
        // A card's budget starts at what a step may take of it (core/cost/start_budget.h).
        if (const Result<Device> device = m_state.devices().find(inputs.setup.device);
            device && device->kind == DeviceKind::Cuda)
            inputs.budget = startBudget(*device).budget;
        else
            setPrecision(
                inputs.setup, QStringLiteral("fp32")); // What a card may store in bf16, a CPU's kernels do not.
        m_state.edit(EditKind::Device, tr("change device"), inputs);
    });
    connect(m_budget, &SizeField::valueEdited, this, [this](Bytes value) { m_state.setBudget(value); });
}

void ModelPanel::addStepGroup()
{
    m_headings << new GroupHeading(tr("Training step"), theme());
    m_scrolled->addWidget(m_headings.back());
    m_profile = new ChoiceField(tr("Profile"), theme());
    m_profile->setObjectName(QStringLiteral("profile"));
    m_profile->setChoices({{QStringLiteral("runtime"), tr("own run"),
                               tr("The step as this program runs it: every operation, to the byte; can be run here.")},
        {QStringLiteral("pytorch"), tr("PyTorch"),
            tr("The step as PyTorch and transformers run it on a GPU; what runs again are regions of "
               "torch.utils.checkpoint.")}});
    m_fields << m_profile;
    m_scrolled->addWidget(m_profile);
    connect(m_profile, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        m_state.useProfile(key == QLatin1String("pytorch") ? StepProfile::Pytorch : StepProfile::Runtime);
    });
    m_batch = new IntegerSlider(tr("Batch"), theme());
    m_batch->setObjectName(QStringLiteral("batch"));
    m_batch->setRange(1, static_cast<int>(kMaxBatch));
    m_sequence = new IntegerSlider(tr("Sequence"), theme());
    m_sequence->setObjectName(QStringLiteral("sequence"));
    m_microBatches = new IntegerSlider(tr("Micro-batches"), theme());
    m_microBatches->setObjectName(QStringLiteral("microBatches"));
    m_microBatches->setRange(1, static_cast<int>(kMaxBatch));
    m_precision = new ChoiceField(tr("Precision"), theme());
    m_precision->setObjectName(QStringLiteral("precision"));
    m_precision->setChoices({{QStringLiteral("fp32"), tr("fp32")},
        {QStringLiteral("half"), tr("bf16"), tr("Weights, values and gradients in bf16; on a GPU only.")},
        {QStringLiteral("half-master"), tr("bf16, fp32 master"),
            tr("As bf16; the optimizer keeps an fp32 copy of every weight too.")}});
    m_attention = new ChoiceField(tr("Attention"), theme());
    m_attention->setObjectName(QStringLiteral("attention"));
    m_attention->setChoices({{QString::fromUtf8(toName(AttentionKind::Blocked)), tr("blocked"),
                                 tr("The T \u00d7 T scores exist only in small blocks.")},
        {QString::fromUtf8(toName(AttentionKind::Stored)), tr("scores stored"),
            tr("The T \u00d7 T probabilities are kept for backward.")}});
    m_head = new ChoiceField(tr("Loss head"), theme());
    m_head->setObjectName(QStringLiteral("head"));
    m_head->setChoices({{QStringLiteral("1"), tr("whole")}, {QStringLiteral("4"), tr("4 chunks")},
        {QStringLiteral("8"), tr("8 chunks")}, {QStringLiteral("16"), tr("16 chunks")},
        {QStringLiteral("64"), tr("64 chunks")}});
    m_dropout = new ChoiceField(tr("Dropout"), theme());
    m_dropout->setObjectName(QStringLiteral("dropout"));
    m_dropout->setChoices({{QStringLiteral("model"), tr("as in model")}, {QStringLiteral("off"), tr("off")}});
    m_optimizer = new ChoiceField(tr("Optimizer"), theme());
    m_optimizer->setObjectName(QStringLiteral("optimizer"));
    m_optimizer->setChoices({{QString::fromUtf8(toName(OptimizerKind::AdamW)), tr("AdamW")},
        {QString::fromUtf8(toName(OptimizerKind::Sgd)), tr("SGD")},
        {QString::fromUtf8(toName(OptimizerKind::None)), tr("none")}});
    for (FieldRow* field : QList<FieldRow*>{
             m_batch, m_sequence, m_microBatches, m_precision, m_attention, m_head, m_dropout, m_optimizer}) {
        m_fields << field;
        m_scrolled->addWidget(field);
    }
    addTorchFields();
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
    connect(m_microBatches, &IntegerSlider::valueEdited, this, [=](int value, bool isDragging) {
        editSetup(EditKind::Setup, tr("change micro-batches"), isDragging,
            [&](TrainingSetup& setup) { setup.microBatches = value; });
    });
    connect(m_precision, &ChoiceField::choiceEdited, this, [=](const QString& key) {
        editSetup(
            EditKind::Setup, tr("change precision"), false, [&](TrainingSetup& setup) { setPrecision(setup, key); });
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
        editSetup(EditKind::Setup, tr("change optimizer"), false, [&](TrainingSetup& setup) {
            setup.optimizer = fromName<OptimizerKind>(key.toStdString()).value();
            setup.masterWeights = setup.masterWeights && setup.optimizer != OptimizerKind::None;
        });
    });
}

void ModelPanel::addStrategyGroup()
{
    m_headings << new GroupHeading(tr("Strategy"), theme());
    m_scrolled->addWidget(m_headings.back());
    m_strategy = new ChoiceField(tr("Rule"), theme());
    m_strategy->setObjectName(QStringLiteral("strategy"));
    m_strategy->hideLabel();
    m_fields << m_strategy;
    m_scrolled->addWidget(m_strategy);
    connect(m_strategy, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        Inputs inputs = m_state.inputs();
        inputs.strategy = parseStrategy(key.toStdString()).value();
        m_state.edit(EditKind::Strategy, tr("change strategy"), inputs);
    });
    m_ranks = new RankGroup(m_state, theme());
    m_fields << m_ranks->fields();
    rows().addWidget(m_ranks);
}

void ModelPanel::showStrategies()
{
    std::vector<Strategy> strategies = m_state.inputs().isPytorch() ? regionStrategies() : comparedStrategies();
    if (!m_state.inputs().isPytorch())
        for (const Strategy& slow : slowStrategies())
            strategies.push_back(slow);
    QList<Choice> choices;
    for (const Strategy& strategy : strategies)
        choices.append({QString::fromStdString(toName(strategy)), strategyTitle(strategy)});
    m_strategy->setChoices(choices);
}

void ModelPanel::addRunGroup()
{
    m_place = new ChoiceField(tr("Where"), theme());
    m_place->setObjectName(QStringLiteral("place"));
    m_fields << m_place;
    rows().addWidget(m_place);
    m_machine = new ChoiceField(tr("Run on"), theme());
    m_machine->setObjectName(QStringLiteral("machine"));
    m_fields << m_machine;
    rows().addWidget(m_machine);
    m_run = new PrimaryAction(theme());
    m_run->setObjectName(QStringLiteral("run"));
    rows().addWidget(m_run);
    connect(m_place, &ChoiceField::choiceEdited, &m_runs,
        [this](const QString& key) { m_runs.setPlace(key == kHere ? QString() : key); });
    connect(m_machine, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        if (const std::optional<RunMachine> machine = parseRunMachine(key.toStdString()))
            m_runs.setMachine(*machine);
    });
}

} // namespace remat::ui
