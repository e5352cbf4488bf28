// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/mailbox.h"
#include "core/plan/nested_study.h"
#include "core/plan/plan_difference.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "core/regions/region_study.h"
#include "core/regions/region_table.h"
#include "ui/state/idle_work.h"
#include "ui/state/torch_choices.h"

namespace remat::ui {

/// What the window wants to know: one shape and setup, one budget, one strategy.
struct Question {
    std::uint64_t generation = 0;
    StudyRequest request;
    Bytes budget;
    Strategy strategy;
    /// The profile pytorch: what it has beside shape, setup and device; pins have no meaning then.
    std::optional<TorchChoices> torch = std::nullopt;
};

/// A plan with its dry replay: what every view of one plan shows.
struct ShownPlan {
    Plan plan;
    Program program;
    Timeline timeline;
};

/// A plan of the profile pytorch with the simulations of its last micro-batch, with and without its regions.
struct ShownRegions {
    RegionPlan plan;
    torch::TorchStep keepAll, planned;
    RegionTable table;
    std::vector<StepInstant> instants; ///< of `planned`
};

/// A point of a frontier as curves show it.
struct CurvePoint {
    Bytes peak;
    double extraTime = 0.0; ///< Study::extraTimeOf()
};

/// What the planner thread found.  Immutable; views read it on the window's thread.
struct Answer {
    std::uint64_t generation = 0;
    Question question;
    std::shared_ptr<const Study> study; ///< absent when the inputs are invalid
    /// With the strategy optimal-nested, once it is solved; until then the flat answer stands in.
    std::shared_ptr<const NestedStudy> nested;
    std::optional<Error> strategyError; ///< why the strategy has no plan here; the optimal one stands in
    /// The frontier for drawing (nested where there is one): at most kMostCurvePoints of its points, both ends among
    /// them.
    std::shared_ptr<const std::vector<CurvePoint>> curve;
    std::optional<Error> inputError;
    std::optional<Error> doesNotFit; ///< the certificate; the plan shown is then the one of least memory
    std::shared_ptr<const ShownPlan> shown;
    std::optional<std::int64_t> batchThatFits; ///< with doesNotFit: the largest smaller batch that any plan can run
    std::vector<remat::Pin> pinsToRelease;     ///< with doesNotFit: the fewest whose release cures; empty: none does
    BudgetMoves moves;                         ///< with the last piece of an answer, where a planner's plan is shown
    std::vector<ComparedStrategy> strategies;  ///< empty in the first answer to a new question
    /// With the profile pytorch these stand in the place of study, shown, moves and strategies.
    std::shared_ptr<const RegionStudy> regionStudy;
    std::shared_ptr<const ShownRegions> regions;
    RegionMoves regionMoves;
    std::vector<ComparedRegions> regionStrategies;
    Nanoseconds solveTime;   ///< of the study
    bool isComplete = false; ///< nothing more will come for this generation

    /// The frontier that the plan shown was chosen from.
    const std::vector<StudyPoint>& points() const { return nested ? nested->points() : study->points(); }
    Bytes leastPeak() const { return regionStudy ? regionStudy->leastPeak() : points().front().cost.peak; }
    Bytes keepAllPeak() const { return regionStudy ? regionStudy->keepAll().prediction.peak : study->keepAllPeak(); }
    bool hasPlan() const { return shown || regions; }
    /// Of the plan that is shown.
    Bytes planPeak() const { return regions ? regions->plan.prediction.peak : shown->plan.prediction.peak; }
    bool fitsDevice() const { return regions ? regions->plan.fitsDevice() : shown->plan.fitsDevice(); }
    bool isExact() const { return nested ? nested->isExact() : study->isExact(); }
    double gap() const { return nested ? nested->gap() : study->gap(); }
};

/// The planner on a thread of its own, without Qt: the newest question wins, and each finished piece of its answer is
/// posted at once: a plan with a certified gap to the best, the best one, the nested one where that
/// is asked for, the comparison of strategies.  An unchanged request keeps its study, so that a moving budget costs a
/// look-up and one lowering; a changed one takes over from the studies before what the change leaves (StudyMemory).
///
/// Only the two mailboxes are shared.  `ring` is called on the planner thread whenever an answer lies in the box.
class PlannerThread {
public:
    explicit PlannerThread(std::function<void()> ring);
    ~PlannerThread();
    PlannerThread(const PlannerThread&) = delete;
    PlannerThread& operator=(const PlannerThread&) = delete;

