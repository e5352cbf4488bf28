// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/grid_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/index.h"
#include "core/program/timeline.h"

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

QString placeTitle(int layer, int layerCount)
{
    if (layer < 0)
        return GridRowsText::tr("Embedding");
    return layer < layerCount ? GridRowsText::tr("Layer %1").arg(layer) : GridRowsText::tr("Head and loss");
}

int stageOfLayer(const StepTape& tape, int layer)
{
    return std::clamp(layer + 1, 0, static_cast<int>(tape.stages.size()) - 1);
}

KeepSet opsOfPlace(const StepTape& tape, const GridPlace& place)
{
    const StageTape& stage = tape.tapeOf(stageOfLayer(tape, place.layer));
    if (place.layer < 0 || place.layer >= tape.shape.layers || place.row == kEveryRow
        || place.extent == GridPlace::Extent::Layer)
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

std::optional<GridPlace> placeOfOp(const StepTape& tape, int stage, int op)
{
    const int layer = tape.stages[at(stage)].layer;
    if (layer < 0)
        return GridPlace{0, stage == 0 ? -1 : static_cast<int>(tape.shape.layers)};
    const std::vector<GridRowMeaning> rows = gridRows(tape.kinds[1]);
    const Sublayer sublayer = tape.tapeOf(stage).ops[at(op)].sublayer;
    std::optional<GridPlace> place;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool isIts = rows[row].op == op || (rows[row].op < 0 && rows[row].sublayer == sublayer);
        if (isIts)
            place = GridPlace{static_cast<int>(row), layer}; // the op's own row comes after its sublayer's
    }
    return place;
}

std::vector<GridPlace> placesOf(const StepTape& tape, std::span<const OpFlip> flips)
{
    std::vector<GridPlace> places;
    for (const OpFlip& flip : flips)
        for (const int stage : flip.stages) {
            if (stage >= static_cast<int>(tape.stages.size()))
                continue;
            const std::vector<Op>& ops = tape.tapeOf(stage).ops;
            const auto op = std::find_if(ops.begin(), ops.end(), [&](const Op& o) { return o.name == flip.op; });
            if (op == ops.end())
                continue;
            if (const auto place = placeOfOp(tape, stage, static_cast<int>(op - ops.begin())))
                places.push_back(*place);
        }
    return places;
}

std::vector<GridPlace> placesAlive(const Program& program, const StepTape& tape, int instruction)
{
    std::vector<GridPlace> places;
    for (const AliveBuffer& alive : aliveAfter(program, instruction)) {
        const Buffer& buffer = program.buffers[at(alive.buffer)];
        const bool isValue = buffer.role == BufferRole::Saved || buffer.role == BufferRole::Boundary;
        if (!isValue || buffer.tensor < 0)
            continue;
        const int producer = tape.tapeOf(buffer.stage).tensors[at(buffer.tensor)].producer;
        const std::optional<GridPlace> place = producer >= 0 ? placeOfOp(tape, buffer.stage, producer) : std::nullopt;
        if (place && std::find(places.begin(), places.end(), *place) == places.end())
            places.push_back(*place);
    }
    return places;
}

namespace {

/// The pins that name a row over layers, or layers as a whole.
std::vector<remat::Pin> broadPins(const StepTape& tape, int row, int firstLayer, int lastLayer, bool isKeep)
{
    const auto layers = static_cast<int>(tape.shape.layers);
    std::string target;
    if (row != kEveryRow && firstLayer >= 0 && lastLayer < layers) {
        const GridRowMeaning meaning = gridRows(tape.kinds[1])[at(row)];
        target = meaning.op < 0 ? sublayerName(meaning.sublayer) : tape.kinds[1].ops[at(meaning.op)].name;
        if (firstLayer == 0 && lastLayer == layers - 1 && layers > 1)
            return {{remat::Pin::kEveryLayer, target, isKeep}};
    }
    std::vector<remat::Pin> pins;
    for (int layer = firstLayer; layer <= lastLayer; ++layer)
        pins.push_back({layer < 0 ? remat::Pin::kEmbedding
                : layer < layers  ? layer
                                  : remat::Pin::kHead,
            target, isKeep});
    return pins;
}

} // namespace

std::vector<remat::Pin> withPin(
    const std::vector<remat::Pin>& pins, const StepTape& tape, int row, int firstLayer, int lastLayer, Pin wish)
{
    std::vector<StageOps> places;
    for (int layer = firstLayer; layer <= lastLayer; ++layer)
        places.push_back({stageOfLayer(tape, layer), opsOfPlace(tape, {row, layer})});
    if (wish == Pin::None)
        return replacePins(tape, pins, places, std::nullopt);
    const std::vector<remat::Pin> byOp = replacePins(tape, pins, places, wish == Pin::Keep);
    std::vector<remat::Pin> result = replacePins(tape, pins, places, std::nullopt);
    for (const remat::Pin& broad : broadPins(tape, row, firstLayer, lastLayer, wish == Pin::Keep)) {
        const Result<std::vector<StageOps>> said = opsOfPin(tape, broad);
        const auto isAsked
            = [&](const StageOps& ops) { return std::find(places.begin(), places.end(), ops) != places.end(); };
        // A name may say more or less than the cells: an op before a sublayer, or nothing in some kind of layer.
        if (!said || !std::all_of(said->begin(), said->end(), isAsked))
            return byOp;
        result.push_back(broad);
    }
    // Where a pin that is there already says it, cutting that one up would only make more of them.
    return byOp.size() < result.size() ? byOp : result;
}

} // namespace remat::ui
