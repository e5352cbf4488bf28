// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QList>

#include "ui/panels/card.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace remat::ui {

class HintLine;
class InlineStrip;
class LessonPlayer;

/// One step of a lesson: what it says, what it asks, how far the person is, and the ways on: Back, Reset, Next.
class LessonCard : public Card {
    Q_OBJECT
public:
    LessonCard(LessonPlayer& player, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    /// What is wrong with the file that is being written; empty: nothing.
    void setFileProblem(const QString& text);
    QCheckBox& projector() const { return *m_projector; }
    InlineStrip& outcome() const { return *m_outcome; }
    QPushButton& next() const { return *m_next; }
    QPushButton& back() const { return *m_back; }

private:
    void showStep();
    void showProgress();
    void makeChoices();
    QString dots() const;

    LessonPlayer& m_player;
    QLabel* m_title;
    QLabel* m_dots;
    InlineStrip* m_fileProblem;
    QScrollArea* m_scroll;
    QLabel* m_text;
    QLabel* m_question;
    QWidget* m_choiceArea;
    QVBoxLayout* m_choiceRows;
    QList<QPushButton*> m_choices;
    HintLine* m_conditions;
    InlineStrip* m_outcome;
    QPushButton* m_hint;
    QPushButton* m_show;
    QPushButton* m_back;
    QPushButton* m_reset;
    QPushButton* m_next;
    QCheckBox* m_projector;
};

} // namespace remat::ui
