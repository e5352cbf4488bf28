// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/rank_group.h"

#include <utility>

#include "ui/forms/choice_field.h"
#include "ui/forms/form_text.h"
#include "ui/forms/integer_slider.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

const QString kOn = QStringLiteral("on"), kOff = QStringLiteral("off");
const QString kTorch = QStringLiteral("pytorch"), kPaper = QStringLiteral("paper");

QString titleOf(PaperRecompute recompute)
{
    switch (recompute) {
    case PaperRecompute::None:
        return RankGroup::tr("Nothing runs again");
    case PaperRecompute::Selective:
        return RankGroup::tr("Attention's core runs again (selective)");
    case PaperRecompute::Full:
        return RankGroup::tr("Every layer runs again");
    }
    return {};
}

/// The four memory numbers of a row; closed forms know no allocator.
QString textOf(const RankAnswer::Row& row, const Device& device)
{
    const NumberFormat format;
    const RankBytes& rank = row.fullest;
    QStringList lines{titleOf(row.recompute) + QStringLiteral(":")};
    lines << RankGroup::tr("saved for backward %1, of %n micro-batch(es)", nullptr, static_cast<int>(rank.inFlight))
                 .arg(format.bytes(rank.saved));
    lines << RankGroup::tr("peak allocated %1").arg(format.bytes(rank.peak));
    lines << (row.reserved ? RankGroup::tr("reserved %1 to %2")
                                 .arg(format.bytes(row.reserved->least), format.bytes(row.reserved->most))
                           : RankGroup::tr("reserved: no closed form"));
    lines << (row.onDevice <= device.memory ? RankGroup::tr("on the device %1: fits %2")
                                            : RankGroup::tr("on the device %1: does not fit %2"))
                 .arg(format.bytes(row.onDevice), format.bytes(device.memory));
    lines << RankGroup::tr("a step %1, without communication").arg(format.duration(row.step));
    if (row.layer)
        lines << RankGroup::tr("a layer keeps %1: attention %2, MLP %3, norms %4, input %5")
                     .arg(format.bytes(row.layer->total()), format.bytes(row.layer->attention),
                         format.bytes(row.layer->mlp), format.bytes(row.layer->norms), format.bytes(row.layer->input));
    return lines.join(u'\n');
}

/// Which of the figures no simulation gave (core/regions/rank_view.h).
QString formsOf(const RankChoices& choices)
{
    if (choices.isByPaper)
        return RankGroup::tr(
            "All of it in closed forms: activations by Korthikanti et al. 2022, states by Rajbhandari et "
            "al. 2020 (ZeRO, 2 + 2 + 12 bytes a weight), stages by Narayanan et al. 2021 (1F1B). "
            "These are three points, not a plan: nothing can be pinned, exported or run.");
    QStringList forms{
        RankGroup::tr("Simulated: what one GPU computes, with heads, FFN and vocabulary over TP and layers "
                      "over PP.")};
    const Parallelism& parallelism = choices.parallelism;
    if (parallelism.isSequenceParallel)
        forms << RankGroup::tr("Closed form: a layer's saved bytes over TP (Korthikanti et al. 2022, table 2).");
    if (parallelism.pipeline > 1)
        forms << RankGroup::tr(
            "Closed form: stage i holds min(m, p \u2212 i) micro-batches (Narayanan et al. 2021, 1F1B).");
    if (parallelism.zeroStage > 0)
        forms << RankGroup::tr("Closed form: states over DP (Rajbhandari et al. 2020, ZeRO).");
    forms << RankGroup::tr("The plan above is for one GPU.");
    return forms.join(u' ');
}

} // namespace

RankGroup::RankGroup(ExplorerState& state, const Theme& theme, QWidget* parent)
    : CollapsibleGroup(tr("Several GPUs"), theme, parent),
      m_state(state),
      m_source(addChoice("rankSource", tr("Counted by"))),
      m_tensor(addDegree("tensorParallel", tr("TP"), &Parallelism::tensor)),
      m_sequenceParallel(addChoice("sequenceParallel", tr("SP"))),
      m_pipeline(addDegree("pipelineParallel", tr("PP"), &Parallelism::pipeline)),
      m_data(addDegree("dataParallel", tr("DP"), &Parallelism::data)),
      m_zero(addChoice("zeroStage", tr("ZeRO"))),
      m_numbers(new HintLine(QString(), theme)),
      m_forms(new HintLine(QString(), theme))
{
    setObjectName(QStringLiteral("ranks"));
    setOpen(false);
    m_numbers->setObjectName(QStringLiteral("rankNumbers"));
    m_numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_forms->setObjectName(QStringLiteral("rankForms"));
    addRow(m_numbers);
    addRow(m_forms);
    m_source->setChoices(
        {{kTorch, tr("PyTorch"), tr("The simulation of one GPU's step, with closed forms for what GPUs share.")},
            {kPaper, tr("paper"),
                tr("The closed forms of Korthikanti et al. 2022 alone; for models with a plain FFN of width 4C.")}});
    m_sequenceParallel->setChoices(
        {{kOff, tr("off")}, {kOn, tr("on"), tr("Tokens between the products are shared too.")}});
    m_zero->setChoices({{QStringLiteral("0"), tr("off")}, {QStringLiteral("1"), tr("1: optimizer")},
        {QStringLiteral("2"), tr("2: and gradients")}, {QStringLiteral("3"), tr("3: and weights (FSDP)")}});
    connect(m_source, &ChoiceField::choiceEdited, this,
        [this](const QString& key) { edit([&](RankChoices& ranks) { ranks.isByPaper = key == kPaper; }); });
    connect(m_sequenceParallel, &ChoiceField::choiceEdited, this, [this](const QString& key) {
        edit([&](RankChoices& ranks) { ranks.parallelism.isSequenceParallel = key == kOn; });
    });
    connect(m_zero, &ChoiceField::choiceEdited, this,
        [this](const QString& key) { edit([&](RankChoices& ranks) { ranks.parallelism.zeroStage = key.toInt(); }); });
    connect(this, &CollapsibleGroup::openToggled, this, &RankGroup::follow);
    connect(&m_state, &ExplorerState::inputsChanged, this, &RankGroup::showChoices);
    connect(&m_state, &ExplorerState::idleWorkAdvanced, this, &RankGroup::take);
    showChoices();
}

