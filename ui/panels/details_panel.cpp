// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/details_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/forms/form_text.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_rows.h"
#include "ui/tables/table_view.h"
#include "ui/tables/tensor_table_model.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// Sentences follow a drag more slowly than pictures: nobody reads sixty a second, and each lays the window out anew.
constexpr int kPaceMilliseconds = 100;

} // namespace

DetailsPanel::DetailsPanel(ExplorerState& state, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_state(state),
      m_pace([this] { showDetails(); }, kPaceMilliseconds),
      m_title(new QLabel),
      m_subtitle(new QLabel),
      m_tensors(new TensorTableModel(this)),
      m_table(new TableView(m_tensors, theme))
{
    setObjectName(QStringLiteral("details"));
    m_title->setProperty("role", QStringLiteral("title"));
    m_subtitle->setProperty("role", QStringLiteral("muted"));
    m_subtitle->setWordWrap(true);
    rows().addWidget(m_title);
    rows().addWidget(m_subtitle);
    for (const int column :
        {TensorTableModel::Sublayer, TensorTableModel::Shape, TensorTableModel::ReadBy, TensorTableModel::Decision})
        m_table->setColumnHidden(column, true);
    m_table->setEmptyText(tr("Select a cell of the grid."));
    rows().addWidget(m_table);
    const QString titles[3] = {tr("Why"), tr("Sets the peak"), tr("More budget buys")};
    for (int i = 0; i < 3; ++i) {
        m_headings[i] = new GroupHeading(titles[i], theme);
        m_texts[i] = new QLabel;
        m_texts[i]->setWordWrap(true);
        m_texts[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        rows().addWidget(m_headings[i]);
        rows().addWidget(m_texts[i]);
    }
    rows().addStretch(1);
    auto* buttons = new QHBoxLayout;
    const QString names[3] = {tr("&Keep"), tr("&Recompute"), tr("&Auto")};
    const QString tips[3] = {tr("Pin: hold it between forward and backward"), tr("Pin: drop it and compute it again"),
        tr("Let the planner decide")};
    const Pin wishes[3] = {Pin::Keep, Pin::Recompute, Pin::None};
    for (int i = 0; i < 3; ++i) {
        m_buttons[i] = new QPushButton(names[i]);
        m_buttons[i]->setToolTip(tips[i]);
        buttons->addWidget(m_buttons[i]);
        connect(m_buttons[i], &QPushButton::clicked, this, [this, wish = wishes[i]] { pin(wish); });
    }
    rows().addLayout(buttons);
    connect(&m_state, &ExplorerState::answerChanged, &m_pace, &FramePace::request);
    connect(&m_state, &ExplorerState::selectionChanged, this, &DetailsPanel::showDetails);
}

QString DetailsPanel::whyText() const
{
    return QStringList{m_texts[0]->text(), m_texts[1]->text(), m_texts[2]->text()}.join(u'\n');
}

void DetailsPanel::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_table->setTheme(theme);
    for (GroupHeading* heading : m_headings)
        heading->setTheme(theme);
}

void DetailsPanel::showDetails()
{
    if (!m_state.answer() || !m_state.answer()->shown)
        return;
    const StepTape& tape = m_state.answer()->shown->plan.step->tape;
    const std::vector<TensorRow> all = makeTensorRows(m_state);
    const std::optional<GridPlace> place = m_state.selection();
    std::vector<TensorRow> rows;
    const KeepSet ops = place ? opsOfPlace(tape, *place) : 0;
    if (place) {
        const StageTape& stage = tape.tapeOf(stageOfLayer(tape, place->layer));
        for (std::size_t t = 0; t < all.size(); ++t)
            if (stage.tensors[t].producer >= 0 && keeps(ops, stage.tensors[t].producer))
                rows.push_back(all[t]);
    }
    m_tensors->setRows(rows);
    // As high as its rows, so that the reasons follow at once.
    const int lines = std::clamp(static_cast<int>(rows.size()), 2, 8);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height()
        + lines * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth() + 2);
    QStringList kept, recomputed, freed;
    for (const TensorRow& row : rows)
        (row.isKept ? kept : row.readBy.isEmpty() ? freed : recomputed) << row.tensor;
    QString title = place ? placeTitle(tape, place->layer) : tr("Nothing selected");
    if (place && place->layer >= 0 && place->layer < tape.shape.layers) {
        const GridRowMeaning meaning = gridRows(tape.kinds[1])[static_cast<std::size_t>(place->row)];
        title += QStringLiteral(" \u00b7 ")
            + (meaning.op < 0 ? sublayerTitle(meaning.sublayer)
                              : QString::fromStdString(tape.kinds[1].ops[static_cast<std::size_t>(meaning.op)].name));
    }
    m_title->setText(title);
    QStringList parts;
    if (!kept.isEmpty())
        parts << tr("kept: %1").arg(kept.join(QStringLiteral(", ")));
    if (!recomputed.isEmpty())
        parts << tr("recomputed: %1").arg(recomputed.join(QStringLiteral(", ")));
    if (!freed.isEmpty())
        parts << tr("freed, not needed again: %1").arg(freed.join(QStringLiteral(", ")));
    m_subtitle->setText(parts.join(QStringLiteral("; ")));
    m_texts[0]->setText(whySelected());
    m_texts[1]->setText(whatSetsThePeak());
    m_texts[2]->setText(whatMoreBudgetBuys());
    for (QPushButton* button : m_buttons)
        button->setEnabled(ops != 0);
}

