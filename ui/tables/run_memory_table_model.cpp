// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/tables/run_memory_table_model.h"

#include "ui/theme/format.h"

namespace remat::ui {

namespace {

using R = RunMemoryRow;
using Kind = WaterfallStep::Kind;

/// The machine may have counted less than was asked for: what is unexplained is then below 0.
QString amountOf(const R& r)
{
    const NumberFormat format;
    return r.step.bytes.value < 0 ? format.signedBytes(r.step.bytes) : format.bytes(r.step.bytes);
}

} // namespace

std::vector<RunMemoryRow> runMemoryRows(const PeakReport& peak)
{
    std::vector<RunMemoryRow> rows;
    Bytes sum;
    for (const WaterfallStep& step : waterfall(peak)) {
        sum = step.isTotal ? step.bytes : sum + step.bytes;
        rows.push_back({step, sum});
    }
    return rows;
}

RunMemoryTableModel::RunMemoryTableModel(QObject* parent) : RowTableModel(&RunMemoryTableModel::columns, parent) { }

QString RunMemoryTableModel::phaseText(const PeakReport& peak)
{
    if (!peak.predictedPhases || !peak.trackedPhases)
        return {};
    const NumberFormat format;
    const QString names[kStepPhases]{tr("forward"), tr("backward"), tr("optimizer")};
    QStringList phases;
    for (std::size_t i = 0; i < kStepPhases; ++i) {
        const Bytes predicted = (*peak.predictedPhases)[i], tracked = (*peak.trackedPhases)[i];
        QString text = tracked == predicted
            ? tr("%1 %2 as predicted", "a phase and its peak").arg(names[i], format.bytes(tracked))
            : tr("%1 %2 (predicted %3)", "a phase and its peak")
                  .arg(names[i], format.bytes(tracked), format.bytes(predicted));
        if (peak.pool)
            text += tr(", pool %1", "bytes in use by a GPU's memory pool").arg(format.bytes(peak.pool->phases[i].used));
        phases << text;
    }
    QString text = tr("Peaks: %1.").arg(phases.join(QStringLiteral("; ")));
    if (peak.pool)
        text
            += u' ' + (peak.pool->isRepeated ? tr("Measured twice, and equal.") : tr("Measured twice, and not equal."));
    return text;
}

QString RunMemoryTableModel::nameOf(const R& r)
{
    switch (r.step.kind) {
    case Kind::Kept:
        return tr("activations kept for backward");
    case Kind::Working:
        return tr("gradients of activations, what was made again");
    case Kind::Gradients:
        return tr("gradients of weights");
    case Kind::Weights:
        return tr("weights");
    case Kind::Optimizer:
        return tr("optimizer state");
    case Kind::Inputs:
        return tr("token ids");
    case Kind::Workspace:
        return tr("workspace");
    case Kind::Unpredicted:
        return tr("beyond the prediction");
    case Kind::Tracked:
        return tr("tracked by the executor");
    case Kind::Rounding:
        return tr("rounding of the pool");
    case Kind::PoolUsed:
        return tr("in use in the GPU's pool");
    case Kind::PoolSpare:
        return tr("reserved and not in use");
    case Kind::PoolReserved:
        return tr("reserved by the GPU's pool");
    case Kind::Context:
        return tr("context and libraries");
    case Kind::Unexplained:
        return tr("unexplained");
    case Kind::Driver:
        return tr("this process, by the driver");
    case Kind::FreeShrank:
        return tr("by which the GPU's free memory shrank");
    case Kind::Resident:
        return tr("growth of the process's resident memory");
    }
    return {};
}

QString RunMemoryTableModel::tipOf(const R& r)
{
    switch (r.step.kind) {
    case Kind::Tracked:
        return tr("Every allocation of the step counted, base included.");
    case Kind::Rounding:
        return tr("What the driver's memory pool counts beyond the sizes that it was asked for.");
    case Kind::PoolSpare:
        return tr("Fragments, and blocks that the pool keeps for the next allocation.");
    case Kind::Context:
        return tr("What the driver and its libraries take before the first allocation.");
    case Kind::Unexplained:
        return tr("What no figure before it accounts for.");
    case Kind::Driver:
        return tr("What nvidia-smi shows for this process.");
    case Kind::FreeShrank:
        return tr("Other programs on the GPU count too.");
    default:
        return nameOf(r);
    }
}

RunMemoryTableModel::Columns RunMemoryTableModel::columns()
{
    const auto isTotal = [](const R& r) { return r.step.isTotal; };
    return {
        {tr("at the peak"), &RunMemoryTableModel::nameOf, {}, false,
            [](const R& r) { return r.step.kind == Kind::Unpredicted ? CellTone::Bad : CellTone::Normal; },
            &RunMemoryTableModel::tipOf, {}, isTotal},
        {tr("bytes"), [](const R& r) { return r.step.isTotal ? QString() : amountOf(r); },
            [](const R& r) { return QVariant(qlonglong(r.step.bytes.value)); }, true},
        {tr("together"), [](const R& r) { return NumberFormat().bytes(r.sum); },
            [](const R& r) { return QVariant(qlonglong(r.sum.value)); }, true, {}, {}, {}, isTotal},
    };
}

} // namespace remat::ui
