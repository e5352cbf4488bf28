// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/compare_table_model.h"

#include <cmath>

#include "ui/theme/format.h"

namespace remat::ui {

namespace {

using Figure = FigurePair::Figure;

enum class Kind { Bytes, Time, Share, Rate, Count };

Kind kindOf(Figure figure)
{
    switch (figure) {
    case Figure::Peak:
    case Figure::System:
    case Figure::Base:
    case Figure::Saved:
        return Kind::Bytes;
    case Figure::Step:
        return Kind::Time;
    case Figure::ExtraTime:
        return Kind::Share;
    case Figure::SamplesPerSecond:
    case Figure::TokensPerSecond:
        return Kind::Rate;
    case Figure::Reruns:
        return Kind::Count;
    }
    return Kind::Count;
}

QString textOf(Kind kind, double value)
{
    const NumberFormat format;
    switch (kind) {
    case Kind::Bytes:
        return format.bytes({std::llround(value)});
    case Kind::Time:
        return format.duration({std::llround(value)});
    case Kind::Share:
        return format.percent(value);
    case Kind::Rate:
        // Large models do less than a sample a second, and the digits of that matter.
        return std::abs(value) < 1 ? format.locale.toString(value, 'g', 3) : format.number(value);
    case Kind::Count:
        return QString::number(std::llround(value));
    }
    return {};
}

QString changeText(Kind kind, const FigurePair& pair)
{
    if (!pair.difference)
        return {};
    if (*pair.difference == 0)
        return QStringLiteral("=");
    // Shares have their sign already.
    const QString sign = kind == Kind::Share ? QString()
        : *pair.difference < 0               ? QString(QChar(0x2212))
                                             : QStringLiteral("+");
    const double size = kind == Kind::Share ? *pair.difference : std::abs(*pair.difference);
    QString text = sign + textOf(kind, size);
    if (pair.share)
        text += QStringLiteral(" (%1)").arg(NumberFormat().percent(*pair.share));
    return text;
}

} // namespace

CompareTableModel::CompareTableModel(QObject* parent) : RowTableModel(&CompareTableModel::columns, parent) { }

CompareRow CompareTableModel::figureRow(const FigurePair& pair)
{
    const Kind kind = kindOf(pair.figure);
    const auto side
        = [&](const std::optional<double>& value) { return value ? textOf(kind, *value) : QStringLiteral("\u2013"); };
    const auto name = [&] {
        switch (pair.figure) {
        case Figure::Peak:
            return tr("peak");
        case Figure::System:
            return tr("peak by the system's count");
        case Figure::Base:
            return tr("resident throughout");
        case Figure::Saved:
            return tr("saved at the end of the forward");
        case Figure::Step:
            return tr("step");
        case Figure::ExtraTime:
            return tr("extra time");
        case Figure::SamplesPerSecond:
            return tr("samples per second");
        case Figure::TokensPerSecond:
            return tr("tokens per second");
        case Figure::Reruns:
            return tr("reruns");
        }
        return QString();
    };
    CompareRow row{name(), side(pair.a), side(pair.b), changeText(kind, pair), CellTone::Normal, std::nullopt};
    if (pair.difference && *pair.difference != 0) {
        // Of rates more is better, of everything else less.
        const bool isBetter = (*pair.difference > 0) == (kind == Kind::Rate);
        row.tone = isBetter ? CellTone::Good : CellTone::Bad;
    }
    return row;
}

CompareRow CompareTableModel::flipRow(const OpFlip& flip, const QString& where)
{
    const QString kept = tr("kept"), recomputed = tr("recomputed");
    const Bytes change = flip.isKeptBySecond ? flip.bytes : -flip.bytes;
    return {tr("%1, %2", "op, layers").arg(QString::fromStdString(flip.op), where),
        flip.isKeptBySecond ? recomputed : kept, flip.isKeptBySecond ? kept : recomputed,
        NumberFormat().signedBytes(change), CellTone::Normal, flip};
}

CompareTableModel::Columns CompareTableModel::columns()
{
    const auto figure = [](QString title, QString CompareRow::*member) {
        TableColumn<CompareRow> column;
        column.title = std::move(title);
        column.text = [member](const CompareRow& r) { return r.*member; };
        column.isFigure = true;
        return column;
    };
    Columns all{{tr("what"), [](const CompareRow& r) { return r.what; }}, figure(tr("A"), &CompareRow::a),
        figure(tr("B"), &CompareRow::b), figure(tr("B against A"), &CompareRow::change)};
    all.back().tone = [](const CompareRow& r) { return r.tone; };
    return all;
}

} // namespace remat::ui
