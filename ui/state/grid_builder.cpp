// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/grid_builder.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "core/chain/stage_script.h"

namespace remat::ui {

namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

QString tr(const char* text)
{
    return QCoreApplication::translate("GridBuilder", text);
}

/// What one keep-set of one kind of stage does to each op: bytes held, and what dropping costs.
struct OpBytes {
    std::vector<Bytes> kept; ///< by op; the stage's output counts for the op that writes it
};

class GridBuilder {
public:
    explicit GridBuilder(const ExplorerState& state)
        : m_state(state),
          m_shown(*state.answer()->shown),
          m_step(*m_shown.plan.step),
          m_tape(m_step.tape)
    { }

    GridView build()
    {
        m_view.layerCount = static_cast<int>(m_tape.shape.layers);
        m_view.metric = m_state.metric();
        m_view.generation = m_state.answer()->generation;
        const Result<std::vector<KeepRule>> rules = pinRules(m_tape, m_state.inputs().pins);
        if (rules)
            m_rules = *rules;
        m_meanings = gridRows(m_tape.kinds[1]);
        addColumns();
        addRows();
        for (const StageTape& kind : m_tape.kinds)
            m_keepAll.push_back(keepAll(kind));
        m_view.cells.resize(m_view.rows.size() * m_view.columns.size());
        for (int column = 0; column < m_view.columnCount(); ++column)
            fillColumn(column);
        sumRows();
        findPeak();
        return std::move(m_view);
    }

private:
    void addColumns()
    {
        m_view.columns.push_back({-1, -1, tr("embedding"), true});
        for (int layer = 0; layer < m_view.layerCount; ++layer)
            m_view.columns.push_back({layer, layer, {}, false});
        m_view.columns.push_back({m_view.layerCount, m_view.layerCount, tr("head"), true});
    }

    void addRows()
    {
        int sublayerRow = -1;
        for (std::size_t r = 0; r < m_meanings.size(); ++r) {
            const GridRowMeaning& meaning = m_meanings[r];
            GridRow row;
            if (meaning.op < 0) {
                sublayerRow = static_cast<int>(r);
                row.label = sublayerTitle(meaning.sublayer);
                row.canOpen = r + 1 < m_meanings.size() && m_meanings[r + 1].op >= 0;
                row.isOpen = row.canOpen && m_state.isRowOpen(static_cast<int>(meaning.sublayer));
            } else {
                row.label = QString::fromStdString(m_tape.kinds[1].ops[at(meaning.op)].name);
                row.parent = sublayerRow;
            }
            m_view.rows.push_back(std::move(row));
        }
        m_view.total.label = tr("step");
    }

    /// Bytes that each op of a stage holds under a keep-set, its output included.
    const OpBytes& heldBytes(int stage, KeepSet keep)
    {
        const auto [entry, isNew] = m_held.try_emplace({m_tape.stages[at(stage)].kind, keep});
        if (!isNew)
            return entry->second;
        const StageFacts facts = m_step.factsOf(stage);
        OpBytes& bytes = entry->second;
        bytes.kept.resize(facts.tape.ops.size());
        const auto add
            = [&](int t) { bytes.kept[at(facts.tape.tensors[at(t)].producer)] += facts.tape.tensors[at(t)].bytes; };
        for (const int t : buildStageScript(facts.tape, facts.flow, keep, facts.gradientsInBase).savedTensors)
            add(t);
        if (!facts.tape.outputIsLoss)
            add(facts.tape.output);
        return bytes;
    }

    /// Backward time that dropping these ops alone would add.
    Nanoseconds dropTime(int stage, KeepSet dropped)
    {
        const auto [entry, isNew] = m_dropTime.try_emplace({m_tape.stages[at(stage)].kind, dropped});
        if (isNew) {
            const StageFacts facts = m_step.factsOf(stage);
            const KeepSet all = keepAllOf(stage);
            entry->second
                = makeOption(facts, all & ~dropped).option.backwardTime - makeOption(facts, all).option.backwardTime;
        }
        return entry->second;
    }

    KeepSet keepAllOf(int stage) const { return m_keepAll[at(m_tape.stages[at(stage)].kind)]; }

