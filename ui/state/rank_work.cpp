// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/rank_work.h"

#include "core/regions/rank_view.h"
#include "core/regions/region_strategies.h"

namespace remat::ui {

RankWork::RankWork(RegionRequest request, const Parallelism& parallelism)
    : m_torch(std::move(request)),
      m_parallelism(parallelism)
{ }

RankWork::RankWork(PaperRequest request) : m_paper(std::move(request)) { }

bool RankWork::step(const std::stop_token& cancel)
{
    RankAnswer answer = m_paper ? answerOfPaper() : answerOfTorch(cancel);
    if (cancel.stop_requested())
        return true;
    m_box.post(std::move(answer));
    return false;
}

RankAnswer RankWork::answerOfTorch(const std::stop_token& cancel) const
{
    RankAnswer answer;
    for (const Result<void>& valid : {validate(*m_torch), validate(m_torch->shape, m_parallelism)})
        if (!valid) {
            answer.error = valid.error();
            return answer;
        }
    for (const auto& [recompute, strategy] : {std::pair(PaperRecompute::None, Strategy{Strategy::Kind::None}),
             std::pair(PaperRecompute::Full, Strategy{Strategy::Kind::Full})}) {
        Result<StrategyRegions> regions = regionsOf(strategy, m_torch->shape);
        if (!regions) {
            answer.error = regions.error();
            return answer;
        }
        if (cancel.stop_requested())
            break;
        RegionRequest request = *m_torch;
        request.setup.stopsEarly = request.setup.stopsEarly && regions->stopsEarly;
        request.setup.layers = std::move(regions->layers);
        const RankView view = rankView(request, m_parallelism);
        const ReservedBytes reserved = reservedFor(view.fullest().peak, request.device);
        answer.rows.push_back({recompute, view.fullest(), reserved, reserved.onDevice, view.step, std::nullopt});
    }
    return answer;
}

RankAnswer RankWork::answerOfPaper() const
{
    RankAnswer answer;
    if (const Result<void> valid = validate(*m_paper); !valid) {
        answer.error = valid.error();
        return answer;
    }
    for (const PaperRecompute recompute : {PaperRecompute::None, PaperRecompute::Selective, PaperRecompute::Full}) {
        const PaperStep step = paperStep(*m_paper, recompute);
        answer.rows.push_back({recompute, step.fullest(), std::nullopt, step.fullest().peak + m_paper->device.context,
            step.step, step.layer});
    }
    return answer;
}

} // namespace remat::ui
