// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "core/base/units.h"
#include "core/run/phase_times.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

enum class RunState { Waiting, Running, Done, Failed, Stopped };

/// One real run.  What a run has not measured (yet) is empty and shown as an en dash, never as 0.
struct RunRow {
    int number = 0;
    QString plan;    ///< "optimal, 3.50 GiB".
    QString machine; ///< "CPU, 8 threads".
    RunState state = RunState::Waiting;
    QString stage; ///< While running: "step 3 of 5"; when failed: the reason in one sentence.
    Bytes predictedPeak{};
    std::optional<Bytes> trackedPeak; ///< By our own bookkeeping, to the byte.
    std::optional<Bytes> systemPeak;  ///< By the driver or the kernel.
    std::optional<Nanoseconds> stepTime;
    std::optional<bool> gradientsEqual; ///< To keep-everything, bit for bit; empty when not checked.
    std::optional<double> loss;
    std::optional<PhaseTimes> measured, predicted; ///< of a step
};

/// Number, plan, machine, state, predicted, tracked and system peak, difference (tracked over predicted), step time,
/// gradients equal, loss.
class RunsTableModel : public RowTableModel<RunRow> {
    Q_OBJECT
public:
    enum Column { Number, Plan, Machine, State, Predicted, Tracked, System, Difference, StepTime, Gradients, Loss };
    explicit RunsTableModel(QObject* parent = nullptr);
    /// Everything about a run in a few sentences: what half a window has no columns for.
    static QString story(const RunRow& run);

private:
    /// "forward 61.2 ms (predicted 60.0 ms), loss ..."; empty where the phases were not measured.
    static QString phaseText(const RunRow& run);
    static QString stateText(const RunRow& run);
    /// With the stage of a run that goes on, the reason of one that ended badly.
    static QString stateTip(const RunRow& run);
    static Columns columns();
};

} // namespace remat::ui
