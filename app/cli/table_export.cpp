// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table_export.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/text.h"

namespace remat::cli {

namespace {

constexpr MessageCode kUnknownExport{"unknown-export", REMAT_TR("There is no export \"{0}\" here."),
    REMAT_TR("Use --to with one of: {1}."), ExitCode::Usage};

} // namespace

Result<void> checkTarget(const std::string& to, const std::vector<std::string>& known)
{
    if (std::find(known.begin(), known.end(), to) != known.end())
        return {};
    return Error{&kUnknownExport, "--to", {shortened(to), joined(known, ", ")}};
}

Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text)
{
    return exportAnswer(arguments, text, nlohmann::json::object());
}

Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text, const nlohmann::json& more)
{
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, text); !written)
            return written.error();
    if (arguments.isJson) {
        nlohmann::json object{{"format", "remat-export"}, {"version", 1}, {"to", *arguments.to},
            {"out", arguments.out ? nlohmann::json(*arguments.out) : nlohmann::json(nullptr)}, {"text", text}};
        object.update(more);
        return jsonAnswer(object);
    }
    return Answer{arguments.out ? "wrote " + *arguments.out + "\n" : text, {}, 0};
}

} // namespace remat::cli
