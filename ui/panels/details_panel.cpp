// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/details_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/forms/form_text.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"
#include "ui/state/why_views.h"
#include "ui/tables/alive_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/tables/tensor_table_model.h"
#include "ui/theme/core_text.h"
#include "ui/theme/format.h"

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
      m_table(new TableView(m_tensors, theme)),
      m_alive(new AliveTableModel(this)),
      m_aliveTable(new TableView(m_alive, theme)),
      m_leaveInstant(new QToolButton),
      m_scroll(new QScrollArea)
{
    setObjectName(QStringLiteral("details"));
    m_title->setProperty("role", QStringLiteral("title"));
    m_subtitle->setProperty("role", QStringLiteral("muted"));
    m_subtitle->setWordWrap(true);
    m_title->setWordWrap(true);
    m_leaveInstant->setObjectName(QStringLiteral("leaveInstant"));
    m_leaveInstant->setText(QStringLiteral("\u2715"));
    m_leaveInstant->setAutoRaise(true);
    m_leaveInstant->setToolTip(tr("Leave this instant"));
    m_leaveInstant->setAccessibleName(tr("Leave this instant"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_leaveInstant, 0, Qt::AlignTop);
    // What does not fit scrolls; the buttons stay in view.
    m_scroll->setObjectName(QStringLiteral("detailsScroll"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* body = new QVBoxLayout(content);
    body->setContentsMargins(0, 0, 0, 0);
    m_scroll->setWidget(content);
    // The card's own ground shows through.
    m_scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    rows().addWidget(m_scroll, 1);
    body->addLayout(head);
    body->addWidget(m_subtitle);
    for (const int column :
        {TensorTableModel::Sublayer, TensorTableModel::Shape, TensorTableModel::ReadBy, TensorTableModel::Decision})
        m_table->setColumnHidden(column, true);
    m_table->setAccessibleName(tr("Tensors of the cell"));
    m_table->setWordWrap(true); // names of PyTorch's operations are long
    body->addWidget(m_table);
    m_aliveTable->setObjectName(QStringLiteral("alive"));
    m_aliveTable->setAccessibleName(tr("What is alive at this instant"));
    m_aliveTable->setColumnsThatGiveWay({AliveTableModel::Why, AliveTableModel::Share});
    body->addWidget(m_aliveTable, 4);
    const QString titles[kParagraphs]
        = {tr("Why"), tr("Sets the peak"), tr("More budget buys"), tr("Less budget costs")};
    for (int i = 0; i < kParagraphs; ++i) {
        m_headings[i] = new GroupHeading(titles[i], theme);
        m_texts[i] = new QLabel;
        m_texts[i]->setWordWrap(true);
        m_texts[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        body->addWidget(m_headings[i]);
        body->addWidget(m_texts[i]);
    }
    body->addStretch(1);
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
    // Before the first plan there is nothing to tell.
    m_scroll->widget()->hide();
    for (QPushButton* button : m_buttons)
        button->hide();
    connect(&m_state, &ExplorerState::answerChanged, &m_pace, &FramePace::request);
    connect(&m_state, &ExplorerState::selectionChanged, this, &DetailsPanel::showDetails);
    connect(&m_state.pointing(), &Pointing::instantChanged, this, &DetailsPanel::showDetails);
    connect(m_leaveInstant, &QToolButton::clicked, &m_state.pointing(),
        [this] { m_state.pointing().setInstant(std::nullopt); });
    connect(m_aliveTable, &TableView::rowChosen, this, &DetailsPanel::selectAlive);
    connect(m_aliveTable, &TableView::rowHovered, this,
        [this](int row) { m_state.pointing().setHover(row >= 0 ? m_alive->row(row).place : std::nullopt); });
}

QString DetailsPanel::whyText() const
{
    QStringList texts;
    for (const QLabel* text : m_texts)
        texts << text->text();
    return texts.join(u'\n');
}

void DetailsPanel::showWhy()
{
    // The paragraph whole, below its heading.
    m_scroll->ensureWidgetVisible(m_texts[3]->isVisible() ? m_texts[3] : m_texts[2]);
    m_scroll->ensureWidgetVisible(m_headings[1], 0, 0);
    m_texts[1]->setFocus();
}

void DetailsPanel::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_table->setTheme(theme);
    m_aliveTable->setTheme(theme);
    for (GroupHeading* heading : m_headings)
        heading->setTheme(theme);
}

void DetailsPanel::showDetails()
{
    const Answer* answer = m_state.answer();
    if (!answer || !answer->hasPlan())
        return;
    m_scroll->widget()->show();
    const std::optional<int> instant = answer->shown ? m_state.pointing().instant() : std::nullopt;
    m_leaveInstant->setVisible(instant.has_value());
    m_aliveTable->setVisible(instant.has_value());
    m_table->setVisible(!instant && m_state.selection());
    for (QPushButton* button : m_buttons)
        button->setVisible(answer->shown != nullptr);
    if (answer->regions)
        return showRegions();
    if (instant)
        showInstant(*instant);
    else
        showCell();
    showTexts({whySelected(), whatSetsThePeak(), whatMoreBudgetBuys(), whatLessBudgetCosts()});
    const StepTape& tape = answer->shown->plan.step->tape;
    const bool canPin = m_state.selection() && opsOfPlace(tape, *m_state.selection()) != 0;
    for (QPushButton* button : m_buttons)
        button->setEnabled(canPin);
}

void DetailsPanel::showTexts(const std::array<QString, kParagraphs>& texts)
{
    for (std::size_t i = 0; i < texts.size(); ++i)
        m_texts[i]->setText(texts[i]);
    m_headings[3]->setVisible(!texts[3].isEmpty());
    m_texts[3]->setVisible(!texts[3].isEmpty());
}

void DetailsPanel::showTable(const std::vector<TensorRow>& rows)
{
    m_tensors->setRows(rows);
    // As high as its rows, so that the reasons follow at once.
    const int lines = std::clamp(static_cast<int>(rows.size()), 2, 8);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height()
        + lines * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth() + 2);
}

void DetailsPanel::showRegions()
{
    const RegionTable& table = m_state.answer()->regions->table;
    const std::optional<GridPlace> place = m_state.selection();
    const int layers = static_cast<int>(table.layers);
    QString title = place ? placeTitle(place->layer, layers) : tr("Nothing selected");
    std::vector<TensorRow> rows;
    m_subtitle->clear();
    if (place && place->layer >= 0 && place->layer < layers && place->row >= 0
        && place->row < static_cast<int>(table.rows.size())) {
        const bool isWhole = place->extent == GridPlace::Extent::Layer;
        rows = regionTensorRows(m_state, isWhole ? std::nullopt : std::optional(place->row));
        const std::string& module = table.rows[static_cast<std::size_t>(place->row)].module;
        title += QStringLiteral(" \u00b7 ")
            + (isWhole               ? tr("all of it")
                    : module.empty() ? tr("layer itself")
                                     : QString::fromStdString(module));
        const ModuleCell& cell
            = table.cell(static_cast<std::size_t>(place->row), static_cast<std::size_t>(place->layer));
        if (!isWhole)
            m_subtitle->setText(tr("saved for backward: %1 of %2")
                                    .arg(NumberFormat().bytes(cell.kept), NumberFormat().bytes(cell.all)));
    }
    m_title->setText(title);
    showTable(rows);
    showTexts(
        {whyRegion(m_state), regionPeakText(m_state), moreRegionBudgetText(m_state), lessRegionBudgetText(m_state)});
}

void DetailsPanel::showInstant(int instruction)
{
    const ShownPlan& shown = *m_state.answer()->shown;
    m_title->setText(instantTitle(m_state, instruction));
    m_alive->setRows(makeAliveRows(m_state, instruction));
    m_subtitle->setText(
        tr("alive then: %1 of the peak's %2")
            .arg(NumberFormat().bytes(shown.timeline.points[static_cast<std::size_t>(instruction)].live),
                NumberFormat().bytes(shown.plan.prediction.peak)));
    m_aliveTable->setMinimumHeight(m_aliveTable->horizontalHeader()->sizeHint().height()
        + 6 * m_aliveTable->verticalHeader()->defaultSectionSize());
}

void DetailsPanel::selectAlive(int row)
{
    if (row >= 0 && m_alive->row(row).place && m_state.answer()->shown)
        m_state.setSelection(m_alive->row(row).place);
}

void DetailsPanel::showCell()
{
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
    showTable(rows);
    QStringList kept, recomputed, freed;
    for (const TensorRow& row : rows)
        (row.isKept ? kept : row.readBy.isEmpty() ? freed : recomputed) << row.tensor;
    QString title = place ? placeTitle(place->layer, static_cast<int>(tape.shape.layers)) : tr("Nothing selected");
    if (place && place->layer >= 0 && place->layer < tape.shape.layers) {
        const GridRowMeaning meaning = gridRows(tape.kinds[1])[static_cast<std::size_t>(place->row)];
        if (place->extent == GridPlace::Extent::Row)
            title = tr("All layers");
        title += QStringLiteral(" \u00b7 ")
            + (place->extent == GridPlace::Extent::Layer ? tr("all of it")
                    : meaning.op < 0
                    ? sublayerTitle(meaning.sublayer)
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
    QString where = translated(m_state.answer()->shown->plan.prediction.peakAt);
    where[0] = where[0].toUpper();
    return where.toHtmlEscaped() + peakTable(m_state);
}

QString DetailsPanel::whatMoreBudgetBuys() const
{
    const VerdictView view = makeVerdictView(m_state);
    if (view.deviceLimit)
        return tr("Nothing here: the device has no room for more.");
    if (const QString move = moreBudgetText(m_state); !move.isEmpty())
        return move;
    if (const VerdictText verdict = verdictText(view); !verdict.more.isEmpty())
        return verdict.more;
    const Plan& plan = m_state.answer()->shown->plan;
    if (m_state.answer()->doesNotFit)
        return tr("From %1 on a plan fits.").arg(NumberFormat().bytes(m_state.answer()->leastPeak()));
    return plan.prediction.reruns == 0 ? tr("Nothing: everything is kept already.")
                                       : tr("Choose the optimal strategy to see what more memory would buy.");
}

QString DetailsPanel::whatLessBudgetCosts() const
{
    return lessBudgetText(m_state);
}

void DetailsPanel::pin(Pin wish)
{
    if (const std::optional<GridPlace> place = m_state.selection(); place && m_state.answer()->shown) {
        const StepTape& tape = m_state.answer()->shown->plan.step->tape;
        const bool isRow = place->extent == GridPlace::Extent::Row;
        m_state.setPin(
            withPin(m_state.inputs().pins, tape, place->extent == GridPlace::Extent::Layer ? kEveryRow : place->row,
                isRow ? 0 : place->layer, isRow ? static_cast<int>(tape.shape.layers) - 1 : place->layer, wish),
            wish == Pin::None ? tr("release pin") : tr("pin"));
    }
}

} // namespace remat::ui