QString DetailsPanel::whySelected() const
{
    const std::optional<GridPlace> place = m_state.selection();
    if (!place)
        return tr("Click a cell, or move with the arrow keys, to see what it holds and what dropping it would cost.");
    const StepChain& step = *m_state.answer()->shown->plan.step;
    const int stage = stageOfLayer(step.tape, place->layer);
    const StageFacts facts = step.factsOf(stage);
    const KeepSet ops = opsOfPlace(step.tape, *place);
    if (ops == 0)
        return tr("No backward reads what is made here, so nothing is held and nothing can be freed.");
    // Both from where the plan stands now.
    const KeepSet keep = m_state.answer()->shown->plan.keep[static_cast<std::size_t>(stage)] & keepAll(facts.tape);
    QStringList sentences;
    const NumberFormat format;
    const auto say = [&](const QString& sentence, const DropPrice& price) {
        QString text = sentence.arg(format.bytes(price.freed), format.duration(price.time));
        if (price.time.value > 0) {
            const double perMillisecond
                = 1e6 * static_cast<double>(price.freed.value) / static_cast<double>(price.time.value);
            text += u' ' + tr("(%1 for each ms)").arg(format.bytes({static_cast<std::int64_t>(perMillisecond)}));
        }
        sentences << text + u'.';
    };
    if ((ops & ~keep) != 0)
        say(tr("Recomputing saves %1 here and takes %2"), priceBetween(facts, keep | ops, keep));
    if ((ops & keep) != 0)
        say((ops & ~keep) != 0 ? tr("Recomputing the rest too would free %1 more and take %2 more")
                               : tr("Recomputing this would free %1 and take %2 more"),
            priceBetween(facts, keep, keep & ~ops));
    return sentences.join(u' ');
}

QString DetailsPanel::whatSetsThePeak() const
{
    const Answer& answer = *m_state.answer();
    const Plan& plan = answer.shown->plan;
    const LiveBytes& live = answer.shown->timeline.atPeak;
    const NumberFormat format;
    QString text = tr("%1: resident %2, weight gradients %3, saved %4, working memory %5.")
                       .arg(translated(plan.prediction.peakAt), format.bytes(plan.prediction.base),
                           format.bytes(live.weightGradients), format.bytes(live.saved), format.bytes(live.working));
    text[0] = text[0].toUpper();
    const Bytes slack = answer.question.budget - plan.prediction.peak;
    text += u' '
        + (slack.value >= 0 ? tr("Slack %1.").arg(format.bytes(slack))
                            : tr("%1 over the budget.").arg(format.bytes(-slack)));
    return text;
}

QString DetailsPanel::whatMoreBudgetBuys() const
{
    const VerdictView view = makeVerdictView(m_state);
    if (view.deviceLimit)
        return tr("Nothing here: the device has no room for more.");
    if (const VerdictText verdict = verdictText(view); !verdict.more.isEmpty())
        return verdict.more;
    const Plan& plan = m_state.answer()->shown->plan;
    if (m_state.answer()->doesNotFit)
        return tr("From %1 on a plan fits.").arg(NumberFormat().bytes(m_state.answer()->leastPeak()));
    return plan.prediction.reruns == 0 ? tr("Nothing: everything is kept already.")
                                       : tr("Choose the optimal strategy to see what more memory would buy.");
}

void DetailsPanel::pin(Pin wish)
{
    if (const std::optional<GridPlace> place = m_state.selection()) {
        const StepTape& tape = m_state.answer()->shown->plan.step->tape;
        m_state.setPin(withPin(m_state.inputs().pins, tape, place->row, place->layer, place->layer, wish),
            wish == Pin::None ? tr("release pin") : tr("pin"));
    }
}

} // namespace remat::ui
