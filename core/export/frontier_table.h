// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/export/table.h"
#include "core/plan/study.h"

namespace remat {

/// Every point of a study's frontier in whole bytes and nanoseconds, for scripts: peak_bytes, time_ns, overhead_ns,
/// reruns, attention, head_chunks.
Table frontierTable(const Study& study);
/// The same with units, for people.
Table frontierTextTable(const Study& study);

/// Strategies at one budget in whole bytes and nanoseconds, for scripts; figures are empty where there is no plan.
Table comparisonTable(const std::vector<ComparedStrategy>& strategies);
/// The same with units, for people: whether it fits budget and device, and else in a few words what is missing.
Table comparisonTextTable(const std::vector<ComparedStrategy>& strategies);

} // namespace remat
