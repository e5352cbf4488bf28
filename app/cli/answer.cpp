// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answer.h"

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"

namespace remat::cli {

using nlohmann::json;

Answer jsonAnswer(const json& object, int exit)
{
    return {jsonText(object, 1) + "\n", {}, exit};
}

json errorObject(const Error& error)
{
    return {{"code", error.code->name}, {"where", error.where}, {"message", englishText(error)},
        {"remedy", englishRemedy(error)}};
}

Answer errorAnswer(const Error& error, bool isJson)
{
    return errorAnswer(errorObject(error), static_cast<int>(error.exitCode()), isJson);
}

Answer errorAnswer(json error, int exit, bool isJson)
{
    const auto text = [&](const char* key) { return error[key].get<std::string>(); };
    std::string sentence = text("where").empty() ? "" : text("where") + ": ";
    sentence += text("message");
    if (!text("remedy").empty())
        sentence += " " + text("remedy");
    Answer answer;
    if (isJson)
        answer = jsonAnswer({{"format", "remat-error"}, {"version", 1}, {"error", std::move(error)}});
    answer.notes.push_back("remat: " + sentence);
    answer.exit = exit;
    return answer;
}

} // namespace remat::cli
