// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/article_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "core/base/index.h"
#include "core/cost/device_memory.h"
#include "ui/state/answer_views.h"
#include "ui/state/article_work.h"
#include "ui/state/explorer_state.h"
#include "ui/tables/article_table_model.h"
#include "ui/tables/table_view.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// What the article's models may use: all that the device has for a step, whatever the window's own budget is.
Bytes budgetOf(const Device& device)
{
    return deviceBudget(device).value_or(Bytes{});
}

} // namespace

ArticlePanel::ArticlePanel(ExplorerState& state, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_heading(new QLabel),
      m_precision(new QComboBox),
      m_rows(new ArticleTableModel(this)),
      m_table(new TableView(m_rows, theme)),
      m_why(new QLabel)
{
    m_heading->setProperty("role", QStringLiteral("muted"));
    m_heading->setToolTip(
        tr("The article's models at its sequence length on the device that is chosen, with all the memory "
           "that it has for a step. A rate is samples per second against keeping everything."));
    m_table->setAccessibleName(tr("The article's claims beside what comes out"));
    m_table->setEmptyText(tr("The article's table appears here."));
    m_table->setColumnsThatGiveWay({ArticleTableModel::ClaimedStep, ArticleTableModel::Step});
    m_why->setObjectName(QStringLiteral("articleWhy"));
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_precision->setObjectName(QStringLiteral("articlePrecision"));
    m_precision->setAccessibleName(tr("Precision of the article's models"));
    m_precision->setToolTip(tr("The article counts FP16, two bytes a number. A CPU computes in fp32."));
    m_precision->addItems({tr("fp32"), tr("bf16")});
    // A long device's name takes a second line instead of widening the whole group of tabs.
    m_heading->setWordWrap(true);
    m_heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading, 1);
    head->addWidget(m_precision);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_why);
    connect(m_table, &TableView::rowChosen, this, &ArticlePanel::showWhy);
    connect(m_precision, &QComboBox::currentIndexChanged, this, &ArticlePanel::follow);
    connect(&m_state, &ExplorerState::answerChanged, this, &ArticlePanel::follow);
    connect(&m_state, &ExplorerState::idleWorkAdvanced, this, &ArticlePanel::take);
}

ArticlePanel::~ArticlePanel() = default;

void ArticlePanel::setTheme(const Theme& theme)
{
    m_table->setTheme(theme);
}

QString ArticlePanel::whyText() const
{
    return m_why->text();
}

void ArticlePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void ArticlePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_work.reset();
}

void ArticlePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        showTable();
}

void ArticlePanel::follow()
{
    if (!isVisible() || !m_state.answer())
        return;
    const Device& device = m_state.device();
    m_precision->setEnabled(device.kind == DeviceKind::Cuda);
    const bool isSame = m_shown && m_shown->device() == device && m_shown->precision() == precision();
    if (isSame && (m_work || m_shown->isComplete()))
        return;
    if (!isSame) {
        // The presets as the program ships them: the article's models are not the person's.
        Result<ArticleTable> table = ArticleTable::make(device, budgetOf(device), std::string(), precision());
        if (!table) {
            m_heading->setText(sentenceOf(table.error()));
            return;
        }
        m_shown = *std::move(table);
    }
    m_work = std::make_shared<ArticleWork>(*m_shown);
    m_state.doWhenIdle(m_work);
    showTable();
}

Precision ArticlePanel::precision() const
{
    const bool isHalf = m_state.device().kind == DeviceKind::Cuda && m_precision->currentIndex() == 1;
    return isHalf ? Precision::Half : Precision::Fp32;
}

void ArticlePanel::take()
{
    if (!m_work)
        return;
    if (std::optional<ArticleTable> table = m_work->takeTable()) {
        m_shown = std::move(table);
        showTable();
    }
}

void ArticlePanel::showTable()
{
    if (!m_shown)
        return;
    std::vector<ArticleRow> rows;
    for (std::size_t i = 0; i < m_shown->rows().size(); ++i) {
        const ArticleTableRow& from = m_shown->rows()[i];
        ArticleRow row;
        row.model = QString::fromStdString(from.shape.name);
        row.strategy = strategyTitle(from.strategy);
        row.isComputed = i < m_shown->computed();
        if (from.claim)
            row.claimed = {from.claim->batch, from.claim->secondsPerStep, from.claim->relative};
        if (row.isComputed && from.largestBatch > 0)
            row.computed = {from.largestBatch, static_cast<double>(from.step.value) / 1e9, from.relative.value_or(0)};
        row.peak = from.peak;
        QStringList sentences;
        for (const Message& why : from.why)
            sentences << translated(why);
        row.why = sentences.join(u' ');
        rows.push_back(std::move(row));
    }
    const Device& device = m_shown->device();
    m_heading->setText(tr("%1, %2 for a step, %3; rates against keeping everything")
                           .arg(QString::fromStdString(device.title), NumberFormat().bytes(m_shown->budget()),
                               m_shown->precision() == Precision::Half ? tr("bf16") : tr("fp32")));
    m_rows->setRows(std::move(rows));
    showWhy();
}

void ArticlePanel::showWhy()
{
    const QModelIndex chosen = m_table->currentIndex();
    if (chosen.isValid()) {
        const ArticleRow& row = m_rows->row(m_table->modelRow(chosen));
        m_why->setText(row.isComputed ? row.why : tr("This row is being computed."));
    } else {
        m_why->setText(m_shown && !m_shown->isComplete()
                ? tr("%1 of %2 rows computed").arg(m_shown->computed()).arg(m_shown->rows().size())
                : tr("Choose a row to see why it differs."));
    }
}

} // namespace remat::ui
