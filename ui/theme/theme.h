// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QFont>
#include <QPalette>
#include <QStringList>

#include "ui/theme/palette.h"

namespace remat::ui {

/// Follow the desktop's palette, or what the person chose in the settings.
enum class ThemeChoice { FollowDesktop, Light, Dark };

/// Sizes relative to the desktop's base (12 px there): +7 bold, +3, +0 bold, +0, -1, -2; nothing below 10 px.
enum class FontRole { Verdict, Figures, Title, Text, Label, Tick };

/// Everything a painter asks about looks: colours by role, fonts by role, and one length unit.  A plain value: two
/// equal themes paint the same picture, and a test builds one without a screen.
class Theme {
public:
    /// `base` is the desktop's font; a CJK family is added second in its list.  `projector` enlarges all by 1.5.
    Theme(Lightness lightness, const QFont& base, bool projector = false);

    /// Reads the desktop: dark when its window text is lighter than its window, unless the person chose.
    static Theme fromDesktop(const QPalette& desktop, const QFont& base, ThemeChoice choice, bool projector = false);

    Lightness lightness() const { return m_lightness; }
    bool isProjector() const { return m_projector; }
    /// What another theme of the same desktop is made from: the application's font is this theme's, enlarged as it is.
    QFont base() const;
    QColor colour(Role role) const { return paletteColour(role, m_lightness); }
    QFont font(FontRole role, bool bold = false) const;
    int fontPixels(FontRole role) const;

    /// A length drawn for a 12 px base font, at this theme's size; whole pixels, so that edges stay crisp.
    double px(double atTwelve) const;
    /// The least height of a row of text: 16, and 1.5 x the font where the interface speaks Chinese.
    double minimumRowHeight() const;
    /// Rows of Chinese text need more room; set from the interface's language.
    void setCjkText(bool isCjk) { m_cjkText = isCjk; }

    bool operator==(const Theme&) const = default;

private:
    Lightness m_lightness;
    bool m_projector = false;
    bool m_cjkText = false;
    int m_basePixels = 12;
    QStringList m_families;
};

} // namespace remat::ui
