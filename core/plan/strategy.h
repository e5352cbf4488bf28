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

/// A way to choose what is kept.  Every strategy but Optimal is a rule that people use; all are judged by the same
/// replay.
///
///   none            keep everything
///   full            recompute every layer from its input (Chen et al. 2016, one segment a layer), with early stop
///   every-K         the same for layers 0, K, 2K, ... only
///   ffn-only        recompute the FFN; for post-norm models with the residual and norm that close it, as
///                   feed_forward_chunk of Hugging Face does
///   attention-only  recompute the attention; for post-norm models with the residual that closes it
///   core-attention  recompute only the attention core (Korthikanti et al. 2022): the stored probabilities, or the
///                   blocked core's output
///   article-greedy  the article's: recompute the FFN of layers in rising order of FFN FLOPs per FFN element while the
///                   FFN elements of the marked layers stay within the bytes that must be freed
///   optimal         the flat planner: proved cheapest when each layer runs forward once
struct Strategy {
    enum class Kind { None, Full, EveryK, FfnOnly, AttentionOnly, CoreAttention, ArticleGreedy, Optimal };
    Kind kind = Kind::Optimal;
    int k = 1; ///< EveryK

    bool operator==(const Strategy&) const = default;
};

/// A strategy's rule in one line, for help texts and the command line's document; `title` is the window's word for it.
struct StrategyRule {
    const char* name; ///< "every-K"
    const char* title;
    const char* rule;
};
/// In the order of comparedStrategies().
std::span<const StrategyRule> strategyRules();

/// Reads "none", "every-2", ...  Errors: exit 2 with the known names.
Result<Strategy> parseStrategy(std::string_view name);
std::string toName(const Strategy& strategy);
/// Whether the layers of the tape have what the strategy recomputes.  Error (exit 3): they have not.
Result<void> strategyApplies(const Strategy& strategy, const StepTape& tape);
/// The strategies that a comparison shows, in its order.
std::vector<Strategy> comparedStrategies();

/// What a fixed strategy keeps in each stage; pins override it.  `bytesToFree` is keep-all peak minus budget, for
/// article-greedy alone.  Precondition: strategy is not Optimal.
std::vector<KeepSet> keepSetsOf(
    const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules, Bytes bytesToFree);

} // namespace remat
