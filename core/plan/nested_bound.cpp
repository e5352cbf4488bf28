// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/plan/cell_sweeps.h"

namespace remat {

namespace {

constexpr std::int32_t kNone = NestedCeiling::kNone;
/// More cells bound more and take longer; so there are as many as pay, and fewer where there are very many stretches.
constexpr std::int64_t kLeastCells = 128;
constexpr std::int64_t kMostCells = 512;
constexpr std::int64_t kPointsPerCell = 8; ///< of the known frontier
/// Stretches times cells of memory times cells of budgets; at kMostNestedStages still 31 cells.
constexpr double kMostSteps = 4e9;

std::int64_t cellsFor(int stages, std::size_t knownPoints)
{
    const auto affordable = static_cast<std::int64_t>(std::sqrt(kMostSteps) / stages);
    const std::int64_t wanted = static_cast<std::int64_t>(knownPoints) / kPointsPerCell;
    return std::min(affordable, std::clamp(wanted, kLeastCells, kMostCells));
}

constexpr std::size_t at(std::int64_t index)
{
    return static_cast<std::size_t>(index);
}

/// A point of a stage's trade, or the step from one to the next: so much memory more, so much less cost.
struct Trade {
    std::int64_t memory;
    std::int64_t cost;
};

/// The least that some stages lose as a convex function of memory: `atNothing`, and then steps by falling steepness.
struct Losses {
    std::int64_t atNothing = 0;
    std::vector<Trade> steps;
};

bool isSteeper(const Trade& a, const Trade& b)
{
    return static_cast<WideCost>(a.cost) * b.memory > static_cast<WideCost>(b.cost) * a.memory;
}

/// The lower convex hull.
Losses hullOf(std::vector<Trade> points)
{
    std::sort(points.begin(), points.end(),
        [](const Trade& a, const Trade& b) { return std::pair(a.memory, a.cost) < std::pair(b.memory, b.cost); });
    const auto stepTo = [](const Trade& from, const Trade& to) {
        return Trade{to.memory - from.memory, from.cost - to.cost};
    };
    std::vector<Trade> hull;
    for (const Trade& point : points) {
        if (!hull.empty() && point.cost >= hull.back().cost)
            continue;
        while (hull.size() > 1 && !isSteeper(stepTo(hull[hull.size() - 2], hull.back()), stepTo(hull.back(), point)))
            hull.pop_back();
        hull.push_back(point);
    }
    Losses losses{hull.front().cost, {}};
    for (std::size_t i = 1; i < hull.size(); ++i)
        losses.steps.push_back(stepTo(hull[i - 1], hull[i]));
    return losses;
}

/// Of both together: where memory goes to whichever loses most without it.
Losses sumOf(const Losses& a, const Losses& b)
{
    Losses sum{a.atNothing + b.atNothing, std::vector<Trade>(a.steps.size() + b.steps.size())};
    std::merge(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), sum.steps.begin(), isSteeper);
    return sum;
}

template <class Cost>
Losses lossesOf(const NestedChain<Cost>& chain, const NestedGrid& grid, int stage, bool inputIsFree)
{
    const auto& kind = chain.kind(stage);
    const std::int64_t input = inputIsFree ? 0 : chain.inputBytes(stage);
    const std::int64_t remake = stage > 0 && !inputIsFree ? grid.sampled(chain.kind(stage - 1).rerun) / 4 : 0;
    const std::int64_t rerun = grid.sampled(kind.rerun);
    std::vector<Trade> points{{0, chain.mayBeDropped(stage) ? rerun * 3 / 4 : rerun}};
    for (const auto& choice : kind.choices) {
        const std::int64_t lost = grid.sampled(choice.excess);
        if (!choice.needsInput) {
            points.push_back({choice.saved, lost});
            continue;
        }
        points.push_back({choice.saved + input, lost});
        if (chain.mayDrop(stage, choice))
            points.push_back({choice.saved, lost + remake});
    }
    return hullOf(std::move(points));
}

/// At offset + (cell + 1) * width for every cell, rounded down: the most memory that the cell can mean.
std::vector<std::int32_t> sampledAtEnds(
    const Losses& losses, std::int64_t offset, std::int64_t width, std::size_t cells)
{
    std::vector<std::int32_t> samples(cells);
    std::int64_t lost = losses.atNothing;
    std::int64_t used = 0;
    auto step = losses.steps.begin();
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::int64_t memory = offset + static_cast<std::int64_t>(cell + 1) * width;
        for (; step != losses.steps.end() && used + step->memory <= memory; ++step) {
            used += step->memory;
            lost -= step->cost;
        }
        std::int64_t part = 0;
        if (step != losses.steps.end())
            part = static_cast<std::int64_t>(
                (static_cast<WideCost>(step->cost) * (memory - used) + step->memory - 1) / step->memory);
        samples[cell] = static_cast<std::int32_t>(lost - part);
    }
    return samples;
}

