// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/planner_thread.h"

#include "core/base/clock.h"
#include "core/plan/largest_batch.h"
#include "core/plan/pins_to_release.h"
#include "core/run/process_memory.h"

namespace remat::ui {

namespace {

constexpr std::int64_t kBytesOfPoint = 24;

/// What tables may take: as much as usual, but never more than half of what this machine has left.  Where that is too
/// little, a plan comes with its certified gap instead of the end of the window.
std::int64_t mostTableBytes(std::int64_t usual)
{
    const std::optional<Bytes> left = usableMemory();
    return left ? std::min(usual, left->value / 2) : usual;
}

FlatLimits flatLimits(double gapTarget, const std::stop_token& cancel)
{
    FlatLimits limits;
    limits.gapTarget = gapTarget;
    limits.cancel = cancel;
    limits.maxPoints = mostTableBytes(limits.maxPoints * kBytesOfPoint) / kBytesOfPoint;
    return limits;
}

} // namespace

bool haveSameStudy(const StudyRequest& a, const StudyRequest& b)
{
    return a.shape == b.shape && a.setup == b.setup && a.device == b.device && a.pins == b.pins;
}

bool haveSameStudy(const Question& a, const Question& b)
{
    if (a.torch != b.torch)
        return false;
    // Pins are the runtime profile's.
    return a.torch ? a.request.shape == b.request.shape && a.request.setup == b.request.setup
            && a.request.device == b.request.device
                   : haveSameStudy(a.request, b.request);
}

std::vector<CurvePoint> curveOf(const std::vector<StudyPoint>& points, const Study& study)
{
    // The first point of each of equally wide ranges of peak; the step curve between them is then right to a pixel.
    const std::int64_t least = points.front().cost.peak.value;
    const std::int64_t width
        = (points.back().cost.peak.value - least) / static_cast<std::int64_t>(kMostCurvePoints - 1) + 1;
    std::vector<CurvePoint> curve;
    std::int64_t lastRange = -1;
    for (const StudyPoint& point : points) {
        const std::int64_t range = (point.cost.peak.value - least) / width;
        if (range == lastRange && &point != &points.back())
            continue;
        lastRange = range;
        curve.push_back({point.cost.peak, study.extraTimeOf(point)});
    }
    return curve;
}

std::shared_ptr<const ShownPlan> show(Plan plan)
{
    Program program = lower(*plan.step, plan.schedule);
    Timeline timeline = replayDry(program, plan.step->tape);
    return std::make_shared<const ShownPlan>(ShownPlan{std::move(plan), std::move(program), std::move(timeline)});
}

PlannerThread::PlannerThread(std::function<void()> ring) : m_ring(std::move(ring)), m_thread([this] { work(); }) { }

PlannerThread::~PlannerThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stops = true;
        m_cancel.request_stop();
    }
    m_asked.notify_one();
    m_thread.join();
}

void PlannerThread::ask(Question question)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_isRefining || (m_solving && !haveSameStudy(*m_solving, question)))
            m_cancel.request_stop();
        m_question = std::move(question);
    }
    m_asked.notify_one();
}

void PlannerThread::work()
{
    for (;;) {
        std::optional<Question> question;
        std::shared_ptr<IdleWork> idle;
        std::stop_token cancel;
        {
            std::unique_lock lock(m_mutex);
            m_asked.wait(lock, [&] { return m_stops || m_question || (idle = nextIdleWork()); });
            if (m_stops)
                return;
            question = std::exchange(m_question, std::nullopt);
            m_solving = question;
            m_isRefining = !question; // any question goes before idle work
            m_cancel = std::stop_source();
            cancel = m_cancel.get_token();
        }
        if (question && question->torch)
            answerRegions(*question);
        else if (question)
            answer(*question);
        else
            doIdleStep(idle, cancel);
    }
}

void PlannerThread::doWhenIdle(const std::shared_ptr<IdleWork>& work)
{
    {
        const std::lock_guard lock(m_mutex);
        m_idle.push_back(work);
    }
    m_asked.notify_one();
}

std::shared_ptr<IdleWork> PlannerThread::nextIdleWork()
{
    while (!m_idle.empty()) {
        if (std::shared_ptr<IdleWork> work = m_idle.back().lock())
            return work;
        m_idle.pop_back();
    }
    return nullptr;
}

void PlannerThread::doIdleStep(const std::shared_ptr<IdleWork>& work, const std::stop_token& cancel)
{
    if (!work->step(cancel)) {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_idle, [&](const std::weak_ptr<IdleWork>& other) { return other.lock() == work; });
    }
    m_ring();
}

bool PlannerThread::isOutdated(std::uint64_t generation)
{
    const std::lock_guard lock(m_mutex);
    return m_stops || (m_question && m_question->generation != generation);
}

void PlannerThread::post(const Answer& answer)
{
    m_answers.post(answer);
    m_ring();
}

/// Solves what is asked and keeps the study; false when a newer question cancelled it.  Wrong inputs are an answer.
bool PlannerThread::solve(Answer& answer, double gapTarget)
{
    std::stop_token cancel;
    {
        const std::lock_guard lock(m_mutex);
        m_isRefining = gapTarget == 0;
        cancel = m_cancel.get_token();
        if (m_isRefining && m_question)
            return false;
    }
    FlatLimits limits = flatLimits(gapTarget, cancel);
    limits.quickPoints = kQuickPoints;
    const Nanoseconds start = steadyClock();
    Result<Study> study = Study::solve(answer.question.request, limits, &m_memory);
    if (limits.cancel.stop_requested())
        return false;
    if (!study) {
        m_study.reset();
        answer.inputError = study.error();
        return true;
    }
    m_study = std::make_shared<const Study>(*std::move(study));
    // A chain too large for the exact solve answers inexactly however often it is asked.
    m_isRefined = gapTarget == 0 || m_study->isExact();
    m_studied = answer.question.request;
    m_curve = std::make_shared<const std::vector<CurvePoint>>(curveOf(m_study->points(), *m_study));
    m_solveTime = steadyClock() - start;
    m_nested.reset();
    m_nestedError.reset();
    return true;
}

