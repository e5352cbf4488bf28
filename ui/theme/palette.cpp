// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/palette.h"

#include <array>
#include <cmath>

namespace remat::ui {

namespace {

struct Pair {
    QRgb light, dark;
};

// In the order of Role.
constexpr std::array<Pair, static_cast<std::size_t>(Role::Count)> kPalette{{
    {0xFFF4F5F7, 0xFF1B1E22}, // Window
    {0xFFFFFFFF, 0xFF23272C}, // Panel
    {0xFFFFFFFF, 0xFF2B3036}, // Field
    {0xFFD5D9DF, 0xFF3A4048}, // Line
    {0xFF1B1F24, 0xFFE6E9ED}, // Text
    {0xFF57606A, 0xFFA3ACB7}, // Muted
    {0xFF6B7480, 0xFF8B949E}, // Weights
    {0xFF98A1AC, 0xFF6B747F}, // Gradients
    {0xFFBFC6CE, 0xFF4E565F}, // Optimizer
    {0xFF0B6BB0, 0xFF4BA3E3}, // Keep
    {0xFF5B9BCB, 0xFF3A7FB2}, // Keep2
    {0xFF93BFDF, 0xFF2F638A}, // Keep3
    {0xFFC3DCEE, 0xFF274B66}, // Keep4
    {0xFFB35900, 0xFFF2A541}, // Recompute
    {0xFFFFF3E2, 0xFF33291B}, // RecomputeTint
    {0xFF7A4FB5, 0xFFB794F0}, // Peak
    {0xFFB3261E, 0xFFFF8A80}, // Over
    {0xFFFDECEA, 0xFF3B2423}, // OverTint
    {0xFF1A7F37, 0xFF5BC977}, // Fits
}};

double linearChannel(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c)
{
    return 0.2126 * linearChannel(c.redF()) + 0.7152 * linearChannel(c.greenF()) + 0.0722 * linearChannel(c.blueF());
}

} // namespace

QColor paletteColour(Role role, Lightness lightness)
{
    const Pair& pair = kPalette[static_cast<std::size_t>(role)];
    return QColor::fromRgb(lightness == Lightness::Light ? pair.light : pair.dark);
}

QColor textOn(const QColor& ground)
{
    return ground.lightnessF() > 0.55f ? paletteColour(Role::Text, Lightness::Light) : QColor(Qt::white);
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor& ground, const QColor& over, double fraction)
{
    const auto f = static_cast<float>(fraction);
    return QColor::fromRgbF(ground.redF() + (over.redF() - ground.redF()) * f,
        ground.greenF() + (over.greenF() - ground.greenF()) * f, ground.blueF() + (over.blueF() - ground.blueF()) * f);
}

} // namespace remat::ui
