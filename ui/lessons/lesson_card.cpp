// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_card.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/forms/form_text.h"
#include "ui/forms/inline_strip.h"
#include "ui/lessons/lesson_player.h"

namespace remat::ui {

namespace {

QLabel* wrappingLabel(const char* objectName)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

LessonCard::LessonCard(LessonPlayer& player, const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      m_player(player),
      m_title(wrappingLabel("lessonTitle")),
      m_dots(new QLabel),
      m_fileProblem(new InlineStrip(theme)),
      m_scroll(new QScrollArea),
      m_text(wrappingLabel("lessonText")),
      m_question(wrappingLabel("lessonQuestion")),
      m_choiceArea(new QWidget),
      m_choiceRows(new QVBoxLayout(m_choiceArea)),
      m_conditions(new HintLine({}, theme)),
      m_outcome(new InlineStrip(theme)),
      m_hint(new QPushButton(tr("Hint"))),
      m_show(new QPushButton(tr("Show me"))),
      m_back(new QPushButton(tr("Back"))),
      m_reset(new QPushButton(tr("Reset"))),
      m_next(new QPushButton(tr("Next"))),
      m_projector(new QCheckBox(tr("Projector")))
{
    setObjectName(QStringLiteral("lessonCard"));
    m_hint->setToolTip(tr("A word on how to find the answer."));
    m_show->setToolTip(tr("Does what the lesson's author would do."));
    m_back->setToolTip(tr("The step before, as it was at its start."));
    m_reset->setToolTip(tr("Brings this step's own state back, whatever was changed."));
    m_next->setToolTip(tr("The next step; an unanswered question may stay."));
    m_projector->setToolTip(tr("Everything 1.5 times as large, for the back rows."));

    auto* body = new QWidget;
    auto* rowsOfBody = new QVBoxLayout(body);
    rowsOfBody->setContentsMargins(0, 0, 0, 0);
    m_choiceRows->setContentsMargins(0, 0, 0, 0);
    auto* help = new QHBoxLayout;
    help->addWidget(m_hint);
    help->addWidget(m_show);
    help->addStretch(1);
    for (QWidget* widget : {static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_question), m_choiceArea,
             static_cast<QWidget*>(m_conditions), static_cast<QWidget*>(m_outcome)})
        rowsOfBody->addWidget(widget);
    rowsOfBody->addLayout(help);
    rowsOfBody->addStretch(1);
    m_scroll->setWidget(body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The card's own ground shows through.
    m_scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);

    auto* ways = new QHBoxLayout;
    ways->addWidget(m_back);
    ways->addWidget(m_reset);
    ways->addWidget(m_next, 1);
    m_next->setProperty("primary", true);
    rows().addWidget(m_title);
    rows().addWidget(m_dots);
    rows().addWidget(m_fileProblem);
    rows().addWidget(m_scroll, 1);
    rows().addLayout(ways);
    rows().addWidget(m_projector);
    m_fileProblem->clear();

    connect(m_hint, &QPushButton::clicked, &m_player, &LessonPlayer::showHint);
    connect(m_show, &QPushButton::clicked, &m_player, &LessonPlayer::showSolution);
    connect(m_back, &QPushButton::clicked, &m_player, &LessonPlayer::back);
    connect(m_reset, &QPushButton::clicked, &m_player, &LessonPlayer::reset);
    connect(m_next, &QPushButton::clicked, &m_player, &LessonPlayer::next);
    connect(&m_player, &LessonPlayer::stepChanged, this, &LessonCard::showStep);
    connect(&m_player, &LessonPlayer::progressChanged, this, &LessonCard::showProgress);
    LessonCard::setTheme(theme);
}

void LessonCard::setTheme(const Theme& theme)
{
    Card::setTheme(theme);
    m_title->setFont(theme.font(FontRole::Figures, true));
    m_text->setFont(theme.font(FontRole::Text));
    m_question->setFont(theme.font(FontRole::Title));
    m_dots->setFont(theme.font(FontRole::Label));
    m_conditions->setTheme(theme);
    m_outcome->setTheme(theme);
    m_fileProblem->setTheme(theme);
    const int gap = static_cast<int>(theme.px(8));
    m_scroll->widget()->layout()->setSpacing(gap);
    m_choiceRows->setSpacing(gap / 2);
}

void LessonCard::setFileProblem(const QString& text)
{
    if (text.isEmpty())
        m_fileProblem->clear();
    else
        m_fileProblem->setStripView({StripKind::Error, text, {}});
}

QString LessonCard::dots() const
{
    QString dots;
    for (int step = 0; step < m_player.stepCount(); ++step) {
        const bool isQuestion = m_player.lesson().steps[static_cast<std::size_t>(step)].question.has_value();
        const bool isDone = isQuestion ? m_player.isSolved(step) : step < m_player.stepIndex();
        dots += step == m_player.stepIndex() ? QChar(0x25C9) : isDone ? QChar(0x25CF) : QChar(0x25CB);
    }
    return dots;
}

void LessonCard::showStep()
{
    if (!m_player.isPlaying())
        return;
    const LessonStep& step = m_player.step();
    m_title->setText(m_player.lesson().title.text());
    m_text->setText(step.text.text());
    m_question->setVisible(step.question.has_value());
    m_show->setVisible(step.question.has_value());
    if (step.question)
        m_question->setText(step.question->text.text());
    makeChoices();
    m_back->setEnabled(m_player.stepIndex() > 0);
    m_next->setText(m_player.isLastStep() ? tr("Finish") : tr("Next"));
    showProgress();
}

void LessonCard::makeChoices()
{
    for (QPushButton* button : m_choices) {
        // The click that leads on may come from one of them.
        button->hide();
        button->deleteLater();
    }
    m_choices.clear();
    const std::optional<LessonQuestion>& question = m_player.step().question;
    const int count = question ? static_cast<int>(question->choices.size()) : 0;
    for (int choice = 1; choice <= count; ++choice) {
        auto* button = new QPushButton(question->choices[static_cast<std::size_t>(choice) - 1].text());
        button->setObjectName(QStringLiteral("lessonChoice%1").arg(choice));
        button->setCheckable(true);
        button->setProperty("choice", true);
        connect(button, &QPushButton::clicked, &m_player, [this, choice] { m_player.choose(choice); });
        m_choiceRows->addWidget(button);
        m_choices << button;
    }
    m_choiceArea->setVisible(count > 0);
}

void LessonCard::showProgress()
{
    if (!m_player.isPlaying())
        return;
    const QString place = tr("Step %1 of %2").arg(m_player.stepIndex() + 1).arg(m_player.stepCount());
    m_dots->setText(dots() + QStringLiteral("  ") + place);
    m_dots->setAccessibleName(place);
    for (int i = 0; i < m_choices.size(); ++i)
        m_choices[i]->setChecked(m_player.choice() == i + 1);
    const std::optional<LessonQuestion>& question = m_player.step().question;
    QStringList conditions;
    if (question && question->choices.empty())
        for (const LessonCondition& condition : question->check)
            // What must only stay as it is says nothing while it does.
            if (condition.relation != LessonRelation::Is || !holds({condition}, m_player.world()))
                conditions << conditionText(condition, m_player.world());
    m_conditions->setText(conditions.join(u'\n'));
    m_conditions->setVisible(!conditions.isEmpty());
    m_hint->setVisible(question && !m_player.isSolved() && !m_player.showsHint());
    m_show->setVisible(question && !m_player.isSolved());
    if (question && m_player.isSolved())
        m_outcome->setStripView(
            {StripKind::Info, question->because.isEmpty() ? tr("Right.") : question->because.text(), {}});
    else if (question && m_player.showsHint())
        m_outcome->setStripView({StripKind::Warning,
            (m_player.choice() > 0 ? tr("Not this one.") + u' ' : QString()) + question->hint.text(), {}});
    else
        m_outcome->clear();
}

} // namespace remat::ui
