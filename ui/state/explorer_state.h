// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <set>

#include "core/cost/devices.h"
#include "ui/painters/grid_view.h"
#include "ui/state/document.h"
#include "ui/state/planner_thread.h"
#include "ui/state/pointing.h"
#include "ui/widgets/frame_pace.h"

namespace remat::ui {

/// What a change is about; successive edits of one kind while a handle is dragged become one undo step.
enum class EditKind { Model, Device, Budget, Batch, Sequence, Setup, Strategy, Pins, Document };

/// The one state of the window: what the person chose, what the planner answered, what is selected.
///
/// Widgets read it, ask it for edits and listen to its signals; they never talk to each other.  Every edit is an undo
/// command; every change of the inputs asks the planner thread a new question, and the old answer stays until the new
/// one is there.
class ExplorerState : public QObject {
    Q_OBJECT
public:
    /// `devices` holds every device that can be chosen, this CPU included.
    explicit ExplorerState(DeviceCatalog devices, QObject* parent = nullptr);
    ~ExplorerState() override;

    const Inputs& inputs() const { return m_inputs; }
    const Device& device() const { return m_device; }
    const DeviceCatalog& devices() const { return m_devices; }
    /// Null until the first answer.
    const Answer* answer() const { return m_answer ? &*m_answer : nullptr; }
    quint64 generation() const { return m_generation; }
    bool isBusy() const { return !m_answer || m_answer->generation != m_generation; }
    QUndoStack& undoStack() { return m_undo; }
    /// Lets the planner thread do something long while it has nothing to answer; idleWorkAdvanced() follows each step.
    void doWhenIdle(const std::shared_ptr<IdleWork>& work) { m_planner->doWhenIdle(work); }
    /// What is only pointed at.
    Pointing& pointing() { return m_pointing; }
    const Pointing& pointing() const { return m_pointing; }

    GridMetric metric() const { return m_metric; }
    std::optional<GridPlace> selection() const { return m_selection; }
    bool isRowOpen(int sublayer) const { return m_openRows.contains(sublayer); }

    /// Changes the inputs undoably.  `isDragging`: more of the same follow at once and merge into one step.
    void edit(EditKind kind, const QString& text, const Inputs& inputs, bool isDragging = false);
    /// While a handle is dragged, once a frame is enough: the newest budget wins.
    void setBudget(Bytes budget, bool isDragging = false);
    void setPin(const std::vector<remat::Pin>& added, const QString& text);
    /// Whose step is described.  PyTorch's is one on a GPU: a CPU gives way to one, whose whole memory is the budget;
    /// and a strategy that the profile lacks gives way to the optimal one.  noticed() says what else changed.
    void useProfile(StepProfile profile);
    /// Another model: the pins go, and a sequence that is longer than its positions is cut; one that
    /// this program's own run lacks is described as PyTorch runs it.  noticed() says so.
    void useShape(EditKind kind, const QString& text, const ModelShape& shape);
    /// Replaces everything without undo: a document was opened from a file of that name.
    /// Error: its device is not known here; then nothing changes.
    Result<void> load(const Document& document, const std::string& file);
    Document document() const;
    /// Tells the person something that no answer says: noticed().
    void notice(const QString& text) { emit noticed(text); }
    /// Lets every view show what it shows anew: numbers are written otherwise now.
    void announce();

    /// Makes the device of a file known and returns its name in the catalog: its own, or one with the file's name where
    /// its own already stands for other figures.
    std::string adoptDevice(Device device, const std::string& file);
    /// New figures for a device of the catalog; a plan for it is solved again.
    void replaceDevice(const Device& device);
    /// Plans with what a run measured on this CPU, as a device beside this CPU in general: choosing that one, or undo,
    /// leads back.
    void useMeasuredCpu(Device device);

public slots: // NOLINT(readability-redundant-access-specifiers): moc reads it
    void setMetric(remat::ui::GridMetric metric);
    void setSelection(std::optional<remat::ui::GridPlace> place);
    void setRowOpen(int sublayer, bool isOpen);

signals:
    void inputsChanged();
    void answerChanged();
    void busyChanged(bool isBusy);
    void selectionChanged();
    void viewChoicesChanged();
    void devicesChanged();
    void idleWorkAdvanced();
    /// Something was decided for the person; a sentence that says what.
    void noticed(const QString& text);

private:
    friend class InputsCommand;
    void apply(std::shared_ptr<const Inputs> inputs);
    /// Makes inputs those of a profile; what was decided for the person.
    QStringList changeProfile(Inputs& inputs, StepProfile profile) const;
    void changeBudget(Bytes budget, bool isDragging);
    void takeAnswer();
    Question question() const;

    void ask();

    DeviceCatalog m_devices;
    std::set<std::string> m_adoptedDevices; ///< names
    Inputs m_inputs;
    std::shared_ptr<const Inputs> m_held; ///< the same, as the undo steps share them
    Device m_device;
    nlohmann::json m_unknownKeys = nlohmann::json::object();
    std::optional<Answer> m_answer;
    quint64 m_generation = 0;
    int m_dragSerial = 0;
    bool m_wasDragging = false;
    GridMetric m_metric = GridMetric::Bytes;
    std::optional<GridPlace> m_selection;
    std::set<int> m_openRows;
    QUndoStack m_undo;
    Pointing m_pointing;
    Bytes m_draggedBudget;
    FramePace m_budgetPace, m_answerPace;
    std::unique_ptr<PlannerThread> m_planner;
};

/// The inputs that a first start shows: a small GPT-2 that this CPU trains in seconds, with a budget that makes the
/// planner decide.
Inputs firstInputs();

} // namespace remat::ui
