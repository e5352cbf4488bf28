// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <utility>

#include <QHeaderView>
#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

namespace remat::ui {

/// Colours a cell by its tone; a selected row keeps those colours on a tint of the accent.
class ToneDelegate : public QStyledItemDelegate {
public:
    ToneDelegate(Theme theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(std::move(theme)) { }
    void setTheme(const Theme& theme) { m_theme = theme; }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    Theme m_theme;
};

/// Flat column titles over one line, with a small triangle at the sorted one.
class FlatHeader : public QHeaderView {
public:
    FlatHeader(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    Theme m_theme;
};

} // namespace remat::ui
