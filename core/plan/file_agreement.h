// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/json_cursor.h"

namespace remat {

/// Fails with the error "plan-disagrees": what the file says, and what replaying the plan gives.
void failDisagreeing(const JsonCursor& at, std::string said, std::string derived);

/// Compares what the file says with what was derived, key by key.  Keys of the file that were not derived are let be.
void requireSame(const JsonCursor& at, const nlohmann::json& derived);

} // namespace remat
