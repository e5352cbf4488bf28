// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/article_table_model.h"

#include <cmath>

#include "ui/theme/format.h"

namespace remat::ui {

ArticleTableModel::ArticleTableModel(QObject* parent) : RowTableModel(&ArticleTableModel::columns, parent) { }

ArticleTableModel::Columns ArticleTableModel::columns()
{
    using Figures = ArticleRow::Figures;
    const auto tip = [](const ArticleRow& r) { return r.why; };
    const auto text = [&](QString title, QString ArticleRow::*member) {
        TableColumn<ArticleRow> column;
        column.title = std::move(title);
        column.text = [member](const ArticleRow& r) { return r.*member; };
        column.tip = tip;
        return column;
    };
    const auto figure = [&](QString title, bool isClaim, auto value, auto format) {
        TableColumn<ArticleRow> column;
        column.title = std::move(title);
        column.isFigure = true;
        column.tip = tip;
        column.text = [=](const ArticleRow& r) {
            const std::optional<Figures>& figures = isClaim ? r.claimed : r.computed;
            return figures                ? format(value(*figures))
                : isClaim || r.isComputed ? QStringLiteral("\u2013")
                                          : QStringLiteral("\u2026");
        };
        column.raw = [=](const ArticleRow& r) {
            const std::optional<Figures>& figures = isClaim ? r.claimed : r.computed;
            return figures ? QVariant(static_cast<double>(value(*figures))) : QVariant();
        };
        if (isClaim)
            column.tone = [](const ArticleRow&) { return CellTone::Muted; };
        return column;
    };
    const auto batch = [](const Figures& f) { return f.batch; };
    const auto seconds = [](const Figures& f) { return f.seconds; };
    const auto throughput = [](const Figures& f) { return f.throughput; };
    const auto whole = [](std::int64_t n) { return QString::number(n); };
    const auto time
        = [](double s) { return NumberFormat().duration({static_cast<std::int64_t>(std::llround(s * 1e9))}); };
    const auto factor = [](double n) { return NumberFormat().number(n) + QStringLiteral("\u00d7"); };
    return {text(tr("model"), &ArticleRow::model), text(tr("strategy"), &ArticleRow::strategy),
        figure(tr("claim: batch"), true, batch, whole), figure(tr("batch"), false, batch, whole),
        figure(tr("claim: step"), true, seconds, time), figure(tr("step"), false, seconds, time),
        figure(tr("claim: rate"), true, throughput, factor), figure(tr("rate"), false, throughput, factor)};
}

} // namespace remat::ui
