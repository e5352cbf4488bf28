// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// The names most like a mistyped one, best first, joined as "gpt2, gpt2-xl": fewest letters to insert, delete, replace
/// or add at the end (Levenshtein 1966, an ending costing half).  O(names * length^2); only the first 64 letters count.
std::string nearestNames(std::string_view name, const std::vector<std::string>& names, std::size_t most = 3);

} // namespace remat
