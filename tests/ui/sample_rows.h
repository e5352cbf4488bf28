// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// Rows for the tests of tables, and what a cell of a model says.
#pragma once
#include "ui/tables/log_list_model.h"
#include "ui/tables/runs_table_model.h"
#include "ui/tables/strategy_table_model.h"
#include "ui/tables/tensor_table_model.h"

namespace sample_rows {

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;

inline StrategyRow strategy(const char* name, bool fits, Bytes peak, Bytes saved, double overhead, std::int64_t reruns)
{
    return {QString::fromLatin1(name), QString::fromLatin1(name),
        StrategyFigures{fits, peak, saved, {static_cast<std::int64_t>(212e6 * (1 + overhead))}, overhead, reruns}, {},
        false};
}

inline std::vector<StrategyRow> strategies()
{
    return {strategy("optimal", true, 3522_MiB, 2324_MiB, 0.034, 42),
        strategy("keep everything", false, 5826_MiB, 4628_MiB, 0, 0),
        strategy("full layer", true, 1761_MiB, 600_MiB, 0.38, 156),
        strategy("attention only", false, 96_MiB, 64_MiB, -0.002, 24),
        {QStringLiteral("llmc-r2"), QStringLiteral("llm.c -r 2"), std::nullopt,
            QStringLiteral("needs GELU and LayerNorm"), false}};
}

inline std::vector<TensorRow> tensors()
{
    return {{QStringLiteral("qkv"), QStringLiteral("attention"), QStringLiteral("B, T, 3C = 16, 1024, 2304"), 72_MiB,
                true, QStringLiteral("attention"), {410'000}, false},
        {QStringLiteral("up"), QStringLiteral("FFN"), QStringLiteral("B, T, 4C = 16, 1024, 3072"), 96_MiB, true,
            QStringLiteral("gelu, down"), {410'000}, true},
        {QStringLiteral("gelu"), QStringLiteral("FFN"), QStringLiteral("B, T, 4C = 16, 1024, 3072"), 1_GiB, false,
            QStringLiteral("down"), {28'000}, false},
        {QStringLiteral("sum"), QStringLiteral("residual"), QStringLiteral("B, T, C = 16, 1024, 768"), 24_MiB, false,
            {}, {9'000}, false}};
}

inline std::vector<RunRow> runs()
{
    RunRow done{1, QStringLiteral("optimal, 3.50 GiB"), QStringLiteral("CPU, 2 threads"), RunState::Done, {}, 3522_MiB,
        3522_MiB, 3701_MiB, Nanoseconds{9'100'000'000}, true, 10.9512};
    RunRow off = done;
    off.number = 2;
    off.trackedPeak = 3523_MiB;
    off.gradientsEqual = false;
    RunRow failed{3, QStringLiteral("keep everything"), QStringLiteral("H200"), RunState::Failed,
        QStringLiteral("out of memory in backward of L7.ffn_up"), 5826_MiB, {}, {}, {}, {}, {}};
    RunRow running{4, QStringLiteral("full layer"), QStringLiteral("CPU, 2 threads"), RunState::Running,
        QStringLiteral("step 3 of 5"), 1761_MiB, {}, {}, {}, {}, {}};
    RunRow waiting = running;
    waiting.number = 5;
    waiting.state = RunState::Waiting;
    return {done, off, failed, running, waiting};
}

inline QString text(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

inline QString tip(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::ToolTipRole).toString();
}

} // namespace sample_rows