/// By number of stages: what so many of the first ones lose, at the ends of cells.
template <class Cost>
std::vector<std::vector<std::int32_t>> lossesBefore(
    const NestedChain<Cost>& chain, const NestedGrid& grid, std::int64_t width, std::size_t cells)
{
    std::vector<std::vector<std::int32_t>> losses;
    Losses sum;
    for (int stage = 0; stage < chain.stages(); ++stage) {
        losses.push_back(sampledAtEnds(sum, 0, width, cells));
        sum = sumOf(sum, lossesOf(chain, grid, stage, false));
    }
    return losses;
}

/// By cell of a budget less the weight gradients of the stages behind.
struct Behind {
    std::vector<std::int32_t> known;  ///< cost of a known plan
    std::vector<std::int32_t> losses; ///< of the stages behind alone, at the ends of cells
    std::size_t unknown = 0;          ///< so many first cells have budgets at which no plan is known
};

/// By the first stage behind; whether that one's input stays is no matter of the stages behind.
template <class Cost>
std::vector<Behind> allBehind(const NestedChain<Cost>& chain, const NestedGrid& grid,
    std::span<const FrontierPoint> known, std::int64_t width, std::size_t cells)
{
    const int n = chain.stages();
    std::vector<Behind> all(at(n) + 1);
    Losses sum;
    for (int stage = n; stage > 0; --stage) {
        const std::int64_t weightGrads = chain.weightGrads(stage, n - 1);
        const Losses losses = stage < n ? sumOf(sum, lossesOf(chain, grid, stage, true)) : sum;
        Behind& behind = all[at(stage)];
        behind.losses = sampledAtEnds(losses, weightGrads, width, cells);
        behind.known.resize(cells);
        for (std::size_t cell = 0; cell + 1 < cells; ++cell) {
            // Below the step's end a budget is as good as that.
            const std::int64_t budget
                = std::max(static_cast<std::int64_t>(cell) * width + weightGrads, chain.stepEnd());
            const auto above = std::upper_bound(known.begin(), known.end(), budget,
                [&](std::int64_t limit, const FrontierPoint& point) { return limit < chain.memoryOf(point); });
            if (above == known.begin())
                behind.unknown = cell + 1;
            else
                behind.known[cell] = grid.sampled(chain.costOf(*(above - 1)));
        }
        behind.known.back() = grid.sampled(chain.costOf(known.back()));
        if (stage < n)
            sum = sumOf(sum, lossesOf(chain, grid, stage, false));
    }
    return all;
}

/// Finds, by cell of a part's memory, what a known plan costs above what the stages around the part lose at least, at
/// the budget where that is most.
class RoomForParts {
public:
    explicit RoomForParts(std::size_t cells) : m_last(cells - 1), m_before(cells), m_shared(cells), m_most(cells) { }

    const std::vector<std::int32_t>& find(const Behind& behind, const std::vector<std::int32_t>& before)
    {
        // Sweeps take the least, so all of this is the least of what is lost and not made up for.
        std::fill(m_most.begin(), m_most.end(), kFar);
        std::fill(m_shared.begin(), m_shared.end(), kFar);
        std::reverse_copy(before.begin(), before.end(), m_before.begin());
        std::size_t cell = 0;
        for (std::size_t budget = behind.unknown; budget < m_last; ++budget) {
            // The more there is, the more of it goes to each side.
            const auto lost = [&](std::size_t c) { return before[c] + behind.losses[budget - c]; };
            while (cell < budget && lost(cell + 1) <= lost(cell))
                ++cell;
            // A part with little memory leaves the stages before it as much as they want,
            const std::size_t reached = budget - cell;
            m_shared[reached] = std::min(m_shared[reached], lost(cell) - behind.known[budget]);
            // any other what it leaves; then what the stages behind get follows from the part's memory alone.
            m_sweeps.lowerTo(m_most.data() + reached + 1, m_before.data() + m_last - cell + 1, nullptr,
                -behind.known[budget], static_cast<std::int64_t>(cell));
        }
        std::int32_t shared = -behind.known[m_last];
        const auto slack = static_cast<std::int32_t>(2 * m_last);
        for (std::size_t i = m_last + 1; i-- > 0;) {
            shared = std::min(shared, m_shared[i]);
            m_most[i] = slack - std::min(m_most[i] + behind.losses[i], shared);
        }
        std::fill(m_most.begin(), m_most.begin() + static_cast<std::ptrdiff_t>(behind.unknown), kNone);
        return m_most;
    }

private:
    /// Above all losses and so far below 2^31 that one can be added.
    static constexpr std::int32_t kFar = std::int32_t{1} << 30;

