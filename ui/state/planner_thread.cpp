// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/planner_thread.h"

#include <chrono>

#include "core/cost/device_traits.h"

namespace remat::ui {

namespace {

Nanoseconds now()
{
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
                .count()};
}

/// The largest smaller batch of which some plan fits, by bisection: least peaks rise with the batch.
std::optional<std::int64_t> largestBatchWithin(
    const Question& question, const FlatLimits& limits, const std::function<bool()>& isOutdated)
{
    const auto fits = [&](std::int64_t batch) {
        StudyRequest request = question.request;
        request.setup.batch = batch;
        const Result<Study> study = Study::solve(request, limits);
        return study && study->leastPeak() <= question.budget;
    };
    std::int64_t low = 0, high = question.request.setup.batch;
    while (high - low > 1 && !isOutdated()) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low > 0 ? std::optional(low) : std::nullopt;
}

} // namespace

bool haveSameStudy(const StudyRequest& a, const StudyRequest& b)
{
    return a.shape == b.shape && a.setup == b.setup && a.device == b.device && a.pins == b.pins;
}

std::vector<CurvePoint> curveOf(const Study& study)
{
    // The first point of each of equally wide ranges of peak; the step curve between them is then right to a pixel.
    const std::vector<StudyPoint>& points = study.points();
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
        if (m_solving && !haveSameStudy(*m_solving, question.request))
            m_cancel.request_stop();
        m_question = std::move(question);
    }
    m_asked.notify_one();
}

void PlannerThread::work()
{
    for (;;) {
        Question question;
        {
            std::unique_lock lock(m_mutex);
            m_asked.wait(lock, [&] { return m_stops || m_question; });
            if (m_stops)
                return;
            question = *std::exchange(m_question, std::nullopt);
            m_solving = question.request;
            m_cancel = std::stop_source();
        }
        answer(question);
    }
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

void PlannerThread::answer(const Question& question)
{
    FlatLimits limits;
    {
        const std::lock_guard lock(m_mutex);
        limits.cancel = m_cancel.get_token();
    }
    Answer answer;
    answer.generation = question.generation;
    answer.question = question;
    if (!m_study || !haveSameStudy(*m_studied, question.request)) {
        const Nanoseconds start = now();
        Result<Study> study = Study::solve(question.request, limits);
        if (limits.cancel.stop_requested())
            return; // A newer question waits; what is shown stays until that one is answered.
        if (!study) {
            m_study.reset();
            answer.inputError = study.error();
            answer.isComplete = true;
            post(answer);
            return;
        }
        m_study = std::make_shared<const Study>(*std::move(study));
        m_studied = question.request;
        m_curve = std::make_shared<const std::vector<CurvePoint>>(curveOf(*m_study));
        m_solveTime = now() - start;
    }
    answer.study = m_study;
    answer.curve = m_curve;
    answer.solveTime = m_solveTime;
    Result<Plan> plan = m_study->plan(question.strategy, question.budget);
    if (!plan) {
        answer.doesNotFit = plan.error();
        plan = m_study->planAt(0);
    } else if (!plan->fits()) {
        // A fixed strategy above the budget: the planner's own certificate applies when no plan fits either.
        if (const Result<Plan> best = m_study->cheapestWithin(question.budget); !best)
            answer.doesNotFit = best.error();
    }
    answer.shown = show(*std::move(plan));
    post(answer);
    if (isOutdated(question.generation))
        return;
    if (answer.doesNotFit)
        answer.batchThatFits = largestBatchWithin(question, limits, [&] { return isOutdated(question.generation); });
    answer.strategies = m_study->compare(comparedStrategies(), question.budget);
    answer.isComplete = true;
    if (!isOutdated(question.generation))
        post(answer);
}

} // namespace remat::ui
