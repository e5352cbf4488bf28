// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QApplication>
#include <QDir>
#include <QGraphicsView>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QSet>
#include <QWidget>
#include <vector>

#include "ui/theme/application_style.h"
#include "ui/theme/theme.h"

/// Looks and pictures for tests of charts, tables and forms.
namespace pictures {

using namespace remat::ui;

inline Theme theme(Lightness lightness, bool projector = false)
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(12);
    return Theme(lightness, font, projector);
}

inline Theme themed(Lightness lightness, bool projector = false)
{
    const Theme look = theme(lightness, projector);
    applyTheme(*qApp, look);
    return look;
}

inline QImage of(QWidget& widget, double ratio = 1.0)
{
    QImage image(widget.size() * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    widget.render(&image);
    return image;
}

/// A way to draw a widget, and what its file name says of it: "-dark-2x".
struct Look {
    Lightness lightness;
    double ratio;
    QString suffix;
};

inline std::vector<Look> looks()
{
    std::vector<Look> all;
    for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
        for (const int ratio : {1, 2})
            all.push_back({lightness, static_cast<double>(ratio),
                QStringLiteral("-%1-%2x")
                    .arg(lightness == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                    .arg(ratio)});
    return all;
}

/// Written where REMAT_SCREENSHOTS points, nowhere else.
inline void save(const QImage& image, const QString& name)
{
    const QString folder = qEnvironmentVariable("REMAT_SCREENSHOTS");
    if (!folder.isEmpty() && QDir().mkpath(folder))
        image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

/// The widget of a chart that gets the mouse.
inline QWidget* viewportOf(const QWidget& chart)
{
    return chart.findChild<QGraphicsView*>()->viewport();
}

/// Moves the mouse over a chart by an event of its own: the offscreen cursor
/// sends none before a window is exposed.
inline void moveMouse(const QWidget& chart, const QPointF& at, Qt::MouseButtons buttons = Qt::NoButton)
{
    QMouseEvent move(QEvent::MouseMove, at, viewportOf(chart)->mapToGlobal(at), Qt::NoButton, buttons, {});
    QApplication::sendEvent(viewportOf(chart), &move);
}

inline int colourCount(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    return static_cast<int>(colours.size());
}

inline int pixelsOf(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == colour.rgb();
    return count;
}

} // namespace pictures
