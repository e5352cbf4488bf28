// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Nested tables filled by several threads, for the thread sanitizer: the same points and schedules as with one.
#include <cstdio>

#include "core/plan/nested_planner.h"
#include "tests/core/plan/random_chain.h"

namespace {

using namespace remat;

NestedFrontier solved(const Chain& chain, int threads, NestedClass wanted = NestedClass::Drop)
{
    NestedLimits limits;
    limits.wanted = wanted;
    limits.threads = threads;
    return *NestedPlanner(chain, limits).solve();
}

} // namespace

int main()
{
    std::mt19937_64 random(8);
    RandomChainShape shape;
    shape.mostStages = 9;
    shape.mostBytes = 500;
    shape.mostTime = 300;
    bool passed = true;
    std::size_t points = 0;
    for (int i = 0; i < 5; ++i) {
        const Chain chain = randomChain(random, shape);
        const NestedFrontier one = solved(chain, 1);
        const NestedFrontier four = solved(chain, 4);
        passed = passed && one.points() == four.points();
        points += one.points().size();
        for (std::size_t k = 0; passed && k < one.points().size(); k += 13)
            passed = one.scheduleOf(k) == four.scheduleOf(k);
    }
    // Large tables are shared out by ranges of memory, flat ones too.
    const Chain large = denseChain(random, 8, 20);
    const NestedFrontier one = solved(large, 1, NestedClass::NoDrop);
    passed = passed && one.points().size() > 4096 && solved(large, 4, NestedClass::NoDrop).points() == one.points();
    points += one.points().size();
    std::printf("nested_threads: %zu points, %s\n", points, passed ? "passed" : "FAILED");
    return passed ? 0 : 1;
}