/// Solves the kept study's step with layers that run again; false when a newer question cancelled it.  A step that is
/// too large for it keeps its flat answer, and is not tried again.
bool PlannerThread::solveNested()
{
    NestedLimits limits;
    {
        const std::lock_guard lock(m_mutex);
        if (m_stops || m_question)
            return false;
        m_isRefining = true; // a moving budget is answered from the flat frontier at once
        limits.cancel = m_cancel.get_token();
    }
    limits.maxTableBytes = mostTableBytes(limits.maxTableBytes);
    const Nanoseconds start = steadyClock();
    Result<NestedStudy> nested = NestedStudy::solve(*m_study, limits, &m_memory);
    if (limits.cancel.stop_requested())
        return false;
    if (!nested) {
        m_nestedError = nested.error();
        return true;
    }
    m_nested = std::make_shared<const NestedStudy>(*std::move(nested));
    m_nestedCurve = std::make_shared<const std::vector<CurvePoint>>(curveOf(m_nested->points(), *m_study));
    m_nestedTime = steadyClock() - start;
    return true;
}

/// The plan that the kept study has for the question, or the certificate that none fits beside the plan of least
/// memory.
void PlannerThread::addPlan(Answer& answer) const
{
    const Question& question = answer.question;
    answer.study = m_study;
    const bool isNested = question.strategy.kind == Strategy::Kind::OptimalNested;
    answer.nested = isNested ? m_nested : nullptr;
    answer.strategyError = isNested ? m_nestedError : std::nullopt;
    answer.curve = answer.nested ? m_nestedCurve : m_curve;
    answer.solveTime = answer.nested ? m_nestedTime : m_solveTime;
    answer.doesNotFit.reset();
    const Strategy strategy = isNested ? Strategy{Strategy::Kind::Optimal} : question.strategy;
    Result<Plan> plan
        = answer.nested ? m_nested->cheapestWithin(question.budget) : m_study->plan(strategy, question.budget);
    if (!plan && !strategy.isPlanner()) {
        // That a rule has no plan here does not say that nothing fits.
        answer.strategyError = plan.error();
        plan = m_study->cheapestWithin(question.budget);
    }
    if (!plan) {
        answer.doesNotFit = plan.error();
        plan = answer.nested ? m_nested->planAt(0) : m_study->planAt(0);
    } else if (!plan->fits()) {
        // A fixed strategy above the budget: the planner's own certificate applies when no plan fits either.
        if (const Result<Plan> best = m_study->cheapestWithin(question.budget); !best)
            answer.doesNotFit = best.error();
    }
    answer.shown = show(*std::move(plan));
}

/// Limits of a search for cures, which any newer question cancels; none where one waits already.
std::optional<FlatLimits> PlannerThread::limitsOfCures()
{
    const std::lock_guard lock(m_mutex);
    if (m_question || m_stops)
        return std::nullopt;
    m_isRefining = true;
    return flatLimits(kRoughGap, m_cancel.get_token());
}

/// What would make a plan fit: fewer pins, or a smaller batch.
void PlannerThread::addCures(Answer& answer)
{
    const Question& question = answer.question;
    const std::optional<FlatLimits> limits = limitsOfCures();
    if (!limits)
        return;
    answer.pinsToRelease = pinsToRelease(question.request, question.budget, *limits);
    const BatchSearch search{question.request, {Strategy::Kind::Optimal}, question.budget, std::nullopt};
    if (const std::optional<std::int64_t> batch = largestBatch(search, *limits); batch.value_or(0) > 0)
        answer.batchThatFits = batch;
}

/// What would flip if the budget moved.
void PlannerThread::addMoves(Answer& answer) const
{
    const Plan& plan = answer.shown->plan;
    if (answer.doesNotFit || !plan.strategy.isPlanner())
        return;
    answer.moves = budgetMoves(answer.points(), plan, [&](Bytes budget) {
        return answer.nested ? answer.nested->cheapestWithin(budget) : answer.study->cheapestWithin(budget);
    });
}

void PlannerThread::answer(const Question& question)
{
    Answer answer;
    answer.generation = question.generation;
    answer.question = question;
    const bool isKept = m_study && haveSameStudy(*m_studied, question.request);
    // A cancelled solve answers nothing: what is shown stays until the newer question is answered.
    if (!isKept && !solve(answer, kAnyGap))
        return;
    if (answer.inputError) {
        answer.isComplete = true;
        post(answer);
        return;
    }
    addPlan(answer);
    post(answer);
    if (!m_isRefined) {
        if (!solve(answer, 0))
            return;
        addPlan(answer);
        post(answer);
    }
    if (question.strategy.kind == Strategy::Kind::OptimalNested && !m_nested && !m_nestedError) {
        if (!solveNested())
            return;
        addPlan(answer);
        post(answer);
    }
    if (isOutdated(question.generation))
        return;
    if (answer.doesNotFit)
        addCures(answer);
    answer.strategies = m_study->compare(comparedStrategies(), question.budget);
    addMoves(answer);
    answer.isComplete = true;
    if (!isOutdated(question.generation))
        post(answer);
}

} // namespace remat::ui
