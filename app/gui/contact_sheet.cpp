// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/contact_sheet.h"

#include <QFont>
#include <QPainter>
#include <algorithm>

namespace remat::ui {

namespace {

constexpr int kColumns = 4, kWidth = 440, kHeight = 280, kNameHeight = 20, kGap = 10;

} // namespace

Thumbnail thumbnailOf(const QString& name, const QImage& picture)
{
    QImage whole = picture;
    whole.setDevicePixelRatio(1);
    const QSize size = whole.size().boundedTo({kWidth, kHeight});
    return {name, whole.scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation)};
}

QImage contactSheet(const std::vector<Thumbnail>& thumbnails)
{
    const int count = static_cast<int>(thumbnails.size());
    const int rows = std::max(1, (count + kColumns - 1) / kColumns);
    QImage sheet(kGap + kColumns * (kWidth + kGap), kGap + rows * (kHeight + kNameHeight + kGap), QImage::Format_RGB32);
    sheet.fill(Qt::gray);
    QPainter painter(&sheet);
    QFont font;
    font.setPixelSize(13);
    painter.setFont(font);
    painter.setPen(Qt::black);
    for (int i = 0; i < count; ++i) {
        const Thumbnail& thumbnail = thumbnails[static_cast<std::size_t>(i)];
        const QPoint at(kGap + i % kColumns * (kWidth + kGap), kGap + i / kColumns * (kHeight + kNameHeight + kGap));
        painter.drawImage(at, thumbnail.picture);
        painter.drawText(QRect(at + QPoint(0, kHeight), QSize(kWidth, kNameHeight)), Qt::AlignVCenter, thumbnail.name);
    }
    return sheet;
}

} // namespace remat::ui
