// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/cost_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/plain_text.h"
#include "core/base/text.h"
#include "core/cost/op_class.h"

namespace remat {

namespace {

constexpr MessageCode kControlCharacter{"costs-control-character",
    REMAT_TR("Byte {0} of the text is a control character."), REMAT_TR("Write the text on one line, without it.")};
constexpr MessageCode kUnknownClass{
    "device-op-class-unknown", REMAT_TR("There is no class of ops \"{0}\"."), REMAT_TR("Use one of: {1}.")};

} // namespace

std::string readPlainText(const JsonCursor& at)
{
    std::string text = at.string();
    if (const std::size_t place = controlCharacterIn(text); place != std::string::npos)
        at.fail(kControlCharacter, {static_cast<std::int64_t>(place + 1)});
    return text;
}

void requireKnownKeys(const JsonCursor& at, const std::vector<std::string>& known, const MessageCode& unknown)
{
    if (!at.raw().is_object())
        return;
    for (const auto& [key, value] : at.raw().items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            at.fail(unknown, {shortened(key), joined(known)});
}

void requireOpClasses(const JsonCursor& at)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kOpClassCount; ++i)
        known.emplace_back(toName(static_cast<OpClass>(i)));
    requireKnownKeys(at, known, kUnknownClass);
}

} // namespace remat
