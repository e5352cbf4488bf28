// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_chain.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <unordered_map>

#include "core/plan/flat_moves.h"

namespace remat {

namespace {

Nanoseconds leastBackward(const Stage& stage)
{
    Nanoseconds least = stage.options.front().backwardTime;
    for (const Option& option : stage.options)
        least = std::min(least, option.backwardTime);
    return least;
}

std::int64_t mostReruns(const Stage& stage)
{
    std::int64_t most = 0;
    for (const Option& option : stage.options)
        most = std::max(most, option.reruns);
    return most;
}

/// The most reruns of any plan: between two backwards a stage runs forward at most once.
WideCost mostReruns(const Chain& chain)
{
    const auto count = static_cast<WideCost>(chain.stages.size());
    WideCost most = count * count;
    for (const Stage& stage : chain.stages)
        most += mostReruns(stage);
    return most;
}

/// Above the excess nanoseconds of any plan, for the same reason.
WideCost mostExcess(const Chain& chain)
{
    WideCost excess = 1;
    for (const Stage& stage : chain.stages) {
        Nanoseconds most;
        for (const Option& option : stage.options)
            most = std::max(most, option.backwardTime);
        excess += static_cast<WideCost>(chain.stages.size()) * stage.forwardTime.value
            + (most - leastBackward(stage)).value;
    }
    return excess;
}

bool haveSameNumbers(const Stage& a, const Stage& b)
{
    const auto numbersOf = [](const Stage& s) {
        return std::tuple(s.outBytes, s.gradBytes, s.weightGradBytes, s.forwardTime, s.forwardTempBytes, s.runsOnce);
    };
    const auto areAlike = [](const Option& p, const Option& q) {
        return p.savedBytes == q.savedBytes && p.needsInput == q.needsInput && p.needsOutput == q.needsOutput
            && p.forwardTempBytes == q.forwardTempBytes && p.backwardTime == q.backwardTime
            && p.backwardTempBytes == q.backwardTempBytes && p.reruns == q.reruns;
    };
    return numbersOf(a) == numbersOf(b)
        && std::equal(a.options.begin(), a.options.end(), b.options.begin(), b.options.end(), areAlike);
}

/// Whatever b does, a does as well with no more of anything.
template <class Choice> bool beats(const Choice& a, const Choice& b)
{
    return a.saved <= b.saved && a.forwardTop <= b.forwardTop && a.backwardTop <= b.backwardTop
        && a.needsInput <= b.needsInput && a.needsOutput <= b.needsOutput && a.excess <= b.excess;
}

/// The scale of flat solves where costs allow it, so that nested ones can take their tables over.
template <class Cost> Cost scaleOf(const Chain& chain)
{
    const Cost least = static_cast<Cost>(mostReruns(chain) + 1);
    const Cost usual = FlatMoves<Cost>::usualScale(chain);
    constexpr WideCost kMost = std::is_same_v<Cost, NarrowCost> ? WideCost{1} << 61 : WideCost{1} << 124;
    return usual >= least && mostExcess(chain) < kMost / usual ? usual : least;
}

} // namespace

bool fitsNarrowNestedCost(const Chain& chain)
{
    return mostExcess(chain) < (WideCost{1} << 61) / (mostReruns(chain) + 1);
}

bool fitsWideNestedCost(const Chain& chain)
{
    return mostExcess(chain) < (WideCost{1} << 124) / (mostReruns(chain) + 1);
}

template <class Cost>
NestedChain<Cost>::NestedChain(const Chain& chain, NestedClass solvedClass)
    : m_class(solvedClass),
      m_base(chain.baseBytes),
      m_stepEnd(chain.stepEndBytes.value),
      m_costPerNanosecond(scaleOf<Cost>(chain)),
      m_mostCost(static_cast<Cost>(mostExcess(chain)) * m_costPerNanosecond)
{
    findKinds(chain);
    findStretches();
    m_weightGradsBefore.push_back(0);
    m_rerunsBefore.push_back(0);
    std::int64_t mostTemp = 0;
    for (const Stage& stage : chain.stages) {
        m_weightGradsBefore.push_back(m_weightGradsBefore.back() + stage.weightGradBytes.value);
        m_rerunsBefore.push_back(m_rerunsBefore.back() + kind(static_cast<int>(m_rerunsBefore.size()) - 1).rerun);
        m_leastTime += stage.forwardTime + leastBackward(stage);
        std::int64_t saved = 0;
        std::int64_t mostSaved = 0;
        for (const Option& option : stage.options) {
            mostSaved = std::max(mostSaved, option.savedBytes.value);
            if (option.backwardTime == leastBackward(stage))
                saved = std::max(saved, option.savedBytes.value);
            mostTemp = std::max({mostTemp, option.forwardTempBytes.value, option.backwardTempBytes.value});
        }
        m_memoryRange += saved + stage.outBytes.value;
        m_mostMemory += mostSaved + stage.outBytes.value + stage.gradBytes.value + stage.weightGradBytes.value;
    }
    m_memoryRange += mostTemp;
    m_mostMemory += mostTemp;
    m_stepEnd += m_weightGradsBefore.back();
}

template <class Cost> typename NestedChain<Cost>::Kind NestedChain<Cost>::kindOf(const Stage& stage) const
{
    Kind kind;
    kind.out = stage.outBytes.value;
    kind.grad = stage.gradBytes.value;
    kind.weightGrad = stage.weightGradBytes.value;
    kind.runsOnce = stage.runsOnce;
    kind.rerun = m_costPerNanosecond * stage.forwardTime.value + 1;
    kind.bareTemp = stage.forwardTempBytes.value;
    std::vector<Choice> all;
    for (int o = 0; o < static_cast<int>(stage.options.size()); ++o) {
        const Option& option = stage.options[static_cast<std::size_t>(o)];
        const std::int64_t saved = option.savedBytes.value;
        const Cost excess
            = m_costPerNanosecond * (option.backwardTime - leastBackward(stage)).value + Cost{option.reruns};
        all.push_back({saved, saved + option.forwardTempBytes.value, saved + option.backwardTempBytes.value,
            option.needsInput, option.needsOutput, excess, o});
        if (all.back().forwardTop < kind.bareTemp) {
            kind.bareTemp = all.back().forwardTop;
            kind.bareOption = o;
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Choice& a, const Choice& b) { return a.saved < b.saved; });
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool isBeaten = false;
        for (std::size_t j = 0; j < all.size() && !isBeaten; ++j)
            isBeaten = j != i && beats(all[j], all[i]) && (j < i || !beats(all[i], all[j]));
        if (isBeaten)
            continue;
        kind.choices.push_back(all[i]);
        kind.alwaysNeedsInput = kind.alwaysNeedsInput && all[i].needsInput;
    }
    return kind;
}

