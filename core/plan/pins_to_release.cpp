// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pins_to_release.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace remat {

namespace {

/// Numbers of pins, rising.
using Choice = std::vector<std::size_t>;

class ReleaseSearch {
public:
    // NOLINTNEXTLINE(modernize-pass-by-value): the pins are read below
    ReleaseSearch(const StudyRequest& request, Bytes budget, const FlatLimits& limits)
        : m_request(request),
          m_budget(budget),
          m_limits(limits)
    {
        // A pin that is given twice is one demand.
        m_request.pins.clear();
        for (const Pin& pin : request.pins)
            if (std::find(m_request.pins.begin(), m_request.pins.end(), pin) == m_request.pins.end())
                m_request.pins.push_back(pin);
    }

    std::vector<Pin> find()
    {
        Choice all(m_request.pins.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const std::optional<Bytes> pinned = leastPeak(all);
        if (!pinned || *pinned <= m_budget || !fits({}))
            return {};
        std::optional<Choice> released = findOne(all);
        if (!released && all.size() * (all.size() - 1) / 2 <= kMostPairs)
            released = findTwo(all);
        if (!released)
            released = putBack(all);
        std::vector<Pin> result;
        if (!m_limits.cancel.stop_requested())
            for (const std::size_t pin : *released)
                result.push_back(m_request.pins[pin]);
        return result;
    }

private:
    /// The least peak under these pins; nothing where they leave no plan at all.
    std::optional<Bytes> leastPeak(const Choice& kept)
    {
        if (m_limits.cancel.stop_requested())
            return std::nullopt;
        StudyRequest request = m_request;
        request.pins.clear();
        for (const std::size_t pin : kept)
            request.pins.push_back(m_request.pins[pin]);
        const Result<Study> study = Study::solve(std::move(request), m_limits, &m_memory);
        return study ? std::optional(study->leastPeak()) : std::nullopt;
    }

    bool fits(const Choice& kept)
    {
        const std::optional<Bytes> peak = leastPeak(kept);
        return peak && *peak <= m_budget;
    }

    static Choice without(const Choice& all, const Choice& released)
    {
        Choice kept;
        std::set_difference(all.begin(), all.end(), released.begin(), released.end(), std::back_inserter(kept));
        return kept;
    }

    /// Remembers a release that cures, if it leaves a lower peak than the best so far.
    void consider(const Choice& all, Choice released)
    {
        const std::optional<Bytes> peak = leastPeak(without(all, released));
        if (peak && *peak <= m_budget && (!m_best || *peak < m_bestPeak)) {
            m_best = std::move(released);
            m_bestPeak = *peak;
        }
    }

    std::optional<Choice> findOne(const Choice& all)
    {
        for (const std::size_t pin : all)
            consider(all, {pin});
        return m_best;
    }

    std::optional<Choice> findTwo(const Choice& all)
    {
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a + 1; b < all.size(); ++b)
                consider(all, {all[a], all[b]});
        return m_best;
    }

    /// Puts pins back while the budget allows, by bisection over runs of pins; returns those that stay released.
    Choice putBack(const Choice& all)
    {
        std::vector<std::pair<Bytes, std::size_t>> order;
        for (const std::size_t pin : all)
            order.emplace_back(leastPeak({pin}).value_or(Bytes{kMaxQuantity}), pin);
        std::stable_sort(order.begin(), order.end());
        Choice kept, released;
        const auto withRun = [&](std::size_t first, std::size_t last) {
            Choice tried = kept;
            for (std::size_t i = first; i < last; ++i)
                tried.push_back(order[i].second);
            std::sort(tried.begin(), tried.end());
            return tried;
        };
        for (std::size_t first = 0; first < order.size() && !m_limits.cancel.stop_requested();) {
            // The longest run from here that fits: `fitting` does, `failing` does not.
            std::size_t fitting = first, failing = order.size() + 1;
            while (failing - fitting > 1) {
                const std::size_t middle = std::min(fitting + (failing - fitting + 1) / 2, order.size());
                (fits(withRun(first, middle)) ? fitting : failing) = middle;
            }
            kept = withRun(first, fitting);
            if (fitting < order.size())
                released.push_back(order[fitting].second);
            first = fitting + 1;
        }
        std::sort(released.begin(), released.end());
        return released;
    }

    StudyRequest m_request;
    Bytes m_budget;
    FlatLimits m_limits;
    StudyMemory m_memory;
    std::optional<Choice> m_best;
    Bytes m_bestPeak;
};

} // namespace

std::vector<Pin> pinsToRelease(const StudyRequest& request, Bytes budget, const FlatLimits& limits)
{
    return ReleaseSearch(request, budget, limits).find();
}

} // namespace remat
