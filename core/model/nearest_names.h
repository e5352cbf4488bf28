// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// The names most like a mistyped one, best first, joined as "gpt2, gpt2-xl": those that begin with it, then by fewest
/// letters to insert, delete or replace (Levenshtein 1966).  O(names * length^2); only the first 64 letters count.
std::string nearestNames(std::string_view name, const std::vector<std::string>& names, std::size_t most = 3);

} // namespace remat
