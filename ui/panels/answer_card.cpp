// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/answer_card.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/cost/device_memory.h"
#include "ui/forms/form_text.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"
#include "ui/theme/core_text.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/ruler_widget.h"
#include "ui/widgets/stale_state.h"
#include "ui/widgets/verdict_widget.h"

namespace remat::ui {

namespace {

/// "L3.gelu=keep, L4.gelu=keep, ...": as many as a sentence can bear.
QString namesOf(const std::vector<remat::Pin>& pins)
{
    constexpr std::size_t kMostNamed = 4;
    QStringList names;
    for (std::size_t i = 0; i < std::min(pins.size(), kMostNamed); ++i)
        names << QString::fromStdString(toText(pins[i]));
    if (pins.size() > kMostNamed)
        names << QStringLiteral("\u2026");
    return names.join(QStringLiteral(", "));
}

} // namespace

AnswerCard::AnswerCard(ExplorerState& state, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_state(state),
      m_busy(new BusyBar(theme)),
      m_verdict(new VerdictWidget(theme)),
      m_ruler(new RulerWidget(theme)),
      m_strip(new InlineStrip(theme)),
      m_hint(new HintLine(tr("Drag the handle or press \u2190 and \u2192: the grid below shows what the planner keeps "
                             "for that budget."),
          theme)),
      m_stale(new StaleState(this))
{
    m_ruler->setObjectName(QStringLiteral("ruler"));
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_strip->setObjectName(QStringLiteral("answerStrip"));
    // There is nothing to drag before the first plan, but its place is kept.
    QSizePolicy keepsPlace = m_ruler->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    m_ruler->setSizePolicy(keepsPlace);
    m_ruler->hide();
    rows().addWidget(m_busy);
    auto* why = new QToolButton;
    why->setObjectName(QStringLiteral("why"));
    why->setText(tr("Why?"));
    why->setToolTip(tr("What the peak is made of, what is left, and what more or less budget would change (Ctrl+I)"));
    why->setAccessibleName(tr("Why this plan"));
    connect(why, &QToolButton::clicked, this, &AnswerCard::whyRequested);
    auto* head = new QHBoxLayout;
    head->addWidget(m_verdict, 1);
    head->addWidget(why, 0, Qt::AlignVCenter);
    rows().addLayout(head);
    rows().addWidget(m_ruler);
    rows().addWidget(m_hint);
    rows().addWidget(m_strip);
    m_strip->clear();

    connect(m_ruler, &RulerWidget::budgetRequested, this,
        [this](Bytes budget) { m_state.setBudget(budget, m_ruler->isDragging()); });
    connect(m_ruler, &RulerWidget::dragFinished, this, [this] {
        m_state.setBudget(m_ruler->view().budget, false);
        m_needsHint = false;
        m_hint->hide();
    });
    connect(m_strip, &InlineStrip::actionTriggered, this, &AnswerCard::cure);
    connect(&m_state, &ExplorerState::answerChanged, this, &AnswerCard::showAnswer);
    connect(&m_state, &ExplorerState::inputsChanged, this, [this] {
        clearNotice();
        // The handle follows the exact field, undo and the trade-off chart at once.
        if (m_state.answer() && m_state.answer()->hasPlan() && !m_ruler->isDragging()) {
            RulerView view = m_ruler->view();
            view.budget = m_state.inputs().budget;
            m_ruler->setView(view);
        }
    });
    connect(&m_state, &ExplorerState::busyChanged, m_stale, &StaleState::setBusy);
    connect(m_stale, &StaleState::staleChanged, this, [this](bool isStale) {
        m_busy->setActive(isStale);
        showStale();
    });
    m_stale->setBusy(m_state.isBusy());
}

void AnswerCard::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_busy->setTheme(theme);
    m_verdict->setTheme(theme);
    m_ruler->setTheme(theme);
    m_strip->setTheme(theme);
    m_hint->setTheme(theme);
}

void AnswerCard::showNotice(StripKind kind, const QString& text)
{
    m_notice = {kind, text, {tr("Close")}};
    showStrip();
}

/// What is on screen is older than the inputs: an answer is under way, or the inputs make no sense.
void AnswerCard::showStale()
{
    const bool isOld = m_stale->isStale() || (m_state.answer() && m_state.answer()->inputError);
    m_verdict->setStale(isOld);
    m_ruler->setStale(isOld);
    emit staleChanged(isOld);
}

void AnswerCard::clearNotice()
{
    m_notice = {};
    showStrip();
}

void AnswerCard::showAnswer()
{
    showStale();
    if (m_state.answer()->hasPlan()) {
        m_verdict->setView(makeVerdictView(m_state));
        RulerView ruler = makeRulerView(m_state);
        if (m_ruler->isDragging())
            ruler.budget = m_ruler->view().budget; // the hand is ahead of the state by up to a frame
        m_ruler->setView(ruler);
        m_ruler->show();
    }
    showStrip();
}

void AnswerCard::showStrip()
{
    m_cures.clear();
    StripView view;
    const Answer* answer = m_state.answer();
    if (!m_notice.sentence.isEmpty()) {
        view = m_notice;
        m_cures.emplace_back([this] { clearNotice(); });
    } else if (answer && answer->inputError) {
        // The field says what is wrong with it; here stands what to do, and what the figures belong to meanwhile.
        view.sentence = sentenceOf(*answer->inputError);
        if (answer->hasPlan())
            view.sentence += u' ' + tr("Shown is the last input that made sense.");
    } else if (answer && answer->doesNotFit) {
        view.sentence = translated(*answer->doesNotFit);
        if (!answer->pinsToRelease.empty()) {
            view.sentence += u' ' + tr("It fits without: %1.").arg(namesOf(answer->pinsToRelease));
            view.actions.append(tr("Release %n pin(s)", nullptr, static_cast<int>(answer->pinsToRelease.size())));
            m_cures.emplace_back([this, released = answer->pinsToRelease] {
                std::vector<remat::Pin> pins = m_state.inputs().pins;
                std::erase_if(pins, [&](const remat::Pin& pin) {
                    return std::find(released.begin(), released.end(), pin) != released.end();
                });
                m_state.setPin(pins, tr("release pins"));
            });
        }
        if (answer->batchThatFits) {
            const std::int64_t batch = *answer->batchThatFits;
            view.actions.append(tr("Batch %1 fits").arg(batch));
            m_cures.emplace_back([this, batch] {
                Inputs inputs = m_state.inputs();
                inputs.setup.batch = batch;
                m_state.edit(EditKind::Batch, tr("change batch"), inputs);
            });
        }
        if (view.actions.size() < 2 && answer->hasPlan()) {
            const Bytes least = answer->leastPeak();
            view.actions.append(tr("Budget %1").arg(NumberFormat().bytes(least)));
            m_cures.emplace_back([this, least] { m_state.setBudget(least); });
        }
    } else if (answer && answer->hasPlan() && answer->planPeak() > answer->question.budget) {
        view.sentence
            = tr("This strategy needs %1; the budget is %2. The optimal plan fits.")
                  .arg(NumberFormat().bytes(answer->planPeak()), NumberFormat().bytes(answer->question.budget));
        view.actions.append(tr("Use the optimal plan"));
        m_cures.emplace_back([this] {
            Inputs inputs = m_state.inputs();
            inputs.strategy = {Strategy::Kind::Optimal};
            m_state.edit(EditKind::Strategy, tr("change strategy"), inputs);
        });
    }
    if (view.sentence.isEmpty() && answer && answer->strategyError)
        view.sentence = sentenceOf(*answer->strategyError) + u' '
            + (answer->regions ? tr("Shown is the optimal plan of regions.")
                               : tr("Shown is the plan in which every layer runs forward once."));
    if (view.sentence.isEmpty() && answer && answer->hasPlan() && !answer->fitsDevice()) {
        const Device& device = answer->question.request.device;
        const Bytes most = *deviceBudget(device);
        view.sentence = device.context.value > 0
            ? tr("The device has %1, of which its driver takes %2: plans up to %3 run on it.")
                  .arg(NumberFormat().bytes(device.memory), NumberFormat().bytes(device.context),
                      NumberFormat().bytes(most))
            : tr("The machine has %1.").arg(NumberFormat().bytes(device.memory));
        if (most < answer->question.budget) {
            view.actions.append(tr("Budget %1").arg(NumberFormat().bytes(most)));
            m_cures.emplace_back([this, most] { m_state.setBudget(most); });
        }
    }
    // What is wrong comes first, and the ruler keeps its height.
    m_hint->setVisible(m_needsHint && view.sentence.isEmpty());
    if (view.sentence.isEmpty())
        m_strip->clear();
    else
        m_strip->setStripView(view);
}

void AnswerCard::cure(int action)
{
    if (action >= 0 && action < static_cast<int>(m_cures.size())) {
        const std::function<void()> cure = m_cures[static_cast<std::size_t>(action)];
        cure();
    }
}

} // namespace remat::ui
