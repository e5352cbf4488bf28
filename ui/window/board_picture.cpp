// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/board_picture.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QSvgGenerator>
#include <QWidget>

#include "core/base/files.h"

namespace remat::ui {

namespace {

constexpr MessageCode kUnknownPicture{
    "unknown-picture", REMAT_TR("\"{0}\" names no kind of picture."), REMAT_TR("End the name in .png, .svg or .pdf.")};

void drawSvg(QWidget& widget, const QString& title, QBuffer& buffer)
{
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(widget.size());
    svg.setViewBox(widget.rect());
    svg.setTitle(title);
    QPainter painter(&svg);
    widget.render(&painter);
}

void drawPdf(QWidget& widget, const QString& title, QBuffer& buffer)
{
    QPdfWriter pdf(&buffer);
    pdf.setTitle(title);
    pdf.setPageSize(QPageSize(QSizeF(widget.width(), widget.height()) * 0.75, QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    pdf.setResolution(96);
    QPainter painter(&pdf);
    widget.render(&painter);
}

} // namespace

Result<void> writePicture(QWidget& widget, const QString& title, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("svg"))
        drawSvg(widget, title, buffer);
    else if (suffix == QLatin1String("pdf"))
        drawPdf(widget, title, buffer);
    else if (suffix == QLatin1String("png"))
        widget.grab().save(&buffer, "PNG");
    else
        return Error{&kUnknownPicture, "", {QFileInfo(path).fileName().toStdString()}};
    return writeFileAtomically(path.toStdString(), {content.constData(), static_cast<std::size_t>(content.size())});
}

} // namespace remat::ui
