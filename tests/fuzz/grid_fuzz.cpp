// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_grid.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    const Result<SweepGrid> grid = SweepGrid::parse(fuzz::textOf(data, size), "grid.json");
    if (!grid)
        return 0;
    if (grid->studies() < 1 || grid->pointsOfStudy() < 1 || grid->points() > kMostPoints)
        fuzz::broken("a grid has points, and no more than it may have", grid->text());
    // Both ends of every axis.
    (void)grid->wordsOf(0);
    (void)grid->wordsOf(grid->studies() - 1);
    for (const std::int64_t point : {std::int64_t{0}, grid->points() - 1})
        if (grid->valuesOf(point).size() != grid->columns().size())
            fuzz::broken("a point has a value for every column", grid->text());
    for (std::size_t axis = 0; axis < grid->axes().size(); ++axis)
        (void)grid->wordsOf(axis, grid->axes()[axis].entries.size() - 1);
    for (const std::string& column : grid->columns())
        (void)grid->valuesOfFlag(column);
    // Its text is what journals and results quote.
    const Result<SweepGrid> again = SweepGrid::parse(grid->text(), "grid.json");
    if (!again || again->text() != grid->text() || again->points() != grid->points())
        fuzz::broken("what a grid says of itself is that grid", grid->text());
    return 0;
}
