// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <functional>
#include <vector>

#include "ui/forms/inline_strip.h"
#include "ui/panels/card.h"

namespace remat::ui {

class BusyBar;
class ExplorerState;
class HintLine;
class RulerWidget;
class StaleState;
class VerdictWidget;

/// The answer: verdict line, budget ruler, and the strip that says what is wrong and cures it.
class AnswerCard : public Card {
    Q_OBJECT
public:
    AnswerCard(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    RulerWidget& ruler() const { return *m_ruler; }
    VerdictWidget& verdict() const { return *m_verdict; }
    InlineStrip& strip() const { return *m_strip; }
    /// What happened to a file, or what was decided for the person: the strip says so until the next edit.
    void showNotice(StripKind kind, const QString& text);
    void clearNotice();

signals:
    void staleChanged(bool isStale);
    /// What binds, and what would change: the person wants to know.
    void whyRequested();

private:
    void showStale();
    void showAnswer();
    void showStrip();
    void cure(int action);

    ExplorerState& m_state;
    BusyBar* m_busy;
    VerdictWidget* m_verdict;
    RulerWidget* m_ruler;
    InlineStrip* m_strip;
    HintLine* m_hint;
    bool m_needsHint = true; ///< until the handle was dragged once
    StaleState* m_stale;
    StripView m_notice;                         ///< its sentence is empty when there is none
    std::vector<std::function<void()>> m_cures; ///< of the strip's buttons
};

} // namespace remat::ui
