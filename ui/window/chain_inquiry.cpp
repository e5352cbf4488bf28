// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/chain_inquiry.h"

#include <utility>

#include "core/plan/flat_planner.h"
#include "ui/theme/format.h"

namespace remat::ui {

void ChainInquiry::ask(Chain chain, const QString& file)
{
    const quint64 asked = ++m_asked;
    m_thread = std::jthread([this, asked, file, chain = std::move(chain)](const std::stop_token& stop) {
        FlatLimits limits;
        limits.cancel = stop;
        const Result<FlatFrontier> frontier = FlatPlanner(chain, limits).solve();
        if (!frontier || frontier->points().empty())
            return; // another chain is asked for, or the window closes
        const ChainSummary summary{file, chain.stages.size(), frontier->points().size(), frontier->points().front(),
            frontier->points().back()};
        QMetaObject::invokeMethod(
            this,
            [this, asked, summary] {
                if (asked == m_asked)
                    emit answered(summary);
            },
            Qt::QueuedConnection);
    });
}

QString sentenceOf(const ChainSummary& summary)
{
    const NumberFormat format;
    return ChainInquiry::tr(
        "%1 is a chain of %2 stages without a model: %3 plans, from %4 in %5 to %6 in %7. The command "
        "\"remat solve\" gives the schedule for a budget.")
        .arg(summary.file)
        .arg(summary.stages)
        .arg(summary.plans)
        .arg(format.bytes(summary.least.peak), format.duration(summary.least.time), format.bytes(summary.fastest.peak),
            format.duration(summary.fastest.time));
}

} // namespace remat::ui
