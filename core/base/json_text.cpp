// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_text.h"

#include "core/base/text.h"

namespace remat {

using nlohmann::json;

std::string jsonText(const json& value, int indent)
{
    return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string shownJson(const json& value)
{
    return shortened(value.dump(-1, ' ', true, json::error_handler_t::replace), 60);
}

json optionalJson(const std::optional<Bytes>& bytes)
{
    return bytes ? json(bytes->value) : json(nullptr);
}

} // namespace remat
