// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/export_panel.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QtMath>

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/nearest_names.h"
#include "ui/export/table_csv.h"

namespace remat::ui {

namespace {

constexpr MessageCode kUnknownPicture{
    "unknown-picture", REMAT_TR("\"{0}\" names no kind of picture."), REMAT_TR("End the name in .png, .svg or .pdf.")};
constexpr MessageCode kNoTable{"panel-no-table", REMAT_TR("The panel {0} is no table."),
    REMAT_TR("End the name in .png, .svg or .pdf, or export one of the tables.")};
constexpr MessageCode kUnknownPanel{"unknown-panel", REMAT_TR("There is no panel \"{0}\"."),
    REMAT_TR("Did you mean {1}? Panels: {2}."), ExitCode::Usage};

constexpr double kMargin = 12.0, kGap = 6.0;

/// Where everything of a sheet stands.
struct SheetLayout {
    QRectF title, configuration, content, foot;
};

double lineHeight(const Theme& theme, FontRole role)
{
    return QFontMetricsF(theme.font(role)).height();
}

SheetLayout layoutSheet(const QRectF& sheet, const Theme& theme)
{
    const double gap = theme.px(kGap), margin = theme.px(kMargin);
    QRectF rest = sheet.adjusted(margin, margin, -margin, -margin);
    const auto take = [&](double height, bool fromTop) {
        QRectF line = rest;
        if (fromTop) {
            line.setHeight(height);
            rest.setTop(line.bottom() + gap);
        } else {
            line.setTop(rest.bottom() - height);
            rest.setBottom(line.top() - gap);
        }
        return line;
    };
    SheetLayout layout;
    layout.title = take(lineHeight(theme, FontRole::Figures), true);
    layout.configuration = take(lineHeight(theme, FontRole::Label), true);
    layout.foot = take(lineHeight(theme, FontRole::Tick), false);
    layout.content = rest;
    return layout;
}

QByteArray svgOf(const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    const QSizeF size = sheetSize(panel, theme);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size.toSize());
    svg.setViewBox(QRectF(QPointF(), size));
    svg.setTitle(panel.title);
    svg.setDescription(text.configuration);
    QPainter painter(&svg);
    paintSheet(painter, QRectF(QPointF(), size), panel, text, theme);
    painter.end();
    return content;
}

QByteArray pdfOf(const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    const QSizeF size = sheetSize(panel, theme);
    QPdfWriter pdf(&buffer);
    pdf.setTitle(panel.title);
    pdf.setCreator(text.version);
    pdf.setPageSize(QPageSize(size * 0.75, QPageSize::Point, QString(), QPageSize::ExactMatch));
    pdf.setPageMargins(QMarginsF());
    pdf.setResolution(96);
    QPainter painter(&pdf);
    paintSheet(painter, QRectF(QPointF(), size), panel, text, theme);
    painter.end();
    return content;
}

QByteArray pngOf(const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QImage image = sheetImage(panel, text, theme);
    image.setText(QStringLiteral("Title"), panel.title);
    image.setText(QStringLiteral("Description"), text.configuration);
    image.save(&buffer, "PNG");
    return content;
}

} // namespace

QSizeF sheetSize(const ExportPanel& panel, const Theme& theme)
{
    const QRectF probe(0, 0, 1000, 1000);
    const QSizeF around = probe.size() - layoutSheet(probe, theme).content.size();
    const QSizeF size = panel.size + around;
    return {std::ceil(size.width()), std::ceil(size.height())};
}

void paintSheet(
    QPainter& painter, const QRectF& sheet, const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    const SheetLayout layout = layoutSheet(sheet, theme);
    painter.save();
    painter.fillRect(sheet, theme.colour(Role::Panel));
    const auto line = [&](const QRectF& rect, const QString& words, FontRole role, Role colour, Qt::Alignment align) {
        const QFont font = theme.font(role, role == FontRole::Figures);
        painter.setFont(font);
        painter.setPen(theme.colour(colour));
        painter.drawText(rect, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
            QFontMetricsF(font).elidedText(words, Qt::ElideRight, rect.width()));
    };
    line(layout.title, panel.title, FontRole::Figures, Role::Text, Qt::AlignLeft);
    line(layout.configuration, text.configuration, FontRole::Label, Role::Muted, Qt::AlignLeft);
    line(layout.foot, text.version, FontRole::Tick, Role::Muted, Qt::AlignRight);
    painter.setClipRect(layout.content, Qt::IntersectClip);
    panel.paint(painter, layout.content);
    painter.restore();
}

QImage sheetImage(const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    constexpr double kScale = 2.0;
    const QSizeF size = sheetSize(panel, theme);
    QImage image((size * kScale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kScale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSheet(painter, QRectF(QPointF(), size), panel, text, theme);
    return image;
}

void printSheet(QPagedPaintDevice& device, const ExportPanel& panel, const SheetText& text, const Theme& theme)
{
    QPainter painter(&device);
    const QSizeF size = sheetSize(panel, theme);
    const QRectF page(0, 0, device.width(), device.height());
    const double scale = std::min(page.width() / size.width(), page.height() / size.height());
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSheet(painter, QRectF(QPointF((page.width() / scale - size.width()) / 2.0, 0.0), size), panel, text, theme);
}

Result<void> exportPanel(const ExportPanel& panel, const SheetText& text, const Theme& theme, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray content;
    if (suffix == QLatin1String("svg"))
        content = svgOf(panel, text, theme);
    else if (suffix == QLatin1String("pdf"))
        content = pdfOf(panel, text, theme);
    else if (suffix == QLatin1String("png"))
        content = pngOf(panel, text, theme);
    else if (suffix == QLatin1String("csv") && panel.table)
        content = tableCsv(*panel.table).toUtf8();
    else if (suffix == QLatin1String("csv"))
        return Error{&kNoTable, QFileInfo(path).fileName().toStdString(), {panel.name.toStdString()}};
    else
        return Error{&kUnknownPicture, "", {QFileInfo(path).fileName().toStdString()}};
    return writeFileAtomically(path.toStdString(), {content.constData(), static_cast<std::size_t>(content.size())});
}

Result<const ExportPanel*> findPanel(const std::vector<ExportPanel>& panels, const QString& name)
{
    std::vector<std::string> names;
    for (const ExportPanel& panel : panels) {
        if (panel.name == name)
            return &panel;
        names.push_back(panel.name.toStdString());
    }
    return Error{&kUnknownPanel, "--export",
        {shortened(name.toStdString()), nearestNames(name.toStdString(), names), joined(names)}};
}

} // namespace remat::ui