    GridCell cellOf(int stage, KeepSet ops, KeepSet droppable)
    {
        const StageTape& tape = m_tape.tapeOf(stage);
        const OpBytes& kept = heldBytes(stage, m_shown.plan.keep[at(stage)]);
        const OpBytes& all = heldBytes(stage, keepAllOf(stage));
        const auto& times = m_step.times[at(m_tape.stages[at(stage)].kind)];
        GridCell cell;
        for (std::size_t i = 0; i < tape.ops.size(); ++i) {
            if (!keeps(ops, static_cast<int>(i)))
                continue;
            const int reruns = m_shown.timeline.rerunsOfOp[at(stage)][i];
            cell.kept += kept.kept[i];
            cell.all += all.kept[i];
            cell.flops += tape.ops[i].forwardFlops + tape.ops[i].backwardFlops;
            cell.recomputedFlops += reruns * tape.ops[i].forwardFlops;
            cell.recomputeTime += reruns * times[i].forward;
        }
        cell.isRecomputed = cell.kept < cell.all;
        cell.recomputeTimeOfAll = dropTime(stage, droppable);
        if (!m_rules.empty()) {
            if ((m_rules[at(stage)].mustKeep & droppable) != 0)
                cell.pin = Pin::Keep;
            else if ((m_rules[at(stage)].mustDrop & droppable) != 0)
                cell.pin = Pin::Recompute;
        }
        return cell;
    }

    void fillColumn(int column)
    {
        const GridColumn& head = m_view.columns[at(column)];
        const int stage = stageOfLayer(m_tape, head.first);
        const StageTape& tape = m_tape.tapeOf(stage);
        if (head.isWhole) {
            m_view.cell(0, column) = cellOf(stage, ~KeepSet{0}, keepAllOf(stage));
            return;
        }
        for (int row = 0; row < m_view.rowCount(); ++row) {
            const GridRowMeaning& meaning = m_meanings[at(row)];
            KeepSet ops = 0;
            for (std::size_t i = 0; i < tape.ops.size(); ++i)
                if (meaning.op < 0 ? tape.ops[i].sublayer == meaning.sublayer : static_cast<int>(i) == meaning.op)
                    ops |= KeepSet{1} << i;
            m_view.cell(row, column) = cellOf(stage, ops, ops & keepAllOf(stage));
        }
    }

    void sumRows()
    {
        for (int row = 0; row < m_view.rowCount(); ++row) {
            GridRow& sum = m_view.rows[at(row)];
            for (int column = 0; column < m_view.columnCount(); ++column) {
                // A whole column is one cell, whatever the row: it counts once.
                const bool isWhole = m_view.columns[at(column)].isWhole;
                if (isWhole && row > 0)
                    continue;
                const GridCell& cell = m_view.cell(row, column);
                GridRow& target = isWhole ? m_view.total : sum;
                target.kept += cell.kept;
                target.all += cell.all;
                target.flops += cell.flops;
                target.recomputedFlops += cell.recomputedFlops;
            }
            if (sum.isTensor())
                continue;
            m_view.total.kept += sum.kept;
            m_view.total.all += sum.all;
            m_view.total.flops += sum.flops;
            m_view.total.recomputedFlops += sum.recomputedFlops;
        }
    }

    void findPeak()
    {
        const Instruction& peak = m_shown.program.instructions[at(m_shown.timeline.peakOp)];
        if (peak.stage < 0)
            return;
        const int layer = m_tape.stages[at(peak.stage)].layer;
        if (layer < 0) {
            m_view.peak = GridPlace{0, peak.stage == 0 ? -1 : m_view.layerCount};
            return;
        }
        const Sublayer sublayer = m_tape.tapeOf(peak.stage).ops[at(peak.op)].sublayer;
        for (int row = 0; row < m_view.rowCount(); ++row)
            if (m_meanings[at(row)].op < 0 && m_meanings[at(row)].sublayer == sublayer)
                m_view.peak = GridPlace{row, layer};
    }

