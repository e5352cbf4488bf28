// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/file_agreement.h"

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"

namespace remat {

namespace {

constexpr MessageCode kDisagrees{"plan-disagrees", REMAT_TR("The file says {0}; replaying the plan gives {1}."),
    REMAT_TR("The file was changed or is damaged: export the plan again.")};

} // namespace

void failDisagreeing(const JsonCursor& at, std::string said, std::string derived)
{
    at.fail(kDisagrees, {std::move(said), std::move(derived)});
}

void requireSame(const JsonCursor& at, const nlohmann::json& derived)
{
    if (at.failed())
        return;
    if (derived.is_object()) {
        if (!at.raw().is_object())
            failDisagreeing(at, shownJson(at.raw()), shownJson(derived));
        for (const auto& [key, value] : derived.items())
            requireSame(at[key], value);
    } else if (derived.is_array()) {
        const std::vector<JsonCursor> elements = at.elements();
        if (elements.size() != derived.size())
            failDisagreeing(at, std::to_string(elements.size()) + " entries", std::to_string(derived.size()));
        for (std::size_t i = 0; i < elements.size() && !at.failed(); ++i)
            requireSame(elements[i], derived[i]);
    } else if (at.raw() != derived) {
        failDisagreeing(at, shownJson(at.raw()), shownJson(derived));
    }
}

} // namespace remat
