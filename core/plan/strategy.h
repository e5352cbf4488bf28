// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/chain/step_chain.h"

namespace remat {

/// A way to choose what is kept.  Every strategy but the planners is a rule that people use; all are judged by the same
/// replay.
///
/// Rules about what a layer recomputes stand in strategies_layer.cpp, those about segments of layers that run forward
/// again in strategies_segments.cpp, PyTorch's knapsack in strategies_knapsack.h, rotor in strategies_rotor.h, each
/// with its source; the article's greedy stands in strategy.cpp.  The planners:
///
///   optimal         the flat planner: proved cheapest when each layer runs forward once
///   optimal-nested  the nested planner: layers may run forward again, which reaches budgets below that
struct Strategy {
    enum class Kind {
        None,
        Full,
        FullNoEarlyStop,
        EveryK,
        FfnOnly,
        AttentionOnly,
        CoreAttention,
        ChenSqrt,
        ChenGreedy,
        MegatronUniform,
        MegatronBlock,
        LlmcR1,
        LlmcR2,
        TorchtitanSelective,
        ArticleGreedy,
        Knapsack,
        Optimal,
        Rotor500,
        OptimalNested
    };
    Kind kind = Kind::Optimal;
    int k = 1; ///< of EveryK, MegatronUniform and MegatronBlock

    /// A planner's choice instead of a rule: it needs a budget, and its plans carry a proof.
    bool isPlanner() const { return kind == Kind::Optimal || kind == Kind::OptimalNested; }
    /// What it does follows from a budget and cannot do without.
    bool needsBudget() const { return isPlanner() || kind == Kind::Rotor500; }
    /// Its plans have schedules of their own, which do not follow from what stages keep.
    bool ordersStages() const { return kind == Kind::OptimalNested || kind == Kind::Rotor500 || rerunsSegments(); }
    /// A rule by which segments of layers run forward again (core/plan/strategies_segments.h).
    bool rerunsSegments() const
    {
        return kind == Kind::FullNoEarlyStop || kind == Kind::ChenSqrt || kind == Kind::ChenGreedy
            || kind == Kind::MegatronUniform;
    }
    bool operator==(const Strategy&) const = default;
};

/// A strategy's rule in one line, for help texts and the command line's document; `title` is the window's word for it.
struct StrategyRule {
    const char* name; ///< "every-K"
    const char* title;
    const char* rule;
    Strategy compared; ///< as a comparison shows it: every-2 for "every-K"
};
/// In the order of comparedStrategies() and then slowStrategies().
std::span<const StrategyRule> strategyRules();

/// The error (exit 2) of a strategy that needs a budget and got none.
Error needsBudget(const Strategy& strategy);

/// Reads "none", "every-2", ...  Errors: exit 2 with the known names.
Result<Strategy> parseStrategy(std::string_view name);
std::string toName(const Strategy& strategy);
/// Whether the layers of the tape have what the strategy recomputes.  Error (exit 3): they have not.
Result<void> strategyApplies(const Strategy& strategy, const StepTape& tape);
/// The strategies that a comparison shows at once, in its order: those that a study answers for a moving budget.
std::vector<Strategy> comparedStrategies();
/// Those that a comparison shows where it may take seconds: rotor-500 is solved anew for each budget, optimal-nested
/// has a solve of its own.
std::vector<Strategy> slowStrategies();

/// What a fixed strategy keeps in each stage, in the last forward of those that run again; pins override it.
/// `ruleBytes` is what the rule makes of a budget: for article-greedy the bytes to free, keep-all peak minus budget;
/// for knapsack the bytes that may be saved, budget minus base; others ignore it.  Precondition: strategy is no
/// planner.
std::vector<KeepSet> keepSetsOf(
    const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules, Bytes ruleBytes);

} // namespace remat
