// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/runs_table_model.h"

#include "ui/theme/format.h"

namespace remat::ui {

namespace {

using R = RunRow;

QString dash()
{
    return QString(QChar(0x2013));
}

QVariant rawBytes(const std::optional<Bytes>& bytes)
{
    return bytes ? QVariant(qlonglong(bytes->value)) : QVariant();
}

QString optionalBytes(const std::optional<Bytes>& bytes)
{
    return bytes ? NumberFormat().bytes(*bytes) : dash();
}

std::optional<Bytes> difference(const R& r)
{
    return r.trackedPeak ? std::optional(*r.trackedPeak - r.predictedPeak) : std::nullopt;
}

QString differenceText(const R& r)
{
    const std::optional<Bytes> d = difference(r);
    if (!d)
        return dash();
    return d->value == 0 ? NumberFormat().bytes(*d) : NumberFormat().signedBytes(*d);
}

CellTone stateTone(const R& r)
{
    switch (r.state) {
    case RunState::Failed:
        return CellTone::Bad;
    case RunState::Done:
        return CellTone::Good;
    case RunState::Waiting:
    case RunState::Stopped:
        return CellTone::Muted;
    case RunState::Running:
        break;
    }
    return CellTone::Normal;
}

} // namespace

RunsTableModel::RunsTableModel(QObject* parent) : RowTableModel(&RunsTableModel::columns, parent) { }

QString RunsTableModel::stateText(const R& r)
{
    switch (r.state) {
    case RunState::Waiting:
        return tr("waiting");
    case RunState::Running:
        return tr("running");
    case RunState::Done:
        return tr("done");
    case RunState::Failed:
        return tr("failed");
    case RunState::Stopped:
        return tr("stopped");
    }
    return {};
}

QString RunsTableModel::stateTip(const R& r)
{
    return r.stage.isEmpty() ? stateText(r)
                             : tr("%1: %2", "state of a run: its stage or reason").arg(stateText(r), r.stage);
}

QString RunsTableModel::phaseText(const R& r)
{
    if (!r.measured)
        return {};
    QStringList phases;
    const auto add = [&](const QString& name, Nanoseconds PhaseTimes::*part) {
        const QString measured = NumberFormat().duration((*r.measured).*part);
        phases << (r.predicted ? tr("%1 %2 (predicted %3)", "a phase of the step and its times")
                                     .arg(name, measured, NumberFormat().duration((*r.predicted).*part))
                               : tr("%1 %2", "a phase of the step and its time").arg(name, measured));
    };
    add(tr("forward"), &PhaseTimes::forward);
    add(tr("loss"), &PhaseTimes::loss);
    add(tr("made again"), &PhaseTimes::rerun);
    add(tr("backward"), &PhaseTimes::backward);
    add(tr("optimizer"), &PhaseTimes::optimizer);
    return phases.join(QStringLiteral(", "));
}

QString RunsTableModel::story(const R& r)
{
    QStringList parts;
    if (!r.machine.isEmpty())
        parts << r.machine;
    if (r.systemPeak)
        parts << tr("system peak %1").arg(NumberFormat().bytes(*r.systemPeak));
    if (r.trackedPeak)
        parts << tr("tracked minus predicted %1").arg(differenceText(r));
    if (r.gradientsEqual)
        parts << (*r.gradientsEqual ? tr("gradients bit-equal to keeping everything")
                                    : tr("gradients differ from keeping everything"));
    if (r.loss)
        parts << tr("first loss %1").arg(QLocale().toString(*r.loss, 'g', 6));
    QString state = stateTip(r);
    while (state.endsWith(u'.'))
        state.chop(1);
    return tr("Run %1, %2: %3").arg(QString::number(r.number), r.plan, state)
        + (parts.isEmpty() ? QString() : QStringLiteral("; ") + parts.join(QStringLiteral(", "))) + u'.'
        + (r.measured ? u' ' + tr("Of a step: %1.").arg(phaseText(r)) : QString());
}

RunsTableModel::Columns RunsTableModel::columns()
{
    const auto gradients = [](const R& r) {
        return !r.gradientsEqual ? dash() : *r.gradientsEqual ? tr("equal") : tr("differ");
    };
    const auto gradientsTone = [](const R& r) {
        return !r.gradientsEqual ? CellTone::Muted : *r.gradientsEqual ? CellTone::Good : CellTone::Bad;
    };
    const auto differenceTone = [](const R& r) {
        const std::optional<Bytes> d = difference(r);
        return !d ? CellTone::Muted : d->value == 0 ? CellTone::Good : CellTone::Bad;
    };
    return {
        {QStringLiteral("#"), [](const R& r) { return QString::number(r.number); },
            [](const R& r) { return QVariant(r.number); }, true},
        {tr("plan"), [](const R& r) { return r.plan; }},
        {tr("machine"), [](const R& r) { return r.machine; }},
        {tr("state"), &RunsTableModel::stateText, {}, false, stateTone, &RunsTableModel::stateTip},
        {tr("predicted"), [](const R& r) { return NumberFormat().bytes(r.predictedPeak); },
            [](const R& r) { return rawBytes(r.predictedPeak); }, true, {},
            [](const R&) { return tr("predicted peak"); }, {}, {}, QStringLiteral("B")},
        {tr("tracked"), [](const R& r) { return optionalBytes(r.trackedPeak); },
            [](const R& r) { return rawBytes(r.trackedPeak); }, true, {},
            [](const R&) { return tr("peak by our own bookkeeping, to the byte"); }, {}, {}, QStringLiteral("B")},
        {tr("system"), [](const R& r) { return optionalBytes(r.systemPeak); },
            [](const R& r) { return rawBytes(r.systemPeak); }, true, {},
            [](const R&) { return tr("peak that the driver or the operating system counted"); }, {}, {},
            QStringLiteral("B")},
        {tr("difference"), differenceText, [](const R& r) { return rawBytes(difference(r)); }, true, differenceTone,
            [](const R&) { return tr("tracked peak minus predicted peak"); }, {}, {}, QStringLiteral("B")},
        {tr("step time"), [](const R& r) { return r.stepTime ? NumberFormat().duration(*r.stepTime) : dash(); },
            [](const R& r) { return r.stepTime ? QVariant(qlonglong(r.stepTime->value)) : QVariant(); }, true, {},
            &RunsTableModel::phaseText, {}, {}, QStringLiteral("ns")},
        {tr("gradients"), gradients,
            [](const R& r) { return r.gradientsEqual ? QVariant(*r.gradientsEqual ? 1 : 0) : QVariant(); }, false,
            gradientsTone, [](const R&) { return tr("compared bit for bit with a step that keeps everything"); }},
        {tr("loss"), [](const R& r) { return r.loss ? QLocale().toString(*r.loss, 'g', 6) : dash(); },
            [](const R& r) { return r.loss ? QVariant(*r.loss) : QVariant(); }, true},
    };
}

} // namespace remat::ui