    /// Replaces the question.  A solve under way is cancelled when the new question needs another study, and so is a
    /// refinement: what it would improve can answer now.
    void ask(Question question);
    std::optional<Answer> takeAnswer() { return m_answers.take(); }
    /// Work for the time when no question waits, the newest first; it is let go of when it is done, or when nobody else
    /// holds it.  `ring` is called after every step.
    void doWhenIdle(const std::shared_ptr<IdleWork>& work);

private:
    void work();
    /// The idle work to go on with, or null; with the mutex held.
    std::shared_ptr<IdleWork> nextIdleWork();
    void doIdleStep(const std::shared_ptr<IdleWork>& work, const std::stop_token& cancel);
    void answer(const Question& question);
    void answerRegions(const Question& question);
    bool solveRegions(Answer& answer, const std::stop_token& cancel);
    bool refineRegions();
    void keepRegions(RegionStudy study);
    bool addRegions(Answer& answer, const std::stop_token& cancel) const;
    bool solve(Answer& answer, double gapTarget);
    bool solveNested();
    void addPlan(Answer& answer) const;
    void addCures(Answer& answer);
    void addMoves(Answer& answer) const;
    std::optional<FlatLimits> limitsOfCures();
    bool isOutdated(std::uint64_t generation);
    void post(const Answer& answer);

    std::function<void()> m_ring;
    Mailbox<Answer> m_answers;

    std::mutex m_mutex; // guards the next seven
    std::condition_variable m_asked;
    std::optional<Question> m_question;
    bool m_stops = false;
    std::optional<Question> m_solving; ///< what the planner thread works on
    bool m_isRefining = false;
    std::stop_source m_cancel;
    std::vector<std::weak_ptr<IdleWork>> m_idle; ///< the next one last

    // Of the planner thread alone.
    StudyMemory m_memory;
    std::shared_ptr<const Study> m_study;
    bool m_isRefined = false; ///< the study is the best that there will be, exact or not
    std::optional<StudyRequest> m_studied;
    std::shared_ptr<const std::vector<CurvePoint>> m_curve;
    Nanoseconds m_solveTime;
    std::shared_ptr<const NestedStudy> m_nested; ///< of m_study; null until it is asked for
    std::optional<Error> m_nestedError;
    std::shared_ptr<const std::vector<CurvePoint>> m_nestedCurve;
    Nanoseconds m_nestedTime;
    std::shared_ptr<const RegionStudy> m_regionStudy;
    std::optional<Question> m_regionQuestion; ///< that it was made for
    std::shared_ptr<const std::vector<CurvePoint>> m_regionCurve;
    Nanoseconds m_regionTime;

    std::thread m_thread;
};

/// How far a plan may be from the best, as a share of the step's time, that only colours a map or finds a cure.
inline constexpr double kRoughGap = 0.01;
/// Points of an exact solve that are made before a thinned one is tried: a few milliseconds.
inline constexpr std::int64_t kQuickPoints = 40'000;

/// More points than a wide screen has pixels are of no use to a curve.
inline constexpr std::size_t kMostCurvePoints = 2000;
/// `points`: of the study, or of its nested one.
std::vector<CurvePoint> curveOf(const std::vector<StudyPoint>& points, const Study& study);

/// Plans of regions that a first answer has simulated whole; the others follow.
inline constexpr std::size_t kFirstRegions = 8;

/// True when two requests have one study.
bool haveSameStudy(const StudyRequest& a, const StudyRequest& b);
bool haveSameStudy(const Question& a, const Question& b);

/// Lowers and replays a plan.
std::shared_ptr<const ShownPlan> show(Plan plan);
/// Simulates a plan of regions as the views show it; null once cancelled.
std::shared_ptr<const ShownRegions> show(RegionPlan plan, const std::stop_token& cancel);

} // namespace remat::ui
