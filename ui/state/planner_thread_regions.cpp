// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How the planner thread answers questions of the profile pytorch: a plan from few simulations at once, the best of
// many after it, and then what else the window shows.
#include "core/base/clock.h"
#include "core/regions/region_batch.h"
#include "ui/state/planner_thread.h"

namespace remat::ui {

namespace {

constexpr MessageCode kCpu{"pytorch-on-cpu", REMAT_TR("The profile pytorch describes a GPU, not this machine's CPU."),
    REMAT_TR("Choose a GPU, or this program's own run."), ExitCode::BadInput};

RegionRequest requestOf(const Question& question)
{
    return regionRequestOf(question.request.shape, question.request.setup, *question.torch, question.request.device);
}

Result<void> check(const RegionRequest& request)
{
    if (request.device.kind == DeviceKind::Cpu)
        return Error{&kCpu, "device", {}};
    return validate(request);
}

} // namespace

std::shared_ptr<const ShownRegions> show(RegionPlan plan, const std::stop_token& cancel)
try {
    // The last micro-batch finds the gradients of those before it.
    RegionRequest last = plan.request;
    last.setup.hasResidentGrads = last.setup.hasResidentGrads || last.setup.microBatches > 1;
    last.setup.microBatches = 1;
    auto shown = std::make_shared<ShownRegions>();
    shown->planned = torch::simulateTorchStep(last.shape, last.setup, cancel);
    last.setup.layers.clear();
    shown->keepAll = torch::simulateTorchStep(last.shape, last.setup, cancel);
    shown->table = makeRegionTable(plan, shown->keepAll, shown->planned);
    shown->instants = instantsOf(shown->planned, plan.request);
    shown->plan = std::move(plan);
    return shown;
} catch (const torch::StepCancelled&) {
    return nullptr;
}

void PlannerThread::keepRegions(RegionStudy study)
{
    m_regionStudy = std::make_shared<const RegionStudy>(std::move(study));
    std::vector<CurvePoint> curve;
    for (const RegionStudy::Point& point : m_regionStudy->points())
        curve.push_back({point.peak, point.extraTime});
    m_regionCurve = std::make_shared<const std::vector<CurvePoint>>(std::move(curve));
}

/// Solves what is asked from a few simulations; false when a newer question cancelled it.  Wrong inputs are an answer.
bool PlannerThread::solveRegions(Answer& answer, const std::stop_token& cancel)
{
    FlatLimits limits;
    limits.cancel = cancel;
    const Nanoseconds start = steadyClock();
    const RegionRequest request = requestOf(answer.question);
    m_regionStudy.reset();
    if (auto valid = check(request); !valid) {
        answer.inputError = valid.error();
        return true;
    }
    Result<RegionStudy> study = RegionStudy::solve(request, limits, kFirstRegions);
    if (!study)
        return false;
    keepRegions(*std::move(study));
    m_regionQuestion = answer.question;
    m_regionTime = steadyClock() - start;
    return true;
}

bool PlannerThread::refineRegions()
{
    FlatLimits limits;
    {
        const std::lock_guard lock(m_mutex);
        if (m_stops || m_question)
            return false;
        m_isRefining = true;
        limits.cancel = m_cancel.get_token();
    }
    const Nanoseconds start = steadyClock();
    Result<RegionStudy> study = m_regionStudy->refined(limits);
    if (!study)
        return false;
    keepRegions(*std::move(study));
    m_regionTime += steadyClock() - start;
    return true;
}

/// The plan that the kept study has for the question, or the certificate that none fits beside the leanest one; false
/// when a newer question cancelled it.
bool PlannerThread::addRegions(Answer& answer, const std::stop_token& cancel) const
{
    const Question& question = answer.question;
    answer.regionStudy = m_regionStudy;
    answer.curve = m_regionCurve;
    answer.solveTime = m_regionTime;
    answer.doesNotFit.reset();
    answer.strategyError.reset();
    Result<RegionPlan> plan = m_regionStudy->plan(question.strategy, question.budget, cancel);
    if (!plan && question.strategy.kind != Strategy::Kind::Optimal) {
        // That a rule has no plan here does not say that nothing fits.
        answer.strategyError = plan.error();
        plan = m_regionStudy->cheapestWithin(question.budget, cancel);
    }
    if (!plan) {
        answer.doesNotFit = plan.error();
        plan = m_regionStudy->cheapestWithin(m_regionStudy->leastPeak(), cancel);
    } else if (!plan->fits() && m_regionStudy->leastPeak() > question.budget) {
        answer.doesNotFit = m_regionStudy->cheapestWithin(question.budget).error();
    }
    if (cancel.stop_requested())
        return false;
    plan->budget = question.budget;
    answer.regions = show(*std::move(plan), cancel);
    return answer.regions != nullptr;
}

void PlannerThread::answerRegions(const Question& question)
{
    Answer answer;
    answer.generation = question.generation;
    answer.question = question;
    std::stop_token cancel;
    {
        const std::lock_guard lock(m_mutex);
        cancel = m_cancel.get_token();
    }
    const bool isKept = m_regionStudy && haveSameStudy(*m_regionQuestion, question);
    if (!isKept && !solveRegions(answer, cancel))
        return;
    if (answer.inputError) {
        answer.isComplete = true;
        post(answer);
        return;
    }
    if (!addRegions(answer, cancel))
        return;
    post(answer);
    if (!m_regionStudy->isRefined()) {
        if (!refineRegions() || !addRegions(answer, cancel))
            return;
        post(answer);
    }
    if (isOutdated(question.generation))
        return;
    if (answer.doesNotFit)
        if (const std::optional<FlatLimits> limits = limitsOfCures())
            answer.batchThatFits = largestSmallerBatch(requestOf(question), question.budget, limits->cancel);
    answer.regionStrategies = m_regionStudy->compare(question.budget, cancel);
    if (!answer.doesNotFit && answer.regions->plan.strategy.isPlanner())
        answer.regionMoves = m_regionStudy->movesOf(answer.regions->plan);
    answer.isComplete = true;
    if (!isOutdated(question.generation))
        post(answer);
}

} // namespace remat::ui
