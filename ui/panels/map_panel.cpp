// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/map_panel.h"

#include <QVBoxLayout>

#include "ui/state/batch_map_work.h"
#include "ui/state/explorer_state.h"
#include "ui/widgets/batch_map_widget.h"

namespace remat::ui {

MapPanel::MapPanel(ExplorerState& state, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_map(new BatchMapWidget(theme))
{
    m_map->setObjectName(QStringLiteral("batchMapPicture"));
    m_map->setAccessibleName(tr("Extra time by budget and batch"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_map, 1);
    connect(m_map, &BatchMapWidget::chosen, this, &MapPanel::choose);
    connect(&m_state, &ExplorerState::answerChanged, this, &MapPanel::follow);
    connect(&m_state, &ExplorerState::inputsChanged, this, &MapPanel::showMap);
    connect(&m_state, &ExplorerState::idleWorkAdvanced, this, &MapPanel::take);
}

MapPanel::~MapPanel() = default;

void MapPanel::setTheme(const Theme& theme)
{
    m_map->setTheme(theme);
}

void MapPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void MapPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_work.reset(); // what is solved stays in m_rows
}

void MapPanel::follow()
{
    const Answer* answer = m_state.answer();
    if (!isVisible() || !answer || !answer->hasPlan() || answer->inputError)
        return;
    const Question& question = answer->question;
    if (m_work && BatchMapWork::isSameMap(m_work->question(), question)
        && m_work->batch() == question.request.setup.batch)
        return showMap();
    if (!m_question || !BatchMapWork::isSameMap(*m_question, question))
        m_rows.clear();
    m_question = question;
    m_work = std::make_shared<BatchMapWork>(question, m_rows);
    m_left = m_work->left();
    m_state.doWhenIdle(m_work);
    showMap();
}

void MapPanel::take()
{
    if (!m_work)
        return;
    std::optional<BatchMapWork::Found> found = m_work->take();
    if (!found)
        return;
    m_rows = std::move(found->rows);
    m_left = found->left;
    showMap();
}

void MapPanel::showMap()
{
    if (!m_work)
        return;
    BatchMapView view;
    view.batches = m_work->batches();
    view.rows = m_rows;
    view.left = m_left;
    view.batch = m_work->batch();
    view.budget = m_state.inputs().budget;
    m_map->setView(std::move(view));
}

void MapPanel::choose(std::int64_t batch, Bytes budget)
{
    Inputs inputs = m_state.inputs();
    inputs.setup.batch = batch;
    inputs.budget = budget;
    m_state.edit(EditKind::Batch, tr("take batch and budget from the map"), inputs);
}

} // namespace remat::ui