template <class Cost> void NestedChain<Cost>::findKinds(const Chain& chain)
{
    std::unordered_map<std::size_t, std::vector<std::pair<const Stage*, int>>> seen;
    for (const Stage& stage : chain.stages) {
        std::size_t hash = stage.options.size();
        for (const std::int64_t number : {stage.outBytes.value, stage.weightGradBytes.value, stage.forwardTime.value,
                 stage.options.front().savedBytes.value, stage.options.front().backwardTime.value})
            hash = hash * 1'000'003 + static_cast<std::size_t>(number);
        auto& alike = seen[hash];
        const auto same = std::find_if(
            alike.begin(), alike.end(), [&](const auto& one) { return haveSameNumbers(*one.first, stage); });
        if (same != alike.end()) {
            m_kindOf.push_back(same->second);
            continue;
        }
        m_kindOf.push_back(static_cast<int>(m_kinds.size()));
        alike.emplace_back(&stage, m_kindOf.back());
        m_kinds.push_back(kindOf(stage));
    }
}

/// A stretch is the stretch without its last stage, and that stage.  One that may free its input also depends on
/// that input's size.
template <class Cost> void NestedChain<Cost>::findStretches()
{
    struct Pair {
        std::int64_t before;
        std::int64_t last;
        bool operator==(const Pair&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Pair& p) const
        {
            return static_cast<std::size_t>(p.before) * 0x9E3779B97F4A7C15u + static_cast<std::size_t>(p.last);
        }
    };
    std::unordered_map<Pair, int, Hash> ids;
    m_stretches.assign(m_kindOf.size() * m_kindOf.size(), -1);
    for (int first = 0; first < stages(); ++first) {
        // Inputs of stretches of one stage are told apart by negative numbers, which no stretch has.
        const bool countsInput = !inputsCoincide(first) || m_class != NestedClass::NoDrop;
        std::int64_t before = countsInput ? -2 - inputBytes(first) : -1;
        for (int last = first; last < stages(); ++last) {
            const auto [entry, isNew] = ids.try_emplace(Pair{before, kindIndex(last)}, m_stretchCount);
            m_stretchCount += isNew ? 1 : 0;
            m_stretches[stretchIndex(first, last)] = entry->second;
            before = entry->second;
        }
    }
}

template <class Cost> FrontierPoint NestedChain<Cost>::pointOf(std::int64_t memory, Cost cost) const
{
    const Cost excess = cost / m_costPerNanosecond;
    return {m_base + Bytes{std::max(memory, m_stepEnd)}, m_leastTime + Nanoseconds{static_cast<std::int64_t>(excess)},
        static_cast<std::int64_t>(cost % m_costPerNanosecond)};
}

template class NestedChain<NarrowCost>;
template class NestedChain<WideCost>;

} // namespace remat