    const CellSweeps& m_sweeps = bestCellSweeps();
    std::size_t m_last;
    std::vector<std::int32_t> m_before; ///< from the last cell to the first
    std::vector<std::int32_t> m_shared; ///< by the last cell that leaves the stages before as much as they want
    std::vector<std::int32_t> m_most;
};

} // namespace

template <class Cost>
NestedBound::NestedBound(const NestedChain<Cost>& chain, const NestedGrid& grid, std::span<const FrontierPoint> known)
    : m_grid(grid)
{
    const int n = chain.stages();
    const std::int64_t range = chain.memoryOf(known.back());
    while ((range >> m_shift) + 2 > cellsFor(n, known.size()))
        ++m_shift;
    m_cells = at(range >> m_shift) + 2;
    const std::int64_t width = std::int64_t{1} << m_shift;
    const std::vector<std::vector<std::int32_t>> before = lossesBefore(chain, grid, width, m_cells);
    const std::vector<Behind> behind = allBehind(chain, grid, known, width, m_cells);

    m_kinds = chain.hasDrops() ? 3 : 1;
    m_curves.assign(at(chain.stretches()) * m_kinds * m_cells, std::numeric_limits<std::int32_t>::min());
    RoomForParts room(m_cells);
    // A stretch that occurs several times may cost what it may at any of its places.
    const auto raise = [&](int stretch, Curve kind, const std::vector<std::int32_t>& most, Cost paid) {
        std::int32_t* const curve = m_curves.data() + curveAt(stretch, kind);
        for (std::size_t i = 0; i < m_cells; ++i)
            curve[i] = std::max(curve[i], most[i] == kNone ? kNone : most[i] - grid.sampled(paid));
    };
    for (int first = 0; first < n; ++first)
        for (int end = first + 1; end <= n; ++end) {
            const int stretch = chain.stretch(first, end - 1);
            const std::vector<std::int32_t>& most = room.find(behind[at(end)], before[at(first)]);
            raise(stretch, Whole, most, end == n ? 0 : chain.rerunCost(first, end));
            if (!chain.hasDrops())
                continue;
            raise(stretch, Waiting, most, chain.rerunCost(first, end - 1));
            if (first > 0)
                raise(stretch, Staying, room.find(behind[at(end)], before[at(first) - 1]),
                    chain.rerunCost(first - 1, end == n ? first : end));
        }
}

template <class Cost> NestedCeiling NestedBound::ceilingOf(const NestedChain<Cost>& chain, const NestedPart& part) const
{
    const bool isStaying = part.staying != NestedPart::kNothing;
    const Curve kind = isStaying ? Staying : part.waiting != NestedPart::kNothing ? Waiting : Whole;
    const auto curve = std::span(m_curves).subspan(curveAt(chain.stretch(part.first, part.last), kind), m_cells);
    return {curve, m_shift, isStaying ? m_grid.sampled(chain.kind(part.first).choices[at(part.staying)].excess) : 0};
}

template NestedBound::NestedBound(const NestedChain<NarrowCost>&, const NestedGrid&, std::span<const FrontierPoint>);
template NestedBound::NestedBound(const NestedChain<WideCost>&, const NestedGrid&, std::span<const FrontierPoint>);
template NestedCeiling NestedBound::ceilingOf(const NestedChain<NarrowCost>&, const NestedPart&) const;
template NestedCeiling NestedBound::ceilingOf(const NestedChain<WideCost>&, const NestedPart&) const;

} // namespace remat
