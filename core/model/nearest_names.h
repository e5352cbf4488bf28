// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// The names most like a mistyped one, best first, joined as "gpt2, gpt2-xl": those that begin with it, those that
/// contain it ("4090" finds "rtx-4090"), those that share whole words with it, then by fewest letters to insert, delete
/// or replace (Levenshtein 1966); upper and lower case are alike.  Only names
/// of the first of these kinds that any name is of are listed.  O(names * length^2); only the first 64 letters
/// count.
std::string nearestNames(std::string_view name, const std::vector<std::string>& names, std::size_t most = 3);

} // namespace remat
