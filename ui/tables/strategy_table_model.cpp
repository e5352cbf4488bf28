// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/strategy_table_model.h"

#include "ui/theme/format.h"

namespace remat::ui {

StrategyTableModel::StrategyTableModel(QObject* parent) : RowTableModel(&StrategyTableModel::columns, parent) { }

StrategyTableModel::Columns StrategyTableModel::columns()
{
    const auto figure = [](QString title, auto text, auto raw, const char* unit = "") {
        TableColumn<StrategyRow> column;
        column.title = std::move(title);
        column.text = [text](const StrategyRow& r) { return r.figures ? text(*r.figures) : QString(); };
        column.raw = [raw](const StrategyRow& r) { return r.figures ? QVariant(raw(*r.figures)) : QVariant(); };
        column.isFigure = true;
        column.unit = QLatin1String(unit);
        return column;
    };
    const auto tip = [](const StrategyRow& r) { return r.figures ? QString() : r.notApplicable; };
    const auto fitsText = [](const StrategyRow& r) {
        if (!r.figures)
            return r.notApplicable.isEmpty() ? tr("computed when idle") : tr("not applicable: %1").arg(r.notApplicable);
        return r.figures->fits ? tr("fits") : tr("does not fit");
    };
    const auto fitsTone = [](const StrategyRow& r) {
        return !r.figures ? CellTone::Muted : r.figures->fits ? CellTone::Good : CellTone::Bad;
    };
    const auto fitsRaw
        = [](const StrategyRow& r) { return r.figures ? QVariant(r.figures->fits ? 0 : 1) : QVariant(); };
    const auto nameTone = [](const StrategyRow& r) { return r.figures ? CellTone::Normal : CellTone::Muted; };
    using F = StrategyFigures;
    return {
        {tr("strategy"), [](const StrategyRow& r) { return r.name; }, {}, false, nameTone, tip, {},
            [](const StrategyRow& r) { return r.isCurrent; }},
        {tr("fits"), fitsText, fitsRaw, false, fitsTone, tip, [](const StrategyRow& r) { return !r.figures; }},
        figure(
            tr("peak"), [](const F& f) { return NumberFormat().bytes(f.peak); },
            [](const F& f) { return qlonglong(f.peak.value); }, "B"),
        figure(
            tr("saved"), [](const F& f) { return NumberFormat().bytes(f.saved); },
            [](const F& f) { return qlonglong(f.saved.value); }, "B"),
        figure(
            tr("time"), [](const F& f) { return NumberFormat().duration(f.time); },
            [](const F& f) { return qlonglong(f.time.value); }, "ns"),
        figure(
            tr("overhead"), [](const F& f) { return NumberFormat().percent(f.overhead); },
            [](const F& f) { return f.overhead; }),
        figure(
            tr("reruns"), [](const F& f) { return QString::number(f.reruns); },
            [](const F& f) { return qlonglong(f.reruns); }),
    };
}

} // namespace remat::ui
