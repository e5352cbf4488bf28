// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/theme.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace remat::ui {

namespace {

constexpr double kDrawnForPixels = 12.0;
constexpr double kProjectorFactor = 1.5;
constexpr int kLeastPixels = 10;

int offsetOf(FontRole role)
{
    switch (role) {
    case FontRole::Verdict:
        return 7;
    case FontRole::Figures:
        return 3;
    case FontRole::Title:
    case FontRole::Text:
        return 0;
    case FontRole::Label:
        return -1;
    case FontRole::Tick:
        return -2;
    }
    return 0;
}

/// The first CJK family that this machine has; the desktop's own choice may be a Japanese or a serif one.
QString installedCjkFamily()
{
    const QStringList installed = QFontDatabase::families(QFontDatabase::SimplifiedChinese);
    for (const char* wanted : {"Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
             "Microsoft YaHei", "PingFang SC"})
        if (installed.contains(QLatin1String(wanted)))
            return QLatin1String(wanted);
    return installed.isEmpty() ? QString() : installed.first();
}

} // namespace

Theme::Theme(Lightness lightness, const QFont& base, bool projector)
    : m_lightness(lightness),
      m_projector(projector),
      m_basePixels(std::max(QFontInfo(base).pixelSize(), kLeastPixels)),
      m_families(base.families())
{
    const QString cjk = installedCjkFamily();
    if (!cjk.isEmpty() && !m_families.contains(cjk))
        m_families.insert(std::min<qsizetype>(1, m_families.size()), cjk);
}

Theme Theme::fromDesktop(const QPalette& desktop, const QFont& base, ThemeChoice choice, bool projector)
{
    const bool desktopIsDark
        = desktop.color(QPalette::WindowText).lightness() > desktop.color(QPalette::Window).lightness();
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::FollowDesktop && desktopIsDark);
    Theme theme(dark ? Lightness::Dark : Lightness::Light, base, projector);
    theme.setCjkText(QLocale().language() == QLocale::Chinese);
    return theme;
}

QFont Theme::base() const
{
    QFont font;
    font.setFamilies(m_families);
    font.setPixelSize(m_basePixels);
    return font;
}

int Theme::fontPixels(FontRole role) const
{
    const int atBase = std::max(m_basePixels + offsetOf(role), kLeastPixels);
    return m_projector ? static_cast<int>(std::lround(atBase * kProjectorFactor)) : atBase;
}

QFont Theme::font(FontRole role, bool bold) const
{
    QFont font;
    font.setFamilies(m_families);
    font.setPixelSize(fontPixels(role));
    font.setBold(bold || role == FontRole::Verdict || role == FontRole::Title);
    return font;
}

double Theme::px(double atTwelve) const
{
    const double scaled = atTwelve * m_basePixels / kDrawnForPixels * (m_projector ? kProjectorFactor : 1.0);
    return atTwelve == 0.0 ? 0.0 : std::max(1.0, std::round(scaled));
}

double Theme::minimumRowHeight() const
{
    return std::max(px(16), m_cjkText ? std::ceil(1.5 * fontPixels(FontRole::Text)) : 0.0);
}

} // namespace remat::ui
