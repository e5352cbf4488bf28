// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace remat::cli {

// The flags of SETUP by name: which were given, which mean nothing in a profile, which a mistake is in.

/// Precondition: `flag` is one of SETUP's.
bool isGiven(const SetupArguments& setup, std::string_view flag);

/// The first of these flags that was given.
std::optional<std::string> firstGiven(const SetupArguments& setup, std::initializer_list<std::string_view> flags);

/// Appends "--seq 1024" for each of these flags that was not given, with the value that is used then.
void addDefaults(std::vector<std::string>& defaults, const SetupArguments& setup,
    std::initializer_list<std::pair<std::string_view, std::string>> used);

/// An error of validate() with the flag in place of the field: "sequence" becomes "--seq".
Error withFlag(Error error);

} // namespace remat::cli