RankGroup::~RankGroup() = default;

IntegerSlider* RankGroup::addDegree(const char* objectName, const QString& label, std::int64_t Parallelism::*member)
{
    auto* field = new IntegerSlider(label, theme());
    field->setObjectName(QLatin1String(objectName));
    field->setRange(1, static_cast<int>(kMaxDegree));
    m_fields << field;
    addRow(field);
    connect(field, &IntegerSlider::valueEdited, this, [this, member](int value, bool isDragging) {
        edit([&](RankChoices& ranks) { ranks.parallelism.*member = value; }, isDragging);
    });
    return field;
}

ChoiceField* RankGroup::addChoice(const char* objectName, const QString& label)
{
    auto* field = new ChoiceField(label, theme());
    field->setObjectName(QLatin1String(objectName));
    m_fields << field;
    addRow(field);
    return field;
}

void RankGroup::edit(const std::function<void(RankChoices&)>& change, bool isDragging)
{
    Inputs inputs = m_state.inputs();
    change(inputs.ranks);
    m_state.edit(EditKind::Setup, tr("change GPUs"), inputs, isDragging);
}

void RankGroup::setTheme(const Theme& theme)
{
    CollapsibleGroup::setTheme(theme);
    m_numbers->setTheme(theme);
    m_forms->setTheme(theme);
}

QString RankGroup::text() const
{
    return m_numbers->text();
}

void RankGroup::showChoices()
{
    const RankChoices& ranks = m_state.inputs().ranks;
    m_source->setCurrentKey(ranks.isByPaper ? kPaper : kTorch);
    m_tensor->setValue(static_cast<int>(ranks.parallelism.tensor));
    m_sequenceParallel->setCurrentKey(ranks.parallelism.isSequenceParallel ? kOn : kOff);
    m_pipeline->setValue(static_cast<int>(ranks.parallelism.pipeline));
    m_data->setValue(static_cast<int>(ranks.parallelism.data));
    m_zero->setCurrentKey(QString::number(ranks.parallelism.zeroStage));
    m_forms->setText(formsOf(ranks));
    const auto gpus = static_cast<int>(ranks.parallelism.ranks());
    setTitle(ranks.parallelism.isAny() ? tr("Several GPUs: %n", nullptr, gpus) : tr("Several GPUs"));
    follow();
}

void RankGroup::follow()
{
    m_work.reset(); // what it would say is about other inputs
    // What only plans depend on changes nothing here.
    Inputs inputs = m_state.inputs();
    inputs.budget = {};
    inputs.strategy = {};
    inputs.pins.clear();
    inputs.profile = {};
    if (!isOpen() || (m_isComplete && m_asked == inputs && m_askedDevice == m_state.device()))
        return;
    m_asked = inputs;
    m_askedDevice = m_state.device();
    m_isComplete = false;
    if (m_state.device().kind != DeviceKind::Cuda) {
        m_isComplete = true;
        m_numbers->setText(tr("Choose a GPU as the device to see what one of several holds."));
        return;
    }
    if (inputs.ranks.isByPaper)
        m_work = std::make_shared<RankWork>(PaperRequest{inputs.shape, inputs.setup.batch, inputs.setup.sequence,
            inputs.setup.microBatches, true, inputs.ranks.parallelism, m_state.device()});
    else
        m_work = std::make_shared<RankWork>(
            regionRequestOf(inputs.shape, inputs.setup, inputs.torch, m_state.device()), inputs.ranks.parallelism);
    m_state.doWhenIdle(m_work);
}

void RankGroup::take()
{
    if (!m_work)
        return;
    if (const std::optional<RankAnswer> answer = m_work->take()) {
        m_isComplete = true;
        m_work.reset();
        showAnswer(*answer);
    }
}

void RankGroup::showAnswer(const RankAnswer& answer)
{
    for (FieldRow* field : m_fields)
        field->showError(QString());
    if (answer.error)
        return showError(*answer.error);
    QStringList parts;
    for (const RankAnswer::Row& row : answer.rows)
        parts << textOf(row, m_state.device());
    const RankBytes& fullest = answer.rows.front().fullest;
    const QString which = m_state.inputs().ranks.parallelism.pipeline > 1
        ? tr("The fullest GPU, of pipeline stage %1 with %n layer(s):", nullptr, static_cast<int>(fullest.layers))
              .arg(fullest.stage)
        : tr("Each GPU:");
    m_numbers->setText(which + u'\n' + parts.join(QStringLiteral("\n\n")));
}

void RankGroup::showError(const Error& error)
{
    const std::pair<const char*, FieldRow*> places[] = {{"tensor", m_tensor}, {"sequence_parallel", m_sequenceParallel},
        {"pipeline", m_pipeline}, {"data", m_data}, {"zero", m_zero}};
    FieldRow* field = nullptr;
    for (const auto& [where, row] : places)
        if (error.where == where)
            field = row;
    if (field)
        field->showError(sentenceOf(error));
    m_numbers->setText(field ? QString() : sentenceOf(error));
}

} // namespace remat::ui
