// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/chain/chain.h"

namespace remat {

class JsonCursor;

/// Chain files: `"format": "remat-chain"`, `"version": 1` (docs/planner.md, "File").
///
/// Sizes are whole bytes, times whole nanoseconds.  What a reader accepts is safe to add up without further checks:
///   base + step end + sum over stages of (out + grad + weight grad + largest saved) + largest temporary <= 2^61,
///   the same for the sum of all forward and largest backward times, and for the sum of the largest reruns.
/// Also required: at least one stage and one option in each, at most kMaxChainStages and kMaxChainOptions in all,
/// option names that are unique in their stage and not "none", a last stage without gradient, stages of one kind with
/// the same numbers, and backward_temp_bytes >= max(0, grad[i-1] + weight_grad[i] - grad[i] - saved), which the
/// definition implies.
inline constexpr std::size_t kMaxChainStages = 100'000;
inline constexpr std::size_t kMaxChainOptions = 100'000;

/// Reads a chain from its text; `where` names the file in errors.
/// Errors: not JSON, other format, missing or mistyped keys, negative or fractional sizes, a broken rule from above.
Result<Chain> parseChain(std::string_view text, const std::string& where);

/// Reads a chain file.  Errors: those of readFile and of parseChain.
Result<Chain> readChain(const std::string& path);

/// Reads a chain that stands inside another document; a mistake is recorded in the cursor.
Chain readChain(const JsonCursor& object);

/// The chain as a JSON object that parseChain reads back to an equal chain.
nlohmann::json toJson(const Chain& chain);

} // namespace remat
