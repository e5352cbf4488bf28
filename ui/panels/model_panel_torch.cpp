// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// The fields of a training step in PyTorch: what the command line's profile pytorch has as flags.
#include <QVBoxLayout>

#include "core/regions/region_plan_file.h"
#include "ui/forms/choice_field.h"
#include "ui/forms/collapsible_group.h"
#include "ui/panels/model_panel.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

namespace {

using torch::DType;
using torch::TorchAttention;
using torch::TorchLoss;
using torch::TorchOptimizer;
using torch::TorchPrecision;

const QString kOn = QStringLiteral("on"), kOff = QStringLiteral("off");

QString onOff(bool isOn)
{
    return isOn ? kOn : kOff;
}

QString torchPrecisionKey(const TorchChoices& choices)
{
    if (choices.precision == TorchPrecision::Fp32)
        return QStringLiteral("fp32");
    return QLatin1String(toName(choices.precision)) + u'-'
        + (choices.half == DType::BFloat16 ? QStringLiteral("bf16") : QStringLiteral("fp16"));
}

void setTorchPrecision(TorchChoices& choices, const QString& key)
{
    choices.precision = key == QLatin1String("fp32") ? TorchPrecision::Fp32
        : key.startsWith(QLatin1String("amp"))       ? TorchPrecision::Amp
                                                     : TorchPrecision::Half;
    if (key.contains(u'-'))
        choices.half = key.endsWith(QLatin1String("fp16")) ? DType::Float16 : DType::BFloat16;
}

/// "early", "late", "reentrant": how a region ends its second run.
QString regionKey(const TorchChoices& choices)
{
    return choices.isReentrant ? QStringLiteral("reentrant")
        : choices.stopsEarly   ? QStringLiteral("early")
                               : QStringLiteral("late");
}

} // namespace

