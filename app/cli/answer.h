// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"

namespace remat::cli {

/// What a verb has to say and how it ends.
struct Answer {
    std::string output;             ///< standard output: the text for people, or one JSON object
    std::vector<std::string> notes; ///< lines for standard error
    int exit = 0;
};

/// An object as standard output; text that is not UTF-8 is replaced.
Answer jsonAnswer(const nlohmann::json& object, int exit = 0);

/// {"code": ..., "where": ..., "message": ..., "remedy": ...}
nlohmann::json errorObject(const Error& error);

/// An error as a whole answer: {"error": {...}} on standard output, or a sentence on standard error.
Answer errorAnswer(const Error& error, bool isJson);
/// The same with an error object that holds more than a sentence.
Answer errorAnswer(nlohmann::json error, int exit, bool isJson);

} // namespace remat::cli