    const ExplorerState& m_state;
    const ShownPlan& m_shown;
    const StepChain& m_step;
    const StepTape& m_tape;
    GridView m_view;
    std::vector<GridRowMeaning> m_meanings;
    std::vector<KeepRule> m_rules;
    std::vector<KeepSet> m_keepAll; ///< of every kind of stage
    std::map<std::pair<int, KeepSet>, OpBytes> m_held;
    std::map<std::pair<int, KeepSet>, Nanoseconds> m_dropTime;
};

} // namespace

std::vector<GridRowMeaning> gridRows(const StageTape& block)
{
    std::vector<GridRowMeaning> rows;
    const KeepSet held = keepAll(block) | KeepSet{1} << block.tensors[at(block.output)].producer;
    std::vector<Sublayer> seen;
    for (const Op& op : block.ops)
        if (std::find(seen.begin(), seen.end(), op.sublayer) == seen.end())
            seen.push_back(op.sublayer);
    for (const Sublayer sublayer : seen) {
        rows.push_back({sublayer, -1});
        for (std::size_t i = 0; i < block.ops.size(); ++i)
            if (block.ops[i].sublayer == sublayer && keeps(held, static_cast<int>(i)))
                rows.push_back({sublayer, static_cast<int>(i)});
    }
    return rows;
}

QString sublayerTitle(Sublayer sublayer)
{
    switch (sublayer) {
    case Sublayer::Embedding:
        return tr("embedding");
    case Sublayer::Norm1:
        return tr("norm 1");
    case Sublayer::Attention:
        return tr("attention");
    case Sublayer::Residual1:
        return tr("residual 1");
    case Sublayer::Norm2:
        return tr("norm 2");
    case Sublayer::Ffn:
        return tr("FFN");
    case Sublayer::Residual2:
        return tr("residual 2");
    case Sublayer::Head:
        return tr("head and loss");
    }
    return {};
}

QString placeTitle(const StepTape& tape, int layer)
{
    if (layer < 0)
        return tr("Embedding");
    return layer < tape.shape.layers ? tr("Layer %1").arg(layer) : tr("Head and loss");
}

int stageOfLayer(const StepTape& tape, int layer)
{
    return std::clamp(layer + 1, 0, static_cast<int>(tape.stages.size()) - 1);
}

KeepSet opsOfPlace(const StepTape& tape, const GridPlace& place)
{
    const StageTape& stage = tape.tapeOf(stageOfLayer(tape, place.layer));
    if (place.layer < 0 || place.layer >= tape.shape.layers)
        return keepAll(stage);
    const std::vector<GridRowMeaning> rows = gridRows(tape.kinds[1]);
    if (place.row < 0 || place.row >= static_cast<int>(rows.size()))
        return 0;
    const GridRowMeaning& meaning = rows[at(place.row)];
    KeepSet ops = 0;
    for (std::size_t i = 0; i < stage.ops.size(); ++i)
        if (meaning.op < 0 ? stage.ops[i].sublayer == meaning.sublayer : static_cast<int>(i) == meaning.op)
            ops |= KeepSet{1} << i;
    return ops & keepAll(stage);
}

GridView makeGridView(const ExplorerState& state)
{
    if (!state.answer() || !state.answer()->shown)
        return {};
    return GridBuilder(state).build();
}

std::vector<remat::Pin> withPin(
    std::vector<remat::Pin> pins, const StepTape& tape, int row, int firstLayer, int lastLayer, Pin wish)
{
    for (int layer = firstLayer; layer <= lastLayer; ++layer) {
        const StageTape& stage = tape.tapeOf(stageOfLayer(tape, layer));
        const KeepSet ops = opsOfPlace(tape, {row, layer});
        const int place = layer < 0 ? remat::Pin::kEmbedding : layer >= tape.shape.layers ? remat::Pin::kHead : layer;
        for (std::size_t i = 0; i < stage.ops.size(); ++i) {
            if (!keeps(ops, static_cast<int>(i)))
                continue;
            const std::string& target = stage.ops[i].name;
            std::erase_if(pins, [&](const remat::Pin& pin) { return pin.layer == place && pin.target == target; });
            if (wish != Pin::None)
                pins.push_back({place, target, wish == Pin::Keep});
        }
    }
    return pins;
}

} // namespace remat::ui
