// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/explorer_state.h"

#include <QUndoCommand>
#include <algorithm>

#include "core/cost/start_budget.h"
#include "core/model/presets.h"
#include "core/model/runtime_shapes.h"

namespace remat::ui {

using namespace remat::literals;

namespace {

/// Steps that can be undone: the work of days, a few kilobytes each.
constexpr int kMostUndoSteps = 10'000;

} // namespace

/// One undoable change of the inputs; what one step leads to and the next comes from is held once.
class InputsCommand : public QUndoCommand {
public:
    using Held = std::shared_ptr<const Inputs>;

    InputsCommand(ExplorerState& state, int mergeId, const QString& text, Held before, Held after)
        : QUndoCommand(text),
          m_state(state),
          m_mergeId(mergeId),
          m_before(std::move(before)),
          m_after(std::move(after))
    { }

    void undo() override { m_state.apply(m_before); }
    void redo() override { m_state.apply(m_after); }
    int id() const override { return m_mergeId; }

    bool mergeWith(const QUndoCommand* other) override
    {
        m_after = static_cast<const InputsCommand*>(other)->m_after;
        setObsolete(*m_after == *m_before);
        return true;
    }

private:
    ExplorerState& m_state;
    int m_mergeId; ///< -1 never merges; otherwise one number for each drag
    Held m_before, m_after;
};

ExplorerState::ExplorerState(DeviceCatalog devices, QObject* parent)
    : QObject(parent),
      m_devices(std::move(devices)),
      m_inputs(firstInputs()),
      m_held(std::make_shared<const Inputs>(m_inputs)),
      m_device(m_devices.find(m_inputs.setup.device).value()),
      m_budgetPace([this] { changeBudget(m_draggedBudget, true); }),
      m_answerPace([this] { takeAnswer(); }),
      m_planner(std::make_unique<PlannerThread>([this] {
          QMetaObject::invokeMethod(
              this,
              [this] {
                  m_answerPace.request();
                  emit idleWorkAdvanced();
              },
              Qt::QueuedConnection);
      }))
{
    m_undo.setUndoLimit(kMostUndoSteps);
    m_generation = 1;
    m_planner->ask(question());
}

ExplorerState::~ExplorerState()
{
    // The thread rings this object; it ends before anything else of it goes.
    m_planner.reset();
}

Question ExplorerState::question() const
{
    return {m_generation, {m_inputs.shape, m_inputs.setup, m_device, m_inputs.pins}, m_inputs.budget, m_inputs.strategy,
        m_inputs.isPytorch() ? std::optional(m_inputs.torch) : std::nullopt};
}

void ExplorerState::edit(EditKind kind, const QString& text, const Inputs& inputs, bool isDragging)
{
    if (inputs == m_inputs && isDragging == m_wasDragging)
        return;
    // A drag's edits share one id; the edit that ends it has the id too, and the next drag gets a new one.
    if (isDragging && !m_wasDragging)
        ++m_dragSerial;
    const int mergeId = isDragging || m_wasDragging ? m_dragSerial * 16 + static_cast<int>(kind) : -1;
    m_wasDragging = isDragging;
    if (!(inputs == m_inputs))
        m_undo.push(new InputsCommand(*this, mergeId, text, m_held, std::make_shared<const Inputs>(inputs)));
}

void ExplorerState::setBudget(Bytes budget, bool isDragging)
{
    m_draggedBudget = budget;
    if (isDragging)
        return m_budgetPace.request();
    m_budgetPace.cancel();
    changeBudget(budget, false);
}

void ExplorerState::changeBudget(Bytes budget, bool isDragging)
{
    Inputs inputs = m_inputs;
    inputs.budget = {std::clamp<std::int64_t>(budget.value, 0, kMaxQuantity)};
    edit(EditKind::Budget, tr("change budget"), inputs, isDragging);
}

void ExplorerState::setPin(const std::vector<remat::Pin>& pins, const QString& text)
{
    Inputs inputs = m_inputs;
    inputs.pins = pins;
    edit(EditKind::Pins, text, inputs);
}

QStringList ExplorerState::changeProfile(Inputs& inputs, StepProfile profile) const
{
    inputs.profile = profile;
    QStringList said;
    if (profile != StepProfile::Pytorch)
        return said;
    const Result<Device> device = m_devices.find(inputs.setup.device);
    if (!device || device->kind == DeviceKind::Cpu) {
        inputs.setup.device = kStartGpu;
        const Device card = m_devices.find(inputs.setup.device).value();
        inputs.budget = startBudget(card).budget;
        said << tr("PyTorch's step is described on a GPU: the device is now %1.")
                    .arg(QString::fromStdString(card.title));
    }
    const std::vector<Strategy> known = regionStrategies();
    if (std::find(known.begin(), known.end(), inputs.strategy) == known.end())
        inputs.strategy = {Strategy::Kind::Optimal};
    if (!inputs.pins.empty())
        said << tr("Pins wait until this program's own run is shown again.");
    return said;
}

void ExplorerState::useProfile(StepProfile profile)
{
    Inputs inputs = m_inputs;
    const QStringList said = changeProfile(inputs, profile);
    edit(EditKind::Setup, tr("change profile"), inputs);
    if (!said.isEmpty())
        emit noticed(said.join(u' '));
}

void ExplorerState::useShape(EditKind kind, const QString& text, const ModelShape& shape)
{
    Inputs inputs = m_inputs;
    inputs.shape = shape;
    inputs.pins.clear();
    const std::int64_t asked = inputs.setup.sequence;
    inputs.setup.sequence
        = shape.fixedSequence() > 0 ? shape.fixedSequence() : std::min(asked, shape.longestSequence());
    QStringList said;
    if (!inputs.isPytorch() && runtimeLacks(shape)) {
        said << tr("This program's own run does not know this model; what is shown is its step in PyTorch.");
        said += changeProfile(inputs, StepProfile::Pytorch);
    }
    if (shape.fixedSequence() > 0 && asked != shape.fixedSequence())
        said << tr("The sequence follows from the image: %1 tokens.").arg(shape.fixedSequence());
    else if (inputs.setup.sequence < asked)
        said << (shape.longestSequence() < shape.maxPositions
                ? tr("The sequence was shortened to %1, the sliding window of %2.")
                : tr("The sequence was shortened to %1: %2 has no more positions."))
                    .arg(shape.longestSequence())
                    .arg(QString::fromStdString(shape.name));
    edit(kind, text, inputs);
    if (!said.isEmpty())
        emit noticed(said.join(u' '));
}

void ExplorerState::apply(std::shared_ptr<const Inputs> inputs)
{
    // Whoever names a device has looked it up: files in load() and adoptDevice(), people in the list of the catalog.
    const Device device = m_devices.find(inputs->setup.device).value();
    Inputs planned = *inputs;
    planned.ranks = m_inputs.ranks; // plans are for one GPU
    const bool isSameQuestion = planned == m_inputs && device == m_device;
    m_inputs = *inputs;
    m_held = std::move(inputs);
    m_device = device;
    if (isSameQuestion)
        emit inputsChanged();
    else
        ask();
}

void ExplorerState::ask()
{
    const bool wasBusy = isBusy();
    ++m_generation;
    m_planner->ask(question());
    emit inputsChanged();
    if (!wasBusy)
        emit busyChanged(true);
}

std::string ExplorerState::adoptDevice(Device device, const std::string& file)
{
    const Result<Device> known = m_devices.find(device.name);
    if (known) {
        // Planning reads the rates of a CPU; its memory may be that of another container.
        Device same = device;
        if (isThisCpu(*known))
            same.memory = known->memory;
        if (same == *known)
            return device.name;
    }
    // A broken file of the person's own holds its name too.
    DeviceCatalog extended = m_devices;
    extended.add(device);
    if (known || !extended.find(device.name)) {
        device.name += " (" + file + ")";
        device.title += " (" + file + ")";
        m_devices.add(device);
    } else {
        m_devices = std::move(extended);
    }
    m_adoptedDevices.insert(device.name);
    emit devicesChanged();
    return device.name;
}

void ExplorerState::replaceDevice(const Device& device)
{
    m_devices.add(device);
    emit devicesChanged();
    if (m_device.name == device.name && m_device != device) {
        m_device = device;
        ask();
    }
}

void ExplorerState::useMeasuredCpu(Device device)
{
    if (device.kind == DeviceKind::Cpu)
        device.name = kThisCpuMeasured;
    m_adoptedDevices.insert(device.name);
    replaceDevice(device);
    Inputs inputs = m_inputs;
    inputs.setup.device = device.name;
    edit(EditKind::Device, tr("plan with measured costs"), inputs);
}

Result<void> ExplorerState::load(const Document& document, const std::string& file)
{
    Inputs inputs = document.inputs;
    if (document.device)
        inputs.setup.device = adoptDevice(*document.device, file);
    if (const Result<Device> device = m_devices.find(inputs.setup.device); !device) {
        Error error = device.error();
        error.where = file + ": setup.device";
        error.exit = ExitCode::BadInput;
        return error;
    }
    m_undo.clear();
    m_unknownKeys = document.unknown;
    m_metric = static_cast<GridMetric>(document.view.metric);
    m_openRows = {document.view.openSublayers.begin(), document.view.openSublayers.end()};
    m_selection.reset();
    if (document.view.selectedRow && document.view.selectedLayer)
        m_selection = GridPlace{*document.view.selectedRow, *document.view.selectedLayer};
    apply(std::make_shared<const Inputs>(std::move(inputs)));
    emit viewChoicesChanged();
    emit selectionChanged();
    return {};
}

Document ExplorerState::document() const
{
    Document document;
    document.inputs = m_inputs;
    document.unknown = m_unknownKeys;
    if (m_adoptedDevices.contains(m_device.name))
        document.device = m_device;
    document.view.metric = static_cast<int>(m_metric);
    document.view.openSublayers = {m_openRows.begin(), m_openRows.end()};
    if (m_selection) {
        document.view.selectedRow = m_selection->row;
        document.view.selectedLayer = m_selection->layer;
    }
    return document;
}

void ExplorerState::announce()
{
    emit devicesChanged();
    emit inputsChanged();
    if (m_answer)
        emit answerChanged();
}

void ExplorerState::takeAnswer()
{
    std::optional<Answer> answer = m_planner->takeAnswer();
    if (!answer || (m_answer && answer->generation < m_answer->generation))
        return;
    // Inputs that are wrong keep the last good result on screen; the field shows the error.
    if (answer->inputError && m_answer) {
        answer->study = m_answer->study;
        answer->nested = m_answer->nested;
        answer->strategyError = m_answer->strategyError;
        answer->curve = m_answer->curve;
        answer->shown = m_answer->shown;
        answer->strategies = m_answer->strategies;
        answer->regionStudy = m_answer->regionStudy;
        answer->regions = m_answer->regions;
        answer->regionStrategies = m_answer->regionStrategies;
        answer->doesNotFit = m_answer->doesNotFit;
        answer->question = m_answer->question; // figures and the budget that they were compared with stay together
        answer->solveTime = m_answer->solveTime;
    } else if (answer->strategies.empty() && m_answer && answer->study && answer->study == m_answer->study) {
        // While the comparison at a new budget is under way, the old one stays.
        answer->strategies = m_answer->strategies;
    }
    if (answer->regionStrategies.empty() && m_answer && answer->regionStudy
        && haveSameStudy(answer->question, m_answer->question))
        answer->regionStrategies = m_answer->regionStrategies;
    const bool wasBusy = isBusy();
    // An instant belongs to the program that it was pointed at in.
    if (!m_answer || m_answer->shown != answer->shown)
        m_pointing.setInstant(std::nullopt);
    m_answer = std::move(answer);
    emit answerChanged();
    if (wasBusy && !isBusy())
        emit busyChanged(false);
}

void ExplorerState::setMetric(GridMetric metric)
{
    if (m_metric == metric)
        return;
    m_metric = metric;
    emit viewChoicesChanged();
}

void ExplorerState::setSelection(std::optional<GridPlace> place)
{
    if (m_selection == place)
        return;
    m_selection = place;
    emit selectionChanged();
}

void ExplorerState::setRowOpen(int sublayer, bool isOpen)
{
    if (isRowOpen(sublayer) == isOpen)
        return;
    if (isOpen)
        m_openRows.insert(sublayer);
    else
        m_openRows.erase(sublayer);
    emit viewChoicesChanged();
}

Inputs firstInputs()
{
    Inputs inputs;
    inputs.shape = findPreset("gpt2").value();
    inputs.shape.name = "small gpt2";
    inputs.shape.hidden = 256;
    inputs.shape.heads = 8;
    inputs.shape.ffn = 1024;
    inputs.shape.vocabulary = 8192;
    inputs.setup.batch = 8;
    inputs.setup.sequence = 128;
    inputs.setup = withDefaults(inputs.shape, inputs.setup);
    inputs.budget = 300_MiB;
    inputs.strategy = {Strategy::Kind::Optimal};
    return inputs;
}

} // namespace remat::ui
