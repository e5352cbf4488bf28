// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/units.h"

namespace remat {

/// A document as text, the one way in which JSON is written: what is no UTF-8 becomes U+FFFD, so that no name can make
/// writing fail.  `indent` below 0 gives one line.
std::string jsonText(const nlohmann::json& value, int indent = -1);

/// A value as a message quotes it: ASCII, shortened.
std::string shownJson(const nlohmann::json& value);

/// The bytes, or null; JsonCursor::optionalBytes() reads them back.
nlohmann::json optionalJson(const std::optional<Bytes>& bytes);

} // namespace remat
