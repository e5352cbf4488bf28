// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/description_table.h"

#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/chain/pins.h"

namespace remat {

namespace {

std::vector<std::string> sums(const std::string& name, const SublayerRow& row)
{
    const std::string tied = row.tied > Bytes{} ? " + " + formatBytes(row.tied) + " tied with embedding" : "";
    return {name, formatBytes(row.kept), formatBytes(row.made), formatBytes(row.weights) + tied,
        formatFlops(row.forwardFlops), formatFlops(row.backwardFlops), formatDuration(row.forwardTime),
        formatDuration(row.backwardTime)};
}

} // namespace

const char* roleName(TensorRole role)
{
    switch (role) {
    case TensorRole::Input:
        return "input";
    case TensorRole::Activation:
        return "activation";
    case TensorRole::Statistic:
        return "statistic";
    case TensorRole::Gradient:
        return "gradient";
    case TensorRole::WeightGradient:
        return "weight gradient";
    case TensorRole::Output:
        return "output";
    }
    return "";
}

Table sublayerTable(const KindDescription& kind)
{
    Table table{{"sublayer", "kept", "made", "weights", "forward FLOP", "backward FLOP", "forward", "backward"}, {}};
    for (const SublayerRow& row : kind.sublayers)
        table.rows.push_back(sums(sublayerName(row.sublayer), row));
    table.rows.push_back(sums("all", kind.total));
    return table;
}

Table tensorTable(const KindDescription& kind)
{
    Table table{{"tensor", "sublayer", "shape", "bytes", "role", "read in backward by", "recompute", "by running"}, {}};
    for (const TensorRow& row : kind.tensors)
        table.rows.push_back({row.tensor.name, sublayerName(row.tensor.sublayer), row.tensor.shapeText,
            formatBytes(row.tensor.bytes), roleName(row.tensor.role), joined(row.readBy),
            row.recomputeTime ? formatDuration(*row.recomputeTime) : "", joined(row.recomputedOps)});
    return table;
}

Table baseTable(const BaseBytes& base)
{
    return {{"resident all step", "bytes"},
        {{"weights", formatBytes(base.weights)}, {"gradients", formatBytes(base.gradients)},
            {"optimizer", formatBytes(base.optimizer)}, {"inputs", formatBytes(base.inputs)},
            {"workspace", formatBytes(base.workspace)}, {"base", formatBytes(base.total())}}};
}

} // namespace remat
