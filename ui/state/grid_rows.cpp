// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/grid_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/index.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct GridRowsText {
    Q_DECLARE_TR_FUNCTIONS(GridRowsText)
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
        return GridRowsText::tr("embedding");
    case Sublayer::Norm1:
        return GridRowsText::tr("norm 1");
    case Sublayer::Attention:
        return GridRowsText::tr("attention");
    case Sublayer::Residual1:
        return GridRowsText::tr("residual 1");
    case Sublayer::Norm2:
        return GridRowsText::tr("norm 2");
    case Sublayer::Ffn:
        return GridRowsText::tr("FFN");
    case Sublayer::Residual2:
        return GridRowsText::tr("residual 2");
    case Sublayer::Head:
        return GridRowsText::tr("head and loss");
    }
    return {};
}

QString placeTitle(const StepTape& tape, int layer)
{
    if (layer < 0)
        return GridRowsText::tr("Embedding");
    return layer < tape.shape.layers ? GridRowsText::tr("Layer %1").arg(layer) : GridRowsText::tr("Head and loss");
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

std::vector<remat::Pin> withPin(
    const std::vector<remat::Pin>& pins, const StepTape& tape, int row, int firstLayer, int lastLayer, Pin wish)
{
    std::vector<StageOps> places;
    for (int layer = firstLayer; layer <= lastLayer; ++layer)
        places.push_back({stageOfLayer(tape, layer), opsOfPlace(tape, {row, layer})});
    return replacePins(tape, pins, places, wish == Pin::None ? std::nullopt : std::optional(wish == Pin::Keep));
}

} // namespace remat::ui
