// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/grid_builder.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "core/base/index.h"
#include "core/chain/stage_script.h"
#include "ui/state/grid_rows.h"
#include "ui/state/region_views.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct GridBuilderText {
    Q_DECLARE_TR_FUNCTIONS(GridBuilderText)
};

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
        sumRows(m_view);
        findPeak();
        return std::move(m_view);
    }

private:
    void addColumns()
    {
        m_view.columns.push_back({-1, -1, GridBuilderText::tr("embedding"), true});
        for (int layer = 0; layer < m_view.layerCount; ++layer)
            m_view.columns.push_back({layer, layer, {}, false});
        m_view.columns.push_back({m_view.layerCount, m_view.layerCount, GridBuilderText::tr("head"), true});
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
        m_view.ends.label = GridBuilderText::tr("embedding, head");
        m_view.total.label = GridBuilderText::tr("step");
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
        if (isNew)
            entry->second = priceOfDropping(m_step.factsOf(stage), dropped).time;
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

void sumRows(GridView& view)
{
    const auto add = [](GridRow& sum, const auto& part) {
        sum.kept += part.kept;
        sum.all += part.all;
        sum.flops += part.flops;
        sum.recomputedFlops += part.recomputedFlops;
    };
    for (int column = 0; column < view.columnCount(); ++column) {
        // A whole column is one cell, whatever the row.
        const bool isWhole = view.columns[at(column)].isWhole;
        for (int row = 0; row < (isWhole ? 1 : view.rowCount()); ++row)
            add(isWhole ? view.ends : view.rows[at(row)], view.cell(row, column));
    }
    add(view.total, view.ends);
    for (const GridRow& row : view.rows)
        if (!row.isTensor())
            add(view.total, row);
}

GridView makeGridView(const ExplorerState& state)
{
    if (state.answer() && state.answer()->regions)
        return regionGrid(state);
    if (!state.answer() || !state.answer()->shown)
        return {};
    return GridBuilder(state).build();
}

} // namespace remat::ui