void ModelPanel::addTorchFields()
{
    const auto choice = [this](const char* objectName, const QString& label, const QList<Choice>& choices) {
        auto* field = new ChoiceField(label, theme());
        field->setObjectName(QLatin1String(objectName));
        field->setChoices(choices);
        m_fields << field;
        return field;
    };
    m_torchPrecision = choice("torchPrecision", tr("Precision"),
        {{QStringLiteral("half-bf16"), tr("bf16"), tr("Everything in bf16: model.to(torch.bfloat16).")},
            {QStringLiteral("half-fp16"), tr("fp16"), tr("Everything in fp16: model.half().")},
            {QStringLiteral("amp-bf16"), tr("AMP, bf16"), tr("fp32 weights; torch.autocast in bf16.")},
            {QStringLiteral("amp-fp16"), tr("AMP, fp16"), tr("fp32 weights; torch.autocast in fp16.")},
            {QStringLiteral("fp32"), tr("fp32"), tr("Everything in fp32, TF32 off.")}});
    m_torchAttention = choice("torchAttention", tr("Attention"),
        {{QStringLiteral("sdpa"), tr("SDPA"),
             tr("scaled_dot_product_attention: flash, efficient or math, as PyTorch picks.")},
            {QStringLiteral("eager"), tr("eager"), tr("The scores as a tensor: attn_implementation=\"eager\".")}});
    m_torchLoss = choice("torchLoss", tr("Loss"),
        {{QStringLiteral("model"), tr("as in model"), tr("What the Hugging Face class computes from labels.")},
            {QStringLiteral("sum"), tr("sum of logits"), tr("out.logits.sum(): no loss of its own.")}});
    m_torchOptimizer = choice("torchOptimizer", tr("Optimizer"),
        {{QStringLiteral("adamw"), tr("AdamW")}, {QStringLiteral("adamw-fused"), tr("AdamW, fused")},
            {QStringLiteral("sgd"), tr("SGD")}, {QStringLiteral("adafactor"), tr("Adafactor")},
            {QStringLiteral("adamw-8bit"), tr("AdamW, 8 bit")}, {QStringLiteral("none"), tr("none")}});
    for (FieldRow* field : QList<FieldRow*>{m_torchPrecision, m_torchAttention, m_torchLoss, m_torchOptimizer})
        m_scrolled->addWidget(field);

    m_torchGroup = new CollapsibleGroup(tr("PyTorch's habits"), theme());
    m_torchGroup->setObjectName(QStringLiteral("torchHabits"));
    m_torchGroup->setOpen(false);
    m_scrolled->addWidget(m_torchGroup);
    m_torchRegion = choice("torchRegion", tr("Regions"),
        {{QStringLiteral("early"), tr("early stop"),
             tr("use_reentrant=False: a second run ends at the last tensor that is asked for.")},
            {QStringLiteral("late"), tr("to the end"), tr("use_reentrant=False without early stop.")},
            {QStringLiteral("reentrant"), tr("reentrant"),
                tr("use_reentrant=True: nothing inside is saved by choice.")}});
    m_torchGradients = choice("torchGradients", tr("Gradients"),
        {{kOff, tr("made anew"), tr("zero_grad(set_to_none=True), the default.")},
            {kOn, tr("stay"), tr("zero_grad(set_to_none=False): they are there all step long.")}});
    m_torchOutputs = choice("torchOutputs", tr("Outputs"),
        {{kOff, tr("dropped"), tr("Only the loss outlives forward.")},
            {kOn, tr("held"), tr("The script holds the model's output, logits included, during backward.")}});
    m_torchCache = choice("torchCache", tr("Cache"),
        {{kOff, tr("off"), tr("use_cache=False.")}, {kOn, tr("on"), tr("Keys and values go into the output.")}});
    m_torchShift = choice("torchShift", tr("Loss code"),
        {{kOff, tr("current"), tr("Labels are shifted, logits are not copied.")},
            {kOn, tr("older"), tr("Older transformers: fp32 logits are returned, and copied shifted.")}});
    for (FieldRow* field :
        QList<FieldRow*>{m_torchRegion, m_torchGradients, m_torchOutputs, m_torchCache, m_torchShift})
        m_torchGroup->addRow(field);

    const auto edits = [this](ChoiceField* field, const QString& name,
                           const std::function<void(TorchChoices&, const QString&)>& change) {
        connect(field, &ChoiceField::choiceEdited, this, [this, name, change](const QString& key) {
            Inputs inputs = m_state.inputs();
            change(inputs.torch, key);
            m_state.edit(EditKind::Setup, name, inputs);
        });
    };
    edits(m_torchPrecision, tr("change precision"), &setTorchPrecision);
    edits(m_torchAttention, tr("change attention"), [](TorchChoices& choices, const QString& key) {
        choices.attention = key == QLatin1String("eager") ? TorchAttention::Eager : TorchAttention::Sdpa;
    });
    edits(m_torchLoss, tr("change loss"), [](TorchChoices& choices, const QString& key) {
        choices.loss = key == QLatin1String("sum") ? TorchLoss::LogitsSum : TorchLoss::ModelLoss;
    });
    edits(m_torchOptimizer, tr("change optimizer"), [](TorchChoices& choices, const QString& key) {
        for (const TorchOptimizer known : {TorchOptimizer::AdamW, TorchOptimizer::AdamWFused, TorchOptimizer::Sgd,
                 TorchOptimizer::Adafactor, TorchOptimizer::AdamW8Bit, TorchOptimizer::None})
            if (key == QLatin1String(toName(known)))
                choices.optimizer = known;
    });
    edits(m_torchRegion, tr("change regions"), [](TorchChoices& choices, const QString& key) {
        choices.isReentrant = key == QLatin1String("reentrant");
        choices.stopsEarly = key == QLatin1String("early");
    });
    edits(m_torchGradients, tr("change gradients"),
        [](TorchChoices& choices, const QString& key) { choices.hasResidentGrads = key == kOn; });
    edits(m_torchOutputs, tr("change outputs"),
        [](TorchChoices& choices, const QString& key) { choices.keepsOutputs = key == kOn; });
    edits(m_torchCache, tr("change cache"),
        [](TorchChoices& choices, const QString& key) { choices.usesCache = key == kOn; });
    edits(m_torchShift, tr("change loss"),
        [](TorchChoices& choices, const QString& key) { choices.hasOldLossShift = key == kOn; });
}

void ModelPanel::showTorchFields()
{
    const Inputs& inputs = m_state.inputs();
    const TorchChoices& choices = inputs.torch;
    for (FieldRow* field : QList<FieldRow*>{m_precision, m_attention, m_head, m_optimizer})
        field->setVisible(!inputs.isPytorch());
    for (FieldRow* field : QList<FieldRow*>{m_torchPrecision, m_torchAttention, m_torchLoss, m_torchOptimizer})
        field->setVisible(inputs.isPytorch());
    m_torchGroup->setVisible(inputs.isPytorch());
    m_torchPrecision->setCurrentKey(torchPrecisionKey(choices));
    m_torchAttention->setCurrentKey(QLatin1String(toName(choices.attention)));
    // An image classifier's own loss is a few numbers a picture.
    const bool isImage = inputs.shape.head == HeadKind::ImageClassifier;
    m_torchLoss->setCurrentKey(
        isImage || choices.loss == TorchLoss::LogitsSum ? QStringLiteral("sum") : QStringLiteral("model"));
    m_torchLoss->setEnabled(!isImage);
    m_torchOptimizer->setCurrentKey(QLatin1String(toName(choices.optimizer)));
    m_torchRegion->setCurrentKey(regionKey(choices));
    m_torchGradients->setCurrentKey(onOff(choices.hasResidentGrads));
    m_torchOutputs->setCurrentKey(onOff(choices.keepsOutputs));
    m_torchCache->setCurrentKey(onOff(choices.usesCache));
    m_torchShift->setCurrentKey(onOff(choices.hasOldLossShift));
}

} // namespace remat::ui
