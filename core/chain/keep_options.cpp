// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/keep_options.h"

#include <algorithm>
#include <tuple>

namespace remat {

namespace {

/// The five costs that decide whether a keep-set is of any use; peaks are relative to what precedes the stage.
auto costs(const Option& o)
{
    return std::tuple(
        o.savedBytes, o.savedBytes + o.forwardTempBytes, o.savedBytes + o.backwardTempBytes, o.backwardTime, o.reruns);
}

bool isAtLeastAsGood(const Option& a, const Option& b)
{
    return a.savedBytes <= b.savedBytes && a.savedBytes + a.forwardTempBytes <= b.savedBytes + b.forwardTempBytes
        && a.savedBytes + a.backwardTempBytes <= b.savedBytes + b.backwardTempBytes && a.backwardTime <= b.backwardTime
        && a.reruns <= b.reruns;
}

/// Whether the profile may drop exactly what `keep` leaves out.
bool isGranularity(const StageTape& tape, KeepSet keep)
{
    const auto& sets = tape.granularities;
    return sets.empty() || std::find(sets.begin(), sets.end(), keepAll(tape) & ~keep) != sets.end();
}

} // namespace

KeepOption makeOption(const StageFacts& stage, KeepSet keep)
{
    return {keep, KeepReplay(stage, keep).option(scriptSizes(stage), stage.times)};
}

DropPrice priceOfDropping(const StageFacts& stage, KeepSet dropped)
{
    const KeepSet all = keepAll(stage.tape);
    return priceBetween(stage, all, all & ~dropped);
}

DropPrice priceBetween(const StageFacts& stage, KeepSet more, KeepSet less)
{
    const Option kept = makeOption(stage, more).option, without = makeOption(stage, less).option;
    return {kept.savedBytes - without.savedBytes, without.backwardTime - kept.backwardTime};
}

std::vector<KeepOption> enumerateOptions(const StageFacts& stage, KeepRule rule, KeepReplays* remembered)
{
    const std::vector<int> candidates = stage.tape.candidates();
    const std::vector<Bytes> sizes = scriptSizes(stage);
    KeepReplays::BySet* const replays = remembered ? &remembered->of(stage) : nullptr;
    const auto optionOf = [&](KeepSet keep) {
        if (!replays)
            return KeepReplay(stage, keep).option(sizes, stage.times);
        auto known = replays->find(keep);
        if (known == replays->end())
            known = replays->emplace(keep, KeepReplay(stage, keep)).first;
        return known->second.option(sizes, stage.times);
    };
    std::vector<KeepOption> all;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << candidates.size(); ++bits) {
        KeepSet keep = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (bits >> i & 1)
                keep |= KeepSet{1} << candidates[i];
        if (rule.allows(keep) && isGranularity(stage.tape, keep))
            all.push_back({keep, optionOf(keep)});
    }
    std::sort(all.begin(), all.end(), [](const KeepOption& a, const KeepOption& b) {
        return std::tuple(costs(a.option), a.keep) < std::tuple(costs(b.option), b.keep);
    });
    // Sorted by saved bytes first, so whatever beats an option stands before it.
    std::vector<KeepOption> useful;
    for (KeepOption& candidate : all) {
        const bool isBeaten = std::any_of(useful.begin(), useful.end(),
            [&](const KeepOption& other) { return isAtLeastAsGood(other.option, candidate.option); });
        if (!isBeaten)
            useful.push_back(std::move(candidate));
    }
    for (KeepOption& option : useful)
        option.option.name = keepSetName(stage.tape, option.keep);
    return useful;
}

} // namespace remat
