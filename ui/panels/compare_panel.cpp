// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/compare_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <map>

#include "ui/forms/eliding_combo.h"
#include "ui/state/comparison.h"
#include "ui/state/explorer_state.h"
#include "ui/state/grid_rows.h"
#include "ui/state/why_views.h"
#include "ui/tables/compare_table_model.h"
#include "ui/tables/table_view.h"

namespace remat::ui {

namespace {

/// Figures follow a drag more slowly than pictures: nobody reads sixty a second.
constexpr int kPaceMilliseconds = 100;
constexpr int kOneLineFrom = 36; ///< heights of its font

} // namespace

ComparePanel::ComparePanel(ExplorerState& state, Comparison& comparison, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_comparison(comparison),
      m_pace(
          [this] {
              if (isVisible())
                  refresh();
          },
          kPaceMilliseconds),
      m_a(new ElidingCombo),
      m_b(new ElidingCombo),
      m_swap(new QToolButton),
      m_aside(new QPushButton(tr("Set as B"))),
      m_inGrid(new QCheckBox(tr("in the grid"))),
      m_rows(new CompareTableModel(this)),
      m_table(new TableView(m_rows, theme))
{
    auto* labelA = new QLabel(tr("A", "side of a comparison"));
    auto* labelB = new QLabel(tr("B", "side of a comparison"));
    labelA->setBuddy(m_a);
    labelB->setBuddy(m_b);
    m_a->setObjectName(QStringLiteral("sideA"));
    m_b->setObjectName(QStringLiteral("sideB"));
    m_a->setAccessibleName(tr("Side A of the comparison"));
    m_b->setAccessibleName(tr("Side B of the comparison"));
    m_a->setToolTip(helpOfA());
    m_b->setToolTip(helpOfB());
    for (QComboBox* box : {m_a, m_b}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        box->setMinimumWidth(static_cast<int>(theme.px(64))); // a narrow window needs the room
    }
    m_swap->setObjectName(QStringLiteral("swapSides"));
    m_swap->setText(QStringLiteral("\u21c4"));
    m_swap->setToolTip(tr("Swap A and B"));
    m_swap->setAccessibleName(tr("Swap A and B"));
    m_aside->setObjectName(QStringLiteral("setAsB"));
    m_aside->setToolTip(
        tr("Puts the plan shown aside as B; A goes on with the window, to another budget, batch or model."));
    m_table->setEmptyText(tr("Choose what to compare with as B: a strategy, a run, or the plan shown, put aside."));
    m_table->setAccessibleName(tr("What changes from A to B"));
    auto* sides = new QHBoxLayout;
    sides->addWidget(labelA);
    sides->addWidget(m_a, 1);
    sides->addWidget(m_swap);
    sides->addWidget(labelB);
    sides->addWidget(m_b, 1);
    auto* ways = new QHBoxLayout;
    ways->addWidget(m_aside);
    m_inGrid->setObjectName(QStringLiteral("differencesInGrid"));
    m_inGrid->setToolTip(tr("Only the cells about which A and B decide otherwise keep their look in the grid."));
    ways->addWidget(m_inGrid, 1);
    m_head = new QBoxLayout(QBoxLayout::LeftToRight);
    m_head->addLayout(sides, 1);
    m_head->addLayout(ways);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_head);
    layout->addWidget(m_table, 1);

    connect(&m_comparison, &Comparison::changed, &m_pace, &FramePace::request);
    connect(m_a, &QComboBox::activated, this, [this] { m_comparison.setA(m_a->currentData().toString()); });
    connect(m_b, &QComboBox::activated, this, [this] { m_comparison.setB(m_b->currentData().toString()); });
    connect(m_inGrid, &QCheckBox::toggled, this, &ComparePanel::showInGrid);
    connect(m_swap, &QToolButton::clicked, &m_comparison, &Comparison::swap);
    connect(m_aside, &QPushButton::clicked, &m_comparison, &Comparison::putAsideShown);
    connect(m_table, &TableView::rowHovered, this, &ComparePanel::pointAt);
    connect(m_table, &TableView::rowChosen, this, [this](int row) {
        pointAt(row);
        if (const auto place = m_state.pointing().hover())
            m_state.setSelection(place);
    });
}

void ComparePanel::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
}

void ComparePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // The names of what is compared need the room of a line of their own in half a window.
    m_head->setDirection(
        width() < kOneLineFrom * fontMetrics().height() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ComparePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ComparePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_state.pointing().setLit({});
}

void ComparePanel::showInGrid()
{
    const bool shows = m_inGrid->isChecked() && isVisible() && m_state.answer() && m_state.answer()->shown;
    m_state.pointing().setLit(
        shows ? placesOf(m_state.answer()->shown->plan.step->tape, m_flips) : std::vector<GridPlace>{});
}

void ComparePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_pace.request();
}

void ComparePanel::fill(QComboBox& box, const QString& key, bool mayBeNone) const
{
    const QSignalBlocker blocker(box);
    box.clear();
    if (mayBeNone)
        box.addItem(tr("nothing yet"), QString());
    for (const Comparand& choice : m_comparison.choices())
        box.addItem(choice.title, choice.key);
    const int index = box.findData(key);
    box.setCurrentIndex(index >= 0 ? index : 0);
    // A narrow window has no room for a long name.
    box.setToolTip((&box == m_a ? helpOfA() : helpOfB()) + u'\n' + box.currentText());
}

QString ComparePanel::helpOfA()
{
    return tr("What is compared: the plan shown, a strategy, an opened plan or a measured run");
}

QString ComparePanel::helpOfB()
{
    return tr("What it is compared with; differences are B less A");
}

void ComparePanel::refresh()
{
    fill(*m_a, m_comparison.aKey(), false);
    fill(*m_b, m_comparison.bKey(), true);
    m_aside->setEnabled(m_state.answer() && m_state.answer()->hasPlan());
    const std::optional<Comparand> a = m_comparison.a(), b = m_comparison.b();
    m_swap->setEnabled(b.has_value());
    std::vector<CompareRow> rows;
    m_flips.clear();
    if (a && b) {
        for (const FigurePair& pair : compareFigures(a->figures(), b->figures()))
            rows.push_back(CompareTableModel::figureRow(pair));
        if (a->plan && b->plan) {
            const auto flips = flipsBetween(*a->plan, *b->plan);
            m_flips = flips.value_or(std::vector<OpFlip>{});
            if (flips)
                for (const OpFlip& flip : *flips)
                    rows.push_back(CompareTableModel::flipRow(flip, stagesText(a->plan->step->tape, flip.stages)));
            if (!flips || flips->empty()) {
                CompareRow row;
                row.what = flips ? tr("No difference in what is kept.")
                                 : tr("Their layers are not alike: decisions cannot be put side by side.");
                rows.push_back(std::move(row));
            }
        }
        if (a->regions && b->regions)
            addWays(rows, *a->regions, *b->regions);
        else if (a->regions || b->regions)
            rows.push_back({tr("One side is PyTorch's step, the other this program's own run: what they keep cannot be "
                               "put side by side."),
                {}, {}, {}, CellTone::Normal, std::nullopt});
    }
    m_rows->setRows(std::move(rows));
    m_inGrid->setEnabled(!m_flips.empty());
    showInGrid();
}

/// Layers that the two plans run in other ways, those that change alike in one row.
void ComparePanel::addWays(std::vector<CompareRow>& rows, const RegionPlan& a, const RegionPlan& b)
{
    if (a.options.size() != b.options.size()) {
        rows.push_back({tr("Their layers are not alike: decisions cannot be put side by side."), {}, {}, {},
            CellTone::Normal, std::nullopt});
        return;
    }
    std::map<std::pair<std::string, std::string>, std::vector<int>> changes;
    for (std::size_t layer = 0; layer < a.options.size(); ++layer)
        if (a.options[layer] != b.options[layer])
            changes[{a.options[layer], b.options[layer]}].push_back(static_cast<int>(layer));
    for (const auto& [ways, layers] : changes)
        rows.push_back({layersText(layers, a.options.size()), QString::fromStdString(ways.first),
            QString::fromStdString(ways.second), {}, CellTone::Normal, std::nullopt});
    if (changes.empty())
        rows.push_back({tr("No difference in what is kept."), {}, {}, {}, CellTone::Normal, std::nullopt});
}

void ComparePanel::pointAt(int row)
{
    const CompareRow* shown = row >= 0 && row < m_rows->rowCount() ? &m_rows->row(row) : nullptr;
    if (!shown || !shown->flip || !m_state.answer() || !m_state.answer()->shown)
        return m_state.pointing().setHover(std::nullopt);
    const StepTape& tape = m_state.answer()->shown->plan.step->tape;
    const int stage = shown->flip->stages.front();
    if (stage >= static_cast<int>(tape.stages.size()))
        return; // the window shows another model by now
    const std::vector<Op>& ops = tape.tapeOf(stage).ops;
    for (std::size_t op = 0; op < ops.size(); ++op)
        if (ops[op].name == shown->flip->op) {
            std::optional<GridPlace> place = placeOfOp(tape, stage, static_cast<int>(op));
            if (place && shown->flip->stages.size() > 1)
                place->extent = GridPlace::Extent::Row;
            m_state.pointing().setHover(place);
        }
}

} // namespace remat::ui
