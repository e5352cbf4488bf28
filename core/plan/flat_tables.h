// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/plan/flat_memory.h"
#include "core/plan/flat_moves.h"
#include "core/plan/flat_planner.h"
#include "core/plan/step_envelope.h"

namespace remat {

/// What a solved frontier keeps so that any point's plan can be walked back.
class FlatFrontier::Tables {
public:
    Tables() = default;
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;
    virtual ~Tables() = default;

    virtual std::size_t points() const = 0;
    virtual std::int64_t states() const = 0;
    virtual FrontierPoint pointAt(std::size_t index) const = 0;
    virtual std::vector<int> choiceOf(std::size_t index) const = 0;
};

/// The suffix tables of one chain, from the head to the input (flat_planner.h has the recursion).
template <class Cost> class FlatTables final : public FlatFrontier::Tables {
public:
    enum class Outcome { Done, Cancelled, TooLarge };
    static constexpr FlatThinning kAllPoints{};

    static constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();

    /// `remembered`: where kinds of stages are looked up, or null.
    explicit FlatTables(const Chain& chain, FlatSuffixes<Cost>* remembered = nullptr)
        : FlatTables(chain, FlatMoves<Cost>::usualScale(chain), remembered)
    { }
    /// `scale`: so many units of cost are a nanosecond; more than the reruns of any plan.
    FlatTables(const Chain& chain, Cost scale, FlatSuffixes<Cost>* remembered = nullptr)
        : m_moves(chain, scale, remembered)
    { }

    /// Fills all tables.  Every suffix table but those of the first few stages is thinned as said: to real points near
    /// the table's convex hull, the leanest and the cheapest always among them.
    /// `remembered`: where tables are looked up and left, that of the constructor, or null.
    /// TooLarge beyond limits.maxPoints, or where more than `mostNewPoints` were not remembered.
    Outcome fill(const FlatLimits& limits, const FlatThinning& thinning, const std::function<void(double)>& progress,
        FlatSuffixes<Cost>* remembered = nullptr, std::int64_t mostNewPoints = kAnyNumber);
    /// True when the last fill() dropped nothing.
    bool isWhole() const { return m_isWhole; }
    /// Of the stages from this one on, after fill(); null where no plan leaves the stage's input in that state.
    const StepTable<Cost>* suffixTable(std::size_t stage, Input input) const;
    /// Certifies the tables: the largest relative excess over FlatBound at any budget.
    double certifiedGap() const;

    std::size_t points() const override { return m_pointEnds.size(); }
    std::int64_t states() const override;
    FrontierPoint pointAt(std::size_t index) const override;
    std::vector<int> choiceOf(std::size_t index) const override;

private:
    using StageTables = FlatStageTables<Cost>;

    /// What one fill() works with.
    struct Scratch {
        int threads = 1;
        std::unique_ptr<ThreadPool> pool; ///< once there is a large table
        StepEnvelope<Cost> envelope;
        std::vector<StageMove<Cost>> moves;
        bool madeNext = false; ///< the envelope's last call was for the next stage
    };
    StageTables tablesOf(std::size_t stage, const FlatThinning& thinning, Scratch& scratch) const;
    SuffixTables<Cost> suffixOf(std::size_t stage) const;
    const StepTable<Cost>& whole() const { return m_tables.front()->byInput[0]; }
    void listPoints();

    FlatMoves<Cost> m_moves;
    bool m_isWhole = true;
    std::vector<std::shared_ptr<const StageTables>> m_tables; ///< by stage; one more behind the last stage
    std::vector<std::size_t> m_pointEnds;                     ///< per frontier point, its index in whole()
};

} // namespace remat
