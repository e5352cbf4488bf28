// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <algorithm>

#include <QStringList>
#include <QWidget>

#include "ui/theme/theme.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace remat::ui {

enum class StripKind { Error, Warning, Info };

struct StripView {
    StripKind kind = StripKind::Error;
    QString sentence;    ///< Translated; one sentence.
    QStringList actions; ///< Translated names of at most two buttons that cure it.
};

/// A sentence where the trouble is, with the buttons that end it: does not fit, bad file, run failed.  Never a dialog.
///
/// Tint, and a 4 px bar at the left: red on its tint for errors; a red bar on the window's ground for warnings; the
/// accent for information (orange would mean "recomputed").  Buttons stand at the right, or below where the sentence
/// would otherwise be squeezed.
class InlineStrip : public QWidget {
    Q_OBJECT
public:
    explicit InlineStrip(const Theme& theme, QWidget* parent = nullptr);

    void setStripView(const StripView& view); ///< Shows the strip.
    void clear();                             ///< Hides it.
    const StripView& stripView() const { return m_view; }
    void setTheme(const Theme& theme);
    QPushButton& button(int index) const { return *m_buttons[index]; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void actionTriggered(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Buttons beside the sentence, in a row below it, or one below the other, by the width there is.
    enum class Arrangement { Beside, Below, Stacked };

    Arrangement arrangement(int width) const;
    int buttonCount() const { return std::min<int>(2, static_cast<int>(m_view.actions.size())); }
    int buttonsWidth() const;
    int contentLeft() const;
    int textWidth(int width) const;

    Theme m_theme;
    StripView m_view;
    QLabel* m_sentence;
    QPushButton* m_buttons[2];
};

} // namespace remat::ui
