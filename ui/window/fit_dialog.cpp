// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/fit_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/cost/start_budget.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/form_text.h"
#include "ui/forms/integer_slider.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

/// The model that the window shows now, whether it is a preset or not.
const QString kShownModel = QStringLiteral("shown model");

} // namespace

FitDialog::FitDialog(ExplorerState& state, PresetCatalog presets, const Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_state(state),
      m_presets(std::move(presets)),
      m_model(new ChoiceField(tr("Model"), theme)),
      m_gpu(new ChoiceField(tr("GPU"), theme)),
      m_batch(new IntegerSlider(tr("Batch"), theme)),
      m_subtraction(new QLabel)
{
    setObjectName(QStringLiteral("fitDialog"));
    setWindowTitle(tr("Fit my model on my GPU"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_model->setObjectName(QStringLiteral("fitModel"));
    m_gpu->setObjectName(QStringLiteral("fitGpu"));
    m_batch->setObjectName(QStringLiteral("fitBatch"));
    m_subtraction->setObjectName(QStringLiteral("fitSubtraction"));
    m_subtraction->setWordWrap(true);

    QList<Choice> models{{kShownModel, tr("%1 (shown now)").arg(QString::fromStdString(state.inputs().shape.name))}};
    for (const ModelShape& shape : m_presets.shapes)
        models.append({QString::fromStdString(shape.name), QString::fromStdString(shape.name)});
    m_model->setChoices(models);
    m_model->setCurrentKey(kShownModel);
    QList<Choice> gpus;
    for (const Device& device : state.devices().devices())
        if (device.kind == DeviceKind::Cuda)
            gpus.append({QString::fromStdString(device.name), QString::fromStdString(device.title),
                QString::fromStdString(device.source)});
    m_gpu->setChoices(gpus);
    const QString shown = QString::fromStdString(state.inputs().setup.device);
    const bool isGpu = std::any_of(gpus.begin(), gpus.end(), [&](const Choice& choice) { return choice.key == shown; });
    m_gpu->setCurrentKey(isGpu ? shown : QStringLiteral("rtx-4090"));
    m_batch->setRange(1, static_cast<int>(kMaxBatch));
    m_batch->setValue(static_cast<int>(state.inputs().setup.batch));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* plan = buttons->addButton(tr("Plan"), QDialogButtonBox::AcceptRole);
    plan->setObjectName(QStringLiteral("fitPlan"));
    plan->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &FitDialog::plan);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_gpu, &ChoiceField::choiceEdited, this, &FitDialog::showSubtraction);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(new HintLine(
        tr("Choose what you train and on what; the planner finds what to keep so that a step fits."), theme));
    for (FieldRow* field : QList<FieldRow*>{m_model, m_gpu, m_batch})
        rows->addWidget(field);
    alignLabels({m_model, m_gpu, m_batch});
    rows->addWidget(m_subtraction);
    rows->addWidget(buttons);
    showSubtraction();
    setMinimumWidth(static_cast<int>(theme.px(420)));
}

QString FitDialog::subtraction() const
{
    const Result<Device> device = m_state.devices().find(m_gpu->currentKey().toStdString());
    if (!device)
        return {};
    const StartBudget start = startBudget(*device);
    const NumberFormat format;
    return tr("%1 memory \u2212 %2 context \u2212 %3 reserve = %4 budget")
        .arg(format.bytes(start.capacity), format.bytes(start.context), format.bytes(start.reserve),
            format.bytes(start.budget));
}

void FitDialog::showSubtraction()
{
    m_subtraction->setText(subtraction());
}

Inputs FitDialog::inputs() const
{
    Inputs inputs = m_state.inputs();
    const std::string model = m_model->currentKey().toStdString();
    for (const ModelShape& shape : m_presets.shapes)
        if (shape.name == model && m_model->currentKey() != kShownModel) {
            inputs.shape = shape;
            inputs.pins.clear();
            inputs.setup.sequence = std::min<std::int64_t>(shape.longestSequence(), 1024);
        }
    inputs.setup.device = m_gpu->currentKey().toStdString();
    inputs.setup.batch = m_batch->value();
    inputs.setup.precision = Precision::Half;
    inputs.strategy = {Strategy::Kind::Optimal};
    if (const Result<Device> device = m_state.devices().find(inputs.setup.device))
        inputs.budget = startBudget(*device).budget;
    return inputs;
}

void FitDialog::plan()
{
    m_state.edit(EditKind::Document, tr("fit model on GPU"), inputs());
    close();
}

} // namespace remat::ui
