// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table_export.h"

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/text.h"

namespace remat::cli {

namespace {

constexpr MessageCode kLaterExport{"export-not-in-release", REMAT_TR("This release does not write {0} code yet."),
    REMAT_TR("Use --to csv or --to markdown, or read the plan file itself: it names modules and ops."),
    ExitCode::Usage};
constexpr MessageCode kUnknownExport{"unknown-export", REMAT_TR("There is no export \"{0}\"."),
    REMAT_TR("Use --to csv or --to markdown."), ExitCode::Usage};

} // namespace

Result<void> checkTarget(const std::string& to)
{
    if (to == "csv" || to == "markdown")
        return {};
    for (const char* later : {"pytorch", "megatron", "torchtitan"})
        if (to == later)
            return Error{&kLaterExport, "--to", {to}};
    return Error{&kUnknownExport, "--to", {shortened(to)}};
}

Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text)
{
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, text); !written)
            return written.error();
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-export"}, {"version", 1}, {"to", *arguments.to},
            {"out", arguments.out ? nlohmann::json(*arguments.out) : nlohmann::json(nullptr)}, {"text", text}});
    return Answer{arguments.out ? "wrote " + *arguments.out + "\n" : text, {}, 0};
}

} // namespace remat::cli
