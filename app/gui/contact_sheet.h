// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QImage>
#include <QString>
#include <vector>

namespace remat::ui {

/// A picture, small, and what it is of.
struct Thumbnail {
    QString name;
    QImage picture;
};

/// Makes a picture small enough for a sheet of many.
Thumbnail thumbnailOf(const QString& name, const QImage& picture);
/// All of them in rows, each with its name below.
QImage contactSheet(const std::vector<Thumbnail>& thumbnails);

} // namespace remat::ui
